// What is wrong only where several conditions on arguments go a certain way: none of
// these kernels is accepted, and they fault on the emulator for such arguments. Twins
// that have a barrier there are right.

// RUN: %exits_1 tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_wrong_two_conditions --race --seeds=3 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %exits_1 tmem-run %s --entry=run_H10_four_flags --race --seeds=3 2>&1 | FileCheck %s --check-prefix=RACE

// RACE: error: race:

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<1xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_two_conditions(%out: !out, %n: index, %m: index, %f0: i1, %f1: i1, %f2: i1, %f3: i1)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %where = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %where : index to i64
      %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      %some = arith.cmpi ne, %n, %c0 : index
      %one = arith.cmpi eq, %m, %c1 : index
      %both = arith.andi %some, %one : i1
      scf.if %some {
        tmem.fence before
        gpu.barrier
        tmem.fence after
      }
      scf.if %both {
        scf.if %a {
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @wrong_two_conditions(%out: !out, %n: index, %m: index, %f0: i1, %f1: i1, %f2: i1, %f3: i1)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %where = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %where : index to i64
      %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      %some = arith.cmpi ne, %n, %c0 : index
      %one = arith.cmpi eq, %m, %c1 : index
      scf.if %some {
        tmem.fence before
        gpu.barrier
        tmem.fence after
      }
      scf.if %one {
        scf.if %a {
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}undecided: it is wrong for some inputs of the kernel, and runs for others have met no fault: expected a barrier between this and the load of another warp
          // CHECK: :[[@LINE-13]]:{{[0-9]+}}: error: {{.*}}undecided: phases of mbarriers: it is wrong where argument #1 is 0, argument #2 is 1: expected a barrier
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_four_flags(%out: !out, %n: index, %m: index, %f0: i1, %f1: i1, %f2: i1, %f3: i1)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %where = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %where : index to i64
      %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      scf.if %f0 {
        gpu.barrier
      }
      scf.if %f1 {
        gpu.barrier
      }
      scf.if %f2 {
        gpu.barrier
      }
      %both = arith.andi %f0, %f3 : i1
      scf.if %f3 {
        tmem.fence before
        gpu.barrier
        tmem.fence after
      }
      scf.if %both {
        scf.if %a {
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H10_four_flags(%out: !out, %n: index, %m: index, %f0: i1, %f1: i1, %f2: i1, %f3: i1)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %where = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %where : index to i64
      %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      scf.if %f0 {
        gpu.barrier
      }
      scf.if %f1 {
        gpu.barrier
      }
      scf.if %f2 {
        gpu.barrier
      }
      scf.if %f3 {
        tmem.fence before
        gpu.barrier
        tmem.fence after
      }
      scf.if %f0 {
        scf.if %a {
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence before the barrier behind the load of another warp
          // CHECK: note: rule H10:
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_wrong_two_conditions() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %yes = arith.constant true
    %no = arith.constant false
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n = arith.constant 0 : index
    %m = arith.constant 1 : index
    gpu.launch_func @kernels::@wrong_two_conditions blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index, %yes : i1, %yes : i1, %yes : i1, %yes : i1)
    return
  }

  func.func @run_H10_four_flags() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %yes = arith.constant true
    %no = arith.constant false
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n = arith.constant 4 : index
    %m = arith.constant 4 : index
    gpu.launch_func @kernels::@H10_four_flags blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index, %yes : i1, %yes : i1, %yes : i1, %no : i1)
    return
  }

  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %yes = arith.constant true
    %no = arith.constant false
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n = arith.constant 0 : index
    %m = arith.constant 1 : index
    gpu.launch_func @kernels::@right_two_conditions blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index, %yes : i1, %yes : i1, %yes : i1, %no : i1)
    gpu.launch_func @kernels::@right_four_flags blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index, %yes : i1, %yes : i1, %yes : i1, %no : i1)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
