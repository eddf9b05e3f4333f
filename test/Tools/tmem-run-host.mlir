// Host code that fails ends the program as a fault does, with what it printed.

// RUN: %exits_1 tmem-run %s 2>&1 | FileCheck %s
// RUN: %exits_1 tmem-run %s --entry=result

// CHECK-DAG: before
// CHECK-DAG: tmem-run-host.mlir:[[#@LINE+4]]:{{[0-9]+}}: cf.assert: error: assertion failed: no [host code]
func.func @main() {
  %false = arith.constant false
  vector.print str "before\n"
  cf.assert %false, "no"
  return
}

func.func @result() -> i32 {
  %c256 = arith.constant 256 : i32
  return %c256 : i32
}
