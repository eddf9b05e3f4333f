// mbarriers of nvgpu, in a group of two: columns are handed over by the second one.
// Each kernel is wrong, is found, and faults on the emulator; each has a twin that is
// right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --convert-nvgpu-to-nvvm -o %t.mlir
// RUN: tmem-run %t.mlir --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %t.mlir --entry=run_H11_other_mbarrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %exits_1 tmem-run %t.mlir --entry=run_H10_nvgpu_without_before --race --seeds=3 2>&1 | FileCheck %s --check-prefix=RACE

// RACE: error: race: this load of warp

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H11_other_mbarrier(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %ticks = arith.constant 1000 : index
      %even = arith.constant false
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %zero = arith.cmpi eq, %tid, %c0 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      %bars = nvgpu.mbarrier.create -> !bars
      scf.if %zero {
        nvgpu.mbarrier.init %bars[%c0], %c128 : !bars
        nvgpu.mbarrier.init %bars[%c1], %c128 : !bars
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %stores {
        %early = nvgpu.mbarrier.arrive %bars[%c0] : !bars -> !nvgpu.mbarrier.token
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %late = nvgpu.mbarrier.arrive %bars[%c1] : !bars -> !nvgpu.mbarrier.token
      } else {
        nvgpu.mbarrier.try_wait.parity %bars[%c0], %even, %ticks : !bars
        tmem.fence after
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
        // CHECK: note: rule H11:
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H11_nvgpu(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %ticks = arith.constant 1000 : index
      %even = arith.constant false
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %zero = arith.cmpi eq, %tid, %c0 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      %bars = nvgpu.mbarrier.create -> !bars
      nvgpu.mbarrier.init %bars[%c0], %c128, predicate = %zero : !bars
      nvgpu.mbarrier.init %bars[%c1], %c128, predicate = %zero : !bars
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %stores {
        %number = nvgpu.mbarrier.get %bars[%c0] : !bars -> i64
        %pointer = llvm.inttoptr %number : i64 to !llvm.ptr<3>
        %early = nvvm.mbarrier.arrive %pointer : !llvm.ptr<3> -> i64
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %late = nvgpu.mbarrier.arrive %bars[%c1] : !bars -> !nvgpu.mbarrier.token
      } else {
        nvgpu.mbarrier.try_wait.parity %bars[%c1], %even, %ticks : !bars
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H10_nvgpu_without_before(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %ticks = arith.constant 1000 : index
      %even = arith.constant false
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %zero = arith.cmpi eq, %tid, %c0 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      %bars = nvgpu.mbarrier.create -> !bars
      scf.if %zero {
        nvgpu.mbarrier.init %bars[%c0], %c128 : !bars
        nvgpu.mbarrier.init %bars[%c1], %c128 : !bars
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %stores {
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
        %late = nvgpu.mbarrier.arrive %bars[%c1] : !bars -> !nvgpu.mbarrier.token
      } else {
        nvgpu.mbarrier.try_wait.parity %bars[%c1], %even, %ticks : !bars
        tmem.fence after
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence before the barrier behind the store of another warp
        // CHECK: note: rule H10:
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_H11_other_mbarrier() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H11_other_mbarrier blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H10_nvgpu_without_before() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H10_nvgpu_without_before blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_H11_nvgpu blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
