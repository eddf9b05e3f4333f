// Pending values through control flow: at every level no register is read before
// its wait, which tmem-assemble checks, and tmem-ptx-lint once more.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa opt-level=1})' 2>/dev/null | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa opt-level=2})' 2>/dev/null | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa opt-level=3})' 2>/dev/null | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s

// Through stock passes, which check nothing, and MLIR's clean-up in between.

// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_100a O=1},gpu.module(convert-to-llvm{dynamic=true},canonicalize,cse,convert-scf-to-cf,convert-to-llvm{dynamic=true},canonicalize{region-simplify=aggressive},cse,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})' 2>/dev/null | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_100a O=3},gpu.module(convert-scf-to-cf,canonicalize,cse,convert-to-llvm{dynamic=true},canonicalize{region-simplify=aggressive},cse,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})' 2>/dev/null | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s

// CHECK-NOT: {{error|remark}}

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
!view = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<8xf32>>

// CHECK-DAG: kernel 'pipelined_for'
// CHECK-DAG: kernel 'load_before_wait'
// CHECK-DAG: kernel 'constant_trip_count'
// CHECK-DAG: kernel 'pipelined_while'
// CHECK-DAG: kernel 'nested_for'
// CHECK-DAG: kernel 'rotation'
// CHECK-DAG: kernel 'select'
// CHECK-DAG: kernel 'branches'
// CHECK-DAG: kernel 'same_code_in_both_arms'
// CHECK-DAG: kernel 'index_switch'
gpu.module @kernels {
  gpu.func @pipelined_for(%base: i32, %n: index, %out: memref<?x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %mem = tmem.view %base : !view
    %first = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
      %v = tmem.wait_load %p : !pending
      %next = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : !view -> !pending
      vector.store %v, %out[%i, %c0] : memref<?x8xf32>, vector<8xf32>
      scf.yield %next : !pending
    }
    %v = tmem.wait_load %last : !pending
    vector.store %v, %out[%n, %c0] : memref<?x8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @load_before_wait(%base: i32, %n: index, %out: memref<?x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %mem = tmem.view %base : !view
    %first = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
      %next = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : !view -> !pending
      %v = tmem.wait_load %p : !pending
      vector.store %v, %out[%i, %c0] : memref<?x8xf32>, vector<8xf32>
      scf.yield %next : !pending
    }
    %v = tmem.wait_load %last : !pending
    vector.store %v, %out[%n, %c0] : memref<?x8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @constant_trip_count(%base: i32, %out: memref<?x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %mem = tmem.view %base : !view
    %first = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %first) -> (!pending) {
      %other = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : !view -> !pending
      %v = tmem.wait_load %other : !pending
      vector.store %v, %out[%i, %c0] : memref<?x8xf32>, vector<8xf32>
      scf.yield %p : !pending
    }
    %v = tmem.wait_load %last : !pending
    vector.store %v, %out[%c4, %c0] : memref<?x8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @pipelined_while(%base: i32, %more: memref<i1>, %out: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %mem = tmem.view %base : !view
    %first = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %last = scf.while (%p = %first) : (!pending) -> !pending {
      %c = memref.load %more[] : memref<i1>
      scf.condition(%c) %p : !pending
    } do {
    ^bb0(%p: !pending):
      %v = tmem.wait_load %p : !pending
      vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
      %next = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : !view -> !pending
      scf.yield %next : !pending
    }
    %v = tmem.wait_load %last : !pending
    vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @nested_for(%base: i32, %n: index, %out: memref<?x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %mem = tmem.view %base : !view
    %first = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
      %inner = scf.for %j = %i to %n step %c1 iter_args(%q = %p) -> (!pending) {
        %v = tmem.wait_load %q : !pending
        vector.store %v, %out[%j, %c0] : memref<?x8xf32>, vector<8xf32>
        %next = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        scf.yield %next : !pending
      }
      scf.yield %inner : !pending
    }
    %v = tmem.wait_load %last : !pending
    vector.store %v, %out[%n, %c0] : memref<?x8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @rotation(%base: i32, %n: index, %out: memref<?x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %mem = tmem.view %base : !view
    %a = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %b = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
        -> (!pending, !pending) {
      %v = tmem.wait_load %p : !pending
      vector.store %v, %out[%i, %c0] : memref<?x8xf32>, vector<8xf32>
      %next = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : !view -> !pending
      scf.yield %q, %next : !pending, !pending
    }
    %v, %w = tmem.wait_load %r#0, %r#1 : !pending, !pending
    vector.store %v, %out[%n, %c0] : memref<?x8xf32>, vector<8xf32>
    vector.store %w, %out[%c0, %c0] : memref<?x8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @select(%base: i32, %c: i1, %out: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %mem = tmem.view %base : !view
    %a = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %b = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %p = arith.select %c, %a, %b : !pending
    %v = tmem.wait_load %p : !pending
    vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @branches(%base: i32, %n: index, %flags: memref<?xi1>,
                     %out: memref<?x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %mem = tmem.view %base : !view
    %first = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
      %c = memref.load %flags[%i] : memref<?xi1>
      %q = scf.if %c -> (!pending) {
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%i, %c0] : memref<?x8xf32>, vector<8xf32>
        %next = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        scf.yield %next : !pending
      } else {
        scf.yield %p : !pending
      }
      scf.yield %q : !pending
    }
    %v = tmem.wait_load %last : !pending
    vector.store %v, %out[%n, %c0] : memref<?x8xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @same_code_in_both_arms(%base: i32, %c: i1, %out: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %mem = tmem.view %base : !view
    %a = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %b = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    scf.if %c {
      %v = tmem.wait_load %a : !pending
      vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
      %w = tmem.wait_load %b : !pending
    } else {
      %v = tmem.wait_load %b : !pending
      vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
      %w = tmem.wait_load %a : !pending
    }
    gpu.return
  }

  gpu.func @index_switch(%base: i32, %i: index, %out: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %mem = tmem.view %base : !view
    %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
        : !view -> !pending
    %q = scf.index_switch %i -> !pending
    case 2 {
      %v = tmem.wait_load %p : !pending
      vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
      %a = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
          : !view -> !pending
      scf.yield %a : !pending
    }
    case 5 {
      memref.store %zero, %out[%c0] : memref<8xf32>
      scf.yield %p : !pending
    }
    default {
      %v = tmem.wait_load %p : !pending
      %b = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
          : !view -> !pending
      scf.yield %b : !pending
    }
    %v = tmem.wait_load %q : !pending
    vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
    gpu.return
  }
}
