// tcgen05 instructions and barriers take the whole warp: .sync.aligned.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=even_lanes 2>&1 | FileCheck %s --check-prefix=EVEN
// RUN: %exits_1 tmem-run %s --entry=exited 2>&1 | FileCheck %s --check-prefix=EXITED
// RUN: %exits_1 tmem-run %s --entry=two_places 2>&1 | FileCheck %s --check-prefix=SITES
// RUN: %exits_1 tmem-run %s --entry=some_lanes_wait 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: %exits_1 tmem-run %s --entry=half_a_warp_allocates 2>&1 | FileCheck %s --check-prefix=ALLOC
// RUN: %exits_1 tmem-run %s --entry=divergent_barrier 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: %exits_1 tmem-run %s --entry=uneven_loop 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: %exits_1 tmem-run %s --entry=partial_warp 2>&1 | FileCheck %s --check-prefix=PARTIAL
// RUN: %exits_1 tmem-run %s --entry=shuffle_mask 2>&1 | FileCheck %s --check-prefix=MASK

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<32x8xi32>

module attributes {gpu.container_module} {
  // Every CTA is one warp.
  gpu.module @kernels {
    memref.global "private" @slot : !slot

    func.func @begin() -> !llvm.ptr<6> {
      %c0 = arith.constant 0 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %slot = memref.get_global @slot : !slot
      tmem.alloc %slot, 32 : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      return %p : !llvm.ptr<6>
    }

    func.func @end(%p: !llvm.ptr<6>) {
      %base = llvm.ptrtoint %p : !llvm.ptr<6> to i32
      nvvm.tcgen05.wait <load>
      gpu.barrier
      tmem.dealloc %base, 32
      return
    }

    // Lanes with a bit of %mask do not load.
    gpu.func @load_under_mask(%mask: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %bits = arith.andi %tid, %mask : index
      %loads = arith.cmpi eq, %bits, %c0 : index
      scf.if %loads {
        // EVEN-DAG: {{divergent warp|missing lanes}}
        // EVEN-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: {{error|note}}
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      }
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    gpu.func @exit_before(%lanes: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %goes = arith.cmpi uge, %tid, %lanes : index
      cf.cond_br %goes, ^exit, ^stay
    ^exit:
      gpu.return
    ^stay:
      // EXITED: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}exited
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    // The same instruction twice is not one instruction.
    gpu.func @two_sites(%lanes: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %first = arith.cmpi ult, %tid, %lanes : index
      scf.if %first {
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      } else {
        // SITES-DAG: divergent warp
        // SITES-DAG: faults-warps.mlir:[[@LINE-5]]:{{[0-9]+}}: nvvm.tcgen05.ld: {{error|note}}
        // SITES-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: {{error|note}}
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<2xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<2xi32>
      }
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    gpu.func @wait_in_branch(%lanes: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
      %uses = arith.cmpi ult, %tid, %lanes : index
      scf.if %uses {
        // WAIT-DAG: {{divergent warp|missing lanes}}
        // WAIT-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.wait: {{error|note}}
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      }
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    gpu.func @alloc_by(%lanes: index) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %allocates = arith.cmpi ult, %tid, %lanes : index
      scf.if %allocates {
        // ALLOC-DAG: {{divergent warp|missing lanes}}
        // ALLOC-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: {{error|note}}
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      gpu.barrier
      tmem.dealloc %base, 32
      gpu.return
    }

    // nvvm.barrier0 is aligned: a warp is either here or there.
    gpu.func @barriers(%lanes: index) kernel {
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %lanes : index
      scf.if %first {
        // BARRIER-DAG: divergent warp
        // BARRIER-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.barrier0: {{error|note}}
        nvvm.barrier0
        // Keeps MLIR from making one block of both.
        llvm.inline_asm has_side_effects "", "~{memory}" : () -> ()
      } else {
        // BARRIER-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.barrier0: {{error|note}}
        nvvm.barrier0
      }
      gpu.return
    }

    // A loop around a load with a trip count that is not the same in all lanes.
    gpu.func @loop(%mask: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %tid = gpu.thread_id x
      %bits = arith.andi %tid, %mask : index
      %n = arith.addi %bits, %c2 : index
      %p = func.call @begin() : () -> !llvm.ptr<6>
      scf.for %i = %c0 to %n step %c1 {
        // LOOP-DAG: {{divergent warp|missing lanes}}
        // LOOP-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: {{error|note}}
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      }
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    // 48 threads: the second warp has 16 lanes, and must leave Tensor Memory alone.
    gpu.func @partial(%warps: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %values = arith.constant dense<7> : vector<8xi32>
      %slot = memref.get_global @slot : !slot
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %thread = arith.index_cast %tid : index to i32
      %lane = arith.andi %thread, %c96 : i32
      %slab = arith.shli %lane, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %stores = arith.cmpi ult, %warp, %warps : index
      scf.if %stores {
        // PARTIAL: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: missing lanes: {{.*}}multiple of 32 threads
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    // The mask names all lanes, but only some come; the others wait elsewhere.
    gpu.func @shuffle(%lanes: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : i32
      %all = arith.constant -1 : i32
      %clamp = arith.constant 31 : i32
      %tid = gpu.thread_id x
      %lane = arith.index_cast %tid : index to i32
      %comes = arith.cmpi ult, %tid, %lanes : index
      scf.if %comes {
        // MASK-DAG: missing lanes
        // MASK-DAG: faults-warps.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.shfl.sync: {{error|note}}
        %v = nvvm.shfl.sync bfly %all, %lane, %c1, %clamp : i32 -> i32
        memref.store %v, %out[%tid, %c0] : !out
      }
      gpu.barrier
      gpu.return
    }
  }

  func.func @load_under_mask_of(%mask: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@load_under_mask blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%mask : index, %out : !out)
    return
  }
  func.func @exit_before_of(%lanes: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@exit_before blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%lanes : index, %out : !out)
    return
  }
  func.func @two_sites_of(%lanes: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@two_sites blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%lanes : index, %out : !out)
    return
  }
  func.func @wait_in_branch_of(%lanes: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@wait_in_branch blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%lanes : index, %out : !out)
    return
  }
  func.func @alloc_by_of(%lanes: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@alloc_by blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%lanes : index)
    return
  }
  func.func @barriers_of(%lanes: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@barriers blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%lanes : index)
    return
  }
  func.func @loop_of(%mask: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@loop blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%mask : index, %out : !out)
    return
  }
  func.func @partial_of(%warps: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 48 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@partial blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%warps : index, %out : !out)
    return
  }
  func.func @shuffle_of(%lanes: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@shuffle blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%lanes : index, %out : !out)
    return
  }
  func.func @even_lanes() {
    %i1 = arith.constant 1 : index
    call @load_under_mask_of(%i1) : (index) -> ()
    return
  }
  func.func @exited() {
    %i16 = arith.constant 16 : index
    call @exit_before_of(%i16) : (index) -> ()
    return
  }
  func.func @two_places() {
    %i16 = arith.constant 16 : index
    call @two_sites_of(%i16) : (index) -> ()
    return
  }
  func.func @some_lanes_wait() {
    %i16 = arith.constant 16 : index
    call @wait_in_branch_of(%i16) : (index) -> ()
    return
  }
  func.func @half_a_warp_allocates() {
    %i16 = arith.constant 16 : index
    call @alloc_by_of(%i16) : (index) -> ()
    return
  }
  func.func @divergent_barrier() {
    %i16 = arith.constant 16 : index
    call @barriers_of(%i16) : (index) -> ()
    return
  }
  func.func @uneven_loop() {
    %i1 = arith.constant 1 : index
    call @loop_of(%i1) : (index) -> ()
    return
  }
  func.func @partial_warp() {
    %i2 = arith.constant 2 : index
    call @partial_of(%i2) : (index) -> ()
    return
  }
  func.func @shuffle_mask() {
    %i16 = arith.constant 16 : index
    call @shuffle_of(%i16) : (index) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %i0 = arith.constant 0 : index
    %i32 = arith.constant 32 : index
    call @load_under_mask_of(%i0) : (index) -> ()
    call @exit_before_of(%i32) : (index) -> ()
    call @two_sites_of(%i32) : (index) -> ()
    call @two_sites_of(%i0) : (index) -> ()
    call @wait_in_branch_of(%i32) : (index) -> ()
    call @alloc_by_of(%i32) : (index) -> ()
    call @barriers_of(%i32) : (index) -> ()
    call @barriers_of(%i0) : (index) -> ()
    call @loop_of(%i0) : (index) -> ()
    call @shuffle_of(%i32) : (index) -> ()
    %i1 = arith.constant 1 : index
    call @partial_of(%i1) : (index) -> ()
    vector.print str "no fault\n"
    return
  }
}
