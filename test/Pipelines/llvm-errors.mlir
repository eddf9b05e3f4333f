// What LLVM ends the process for is a diagnostic, and nothing is printed.

// RUN: split-file %s %t
// RUN: not tmem-opt %t/register.mlir --tmem-to-cubin="chip=sm_100a format=isa" 2>&1 | FileCheck %s --check-prefix=REGISTER
// RUN: not tmem-opt %t/fatal.mlir --tmem-to-cubin="chip=sm_100a format=isa" 2>&1 | FileCheck %s --check-prefix=FATAL
// RUN: not tmem-opt %t/name.mlir --tmem-to-cubin="chip=sm_100a format=isa" 2>&1 | FileCheck %s --check-prefix=NAME

//--- register.mlir
gpu.module @first {
  gpu.func @right() kernel {
    gpu.return
  }
}
gpu.module @second {
  gpu.func @k(%x: i32) kernel {
    llvm.inline_asm has_side_effects "foo $0;", "i" %x : (i32) -> ()
    gpu.return
  }
}
// REGISTER-NOT: {{^}}module
// REGISTER: register.mlir:6:1: error: 'gpu.module' op @second: expected code that LLVM can compile, but got:
// REGISTER-NOT: {{^}}module

//--- fatal.mlir
gpu.module @a {
  gpu.func @k(%p: !llvm.ptr) kernel {
    %v = llvm.call_intrinsic "llvm.x86.rdtsc"() : () -> i64
    llvm.store %v, %p : i64, !llvm.ptr
    gpu.return
  }
}
// FATAL-NOT: {{^}}module
// FATAL: fatal.mlir:1:1: error: 'gpu.module' op @a: expected code that LLVM can compile, but got:
// FATAL-NOT: {{^}}module

//--- name.mlir
gpu.module @a {
  gpu.func @"dou-ble"() kernel {
    gpu.return
  }
}
// NAME: name.mlir:2:3: error: 'llvm.func' op expected a name of letters
