// Intrinsics of barriers, and inits under a predicate. Each kernel is wrong and found, or
// right and accepted.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @H21_try_wait_for_phase_before(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i128 = arith.constant 128 : i32
    %true = arith.constant true
    %sevens = arith.constant dense<7> : vector<8xi32>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %zero = arith.cmpi eq, %tid, %c0 : index
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    nvvm.mbarrier.init %bar, %i128, predicate = %zero : !llvm.ptr<3>, i32, i1
    gpu.barrier
    scf.if %stores {
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
      %state = llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta"(%bar, %i1)
          : (!llvm.ptr<3>, i32) -> i64
    } else {
      scf.while : () -> () {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a phase of the mbarrier that is the same in every order of warps
        // CHECK: note: rule H21:
        %done = llvm.call_intrinsic "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"(%bar, %i1)
            : (!llvm.ptr<3>, i32) -> i1
        %waits = arith.xori %done, %true : i1
        scf.condition(%waits)
      } do {
        scf.yield
      }
      tmem.fence after
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  gpu.func @right_try_wait(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i128 = arith.constant 128 : i32
    %true = arith.constant true
    %sevens = arith.constant dense<7> : vector<8xi32>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %zero = arith.cmpi eq, %tid, %c0 : index
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    nvvm.mbarrier.init %bar, %i128, predicate = %zero : !llvm.ptr<3>, i32, i1
    gpu.barrier
    scf.if %stores {
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
      %state = llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta"(%bar, %i1)
          : (!llvm.ptr<3>, i32) -> i64
    } else {
      scf.while : () -> () {
        %done = llvm.call_intrinsic "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"(%bar, %i0)
            : (!llvm.ptr<3>, i32) -> i1
        %waits = arith.xori %done, %true : i1
        scf.condition(%waits)
      } do {
        scf.yield
      }
      tmem.fence after
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  gpu.func @H11_reduction_before(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i128 = arith.constant 128 : i32
    %true = arith.constant true
    %sevens = arith.constant dense<7> : vector<8xi32>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %zero = arith.cmpi eq, %tid, %c0 : index
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    %any = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.aligned.all"(%i0, %stores)
        : (i32, i1) -> i1
    scf.if %stores {
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
    }
    scf.if %stores {
    } else {
      tmem.fence after
      // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp
      // CHECK: note: rule H11:
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  gpu.func @right_reduction(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i128 = arith.constant 128 : i32
    %true = arith.constant true
    %sevens = arith.constant dense<7> : vector<8xi32>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %zero = arith.cmpi eq, %tid, %c0 : index
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %stores {
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
    }
    %any = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.aligned.all"(%i0, %stores)
        : (i32, i1) -> i1
    scf.if %stores {
    } else {
      tmem.fence after
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }
}
