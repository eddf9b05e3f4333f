// Faults that only some orders of the warps would turn into wrong results, and that
// are found under every one, without race mode.

// RUN: tmem-run %s --entry=right --seeds=20 | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=20 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=no_wait_before_arrive --seeds=20 2>&1 | FileCheck %s --check-prefixes=ARRIVE,EVERY
// RUN: %exits_1 tmem-run %s --entry=no_wait_half_the_lanes --seeds=20 2>&1 | FileCheck %s --check-prefixes=HALF,EVERY
// RUN: %exits_1 tmem-run %s --entry=store_not_complete --seeds=20 2>&1 | FileCheck %s --check-prefixes=STORE,EVERY
// RUN: %exits_1 tmem-run %s --entry=last_warp_frees_early --seeds=20 2>&1 | FileCheck %s --check-prefixes=LAST,EVERY
// RUN: %exits_1 tmem-run %s --entry=first_warp_frees_early --seeds=20 2>&1 | FileCheck %s --check-prefixes=FIRST,EVERY
// RUN: %exits_1 tmem-run %s --entry=freed_before_the_last_arrival --seeds=20 2>&1 | FileCheck %s --check-prefixes=COUNT,EVERY

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<1xi64, #gpu.address_space<workgroup>>
!out = memref<160x8xi32>

module attributes {gpu.container_module} {
  // CTAs of five warps: four that access Tensor Memory, and one.
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    memref.global "private" @object : !object

    func.func @warp() -> index {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      return %warp : index
    }

    func.func @barrier_object() -> !llvm.ptr<3> {
      %object = memref.get_global @object : !object
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %i : index to i64
      %b = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      return %b : !llvm.ptr<3>
    }

    func.func @sync() {
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      return
    }

    func.func @pointer(%base: i32) -> !llvm.ptr<6> {
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      %lane = arith.andi %thread, %c96 : i32
      %slab = arith.shli %lane, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      return %p : !llvm.ptr<6>
    }

    // Warp %owner allocates, warps 0 to 3 store, and %count have to arrive.
    func.func @begin(%owner: index, %count: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %values = arith.constant dense<7> : vector<8xi32>
      %slot = memref.get_global @slot : !slot
      %warp = func.call @warp() : () -> index
      %owns = arith.cmpi eq, %warp, %owner : index
      scf.if %owns {
        tmem.alloc %slot, 32 : !slot
      }
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        %b = func.call @barrier_object() : () -> !llvm.ptr<3>
        nvvm.mbarrier.init %b, %count : !llvm.ptr<3>, i32
      }
      func.call @sync() : () -> ()
      %base = memref.load %slot[%c0] : !slot
      %stores = arith.cmpi ult, %warp, %c4 : index
      scf.if %stores {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      func.call @sync() : () -> ()
      return %base : i32
    }

    // The last warp frees once the others have arrived.
    func.func @free_after_arrivals(%base: i32) {
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %b = func.call @barrier_object() : () -> !llvm.ptr<3>
      nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      tmem.dealloc %base, 32
      return
    }

    // NVIDIA/cutlass 3652: nothing waits for the loads before the arrival.
    gpu.func @arrive(%waits: i1) kernel {
      %c4 = arith.constant 4 : index
      %c128 = arith.constant 128 : i32
      %base = func.call @begin(%c4, %c128) : (index, i32) -> i32
      %warp = func.call @warp() : () -> index
      %loads = arith.cmpi ult, %warp, %c4 : index
      scf.if %loads {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        %b = func.call @barrier_object() : () -> !llvm.ptr<3>
        // ARRIVE: tcgen05.dealloc{{.*}}: error:
        // ARRIVE: faults-every-seed.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: note:
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        nvvm.tcgen05.fence <before>
        %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      } else {
        func.call @free_after_arrivals(%base) : (i32) -> ()
      }
      gpu.return
    }

    // Only half of the lanes use their registers. The others do not even depend on
    // the load.
    gpu.func @half(%waits: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c128 = arith.constant 128 : i32
      %tid = gpu.thread_id x
      %base = func.call @begin(%c4, %c128) : (index, i32) -> i32
      %warp = func.call @warp() : () -> index
      %loads = arith.cmpi ult, %warp, %c4 : index
      scf.if %loads {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        %b = func.call @barrier_object() : () -> !llvm.ptr<3>
        // HALF: faults-every-seed.mlir:[[@LINE+9]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
        // HALF: faults-every-seed.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: note:
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        %bit = arith.andi %tid, %c16 : index
        %uses = arith.cmpi eq, %bit, %c0 : index
        scf.if %uses {
          vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        }
        nvvm.tcgen05.fence <before>
        %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      } else {
        func.call @free_after_arrivals(%base) : (i32) -> ()
      }
      gpu.return
    }

    gpu.func @store(%waits: i1) kernel {
      %c4 = arith.constant 4 : index
      %c128 = arith.constant 128 : i32
      %values = arith.constant dense<8> : vector<8xi32>
      %base = func.call @begin(%c4, %c128) : (index, i32) -> i32
      %warp = func.call @warp() : () -> index
      %stores = arith.cmpi ult, %warp, %c4 : index
      scf.if %stores {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        %b = func.call @barrier_object() : () -> !llvm.ptr<3>
        // STORE: tcgen05.dealloc{{.*}}: error:
        // STORE: faults-every-seed.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: note:
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        scf.if %waits {
          nvvm.tcgen05.wait <store>
        }
        nvvm.tcgen05.fence <before>
        %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      } else {
        func.call @free_after_arrivals(%base) : (i32) -> ()
      }
      gpu.return
    }

    // Warp %owner, one of those that load, frees: with a barrier, or as soon as it
    // is done itself.
    gpu.func @owner_frees(%owner: index, %barrier: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : i32
      %tid = gpu.thread_id x
      %base = func.call @begin(%owner, %c1) : (index, i32) -> i32
      %warp = func.call @warp() : () -> index
      %loads = arith.cmpi ult, %warp, %c4 : index
      scf.if %loads {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      scf.if %barrier {
        func.call @sync() : () -> ()
      }
      %owns = arith.cmpi eq, %warp, %owner : index
      scf.if %owns {
        // LAST: faults-every-seed.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}tcgen05.{{ld|dealloc.*}}: error:
        // FIRST: faults-every-seed.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}tcgen05.{{ld|dealloc.*}}: error:
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    // A barrier for %count arrivals, of which 128 come, 32 for each warp.
    gpu.func @count(%count: i32, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %base = func.call @begin(%c4, %count) : (index, i32) -> i32
      %warp = func.call @warp() : () -> index
      %loads = arith.cmpi ult, %warp, %c4 : index
      scf.if %loads {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        %b = func.call @barrier_object() : () -> !llvm.ptr<3>
        // COUNT: error:
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        nvvm.tcgen05.fence <before>
        %all = arith.constant -1 : i32
        nvvm.bar.warp.sync %all : i32
        %leads = nvvm.elect.sync -> i1
        scf.if %leads {
          %n32 = arith.constant 32 : i32
          %state = nvvm.mbarrier.arrive %b, %n32 : !llvm.ptr<3> -> i64
        }
      } else {
        func.call @free_after_arrivals(%base) : (i32) -> ()
      }
      gpu.return
    }
  }

  func.func @arrive_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    gpu.launch_func @kernels::@arrive blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1)
    return
  }
  func.func @half_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1, %out : !out)
    return
  }
  func.func @store_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    gpu.launch_func @kernels::@store blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1)
    return
  }
  func.func @owner_frees_of(%owner: index, %barrier: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@owner_frees blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%owner : index, %barrier : i1, %out : !out)
    return
  }
  func.func @count_of(%count: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@count blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%count : i32, %out : !out)
    return
  }
  func.func @no_wait_before_arrive() {
    %false = arith.constant false
    call @arrive_of(%false) : (i1) -> ()
    return
  }
  func.func @no_wait_half_the_lanes() {
    %false = arith.constant false
    call @half_of(%false) : (i1) -> ()
    return
  }
  func.func @store_not_complete() {
    %false = arith.constant false
    call @store_of(%false) : (i1) -> ()
    return
  }
  func.func @last_warp_frees_early() {
    %i3 = arith.constant 3 : index
    %false = arith.constant false
    call @owner_frees_of(%i3, %false) : (index, i1) -> ()
    return
  }
  func.func @first_warp_frees_early() {
    %i0 = arith.constant 0 : index
    %false = arith.constant false
    call @owner_frees_of(%i0, %false) : (index, i1) -> ()
    return
  }
  func.func @freed_before_the_last_arrival() {
    %c96 = arith.constant 96 : i32
    call @count_of(%c96) : (i32) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %true = arith.constant true
    %i3 = arith.constant 3 : index
    %i0 = arith.constant 0 : index
    %c128 = arith.constant 128 : i32
    call @arrive_of(%true) : (i1) -> ()
    call @half_of(%true) : (i1) -> ()
    call @store_of(%true) : (i1) -> ()
    call @owner_frees_of(%i3, %true) : (index, i1) -> ()
    call @owner_frees_of(%i0, %true) : (index, i1) -> ()
    call @count_of(%c128) : (i32) -> ()
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 20 seeds: 0 clean, 20 with a fault
