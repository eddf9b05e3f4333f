// Use of what another warp has allocated, by an address that comes through global
// memory: by atomics, which order the two warps, or by plain accesses, which do not.

// RUN: tmem-run %s --entry=right --seeds=10 | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=10 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=dealloc --seeds=10 2>&1 | FileCheck %s --check-prefixes=DEALLOC,EVERY
// RUN: %exits_1 tmem-run %s --entry=store --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=STORE,EVERY

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!flag = memref<1xi32>

module attributes {gpu.container_module} {
  // CTAs of five warps: the last one allocates, the first one uses.
  gpu.module @kernels {
    memref.global "private" @slot : !slot

    func.func @volatile(%flag: !flag) -> !llvm.ptr {
      %i = memref.extract_aligned_pointer_as_index %flag : !flag -> index
      %number = arith.index_cast %i : index to i64
      %p = llvm.inttoptr %number : i64 to !llvm.ptr
      return %p : !llvm.ptr
    }

    // The address, plus one.
    func.func @allocate(%ordered: i1, %flag: !flag) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %all = arith.constant -1 : i32
      %slot = memref.get_global @slot : !slot
      %p = func.call @volatile(%flag) : (!flag) -> !llvm.ptr
      // DEALLOC: tcgen05.dealloc{{.*}}: error: dealloc is not ordered after the alloc by warp 4
      // DEALLOC: faults-order.mlir:[[@LINE+3]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: note:
      // STORE: nvvm.tcgen05.st: error: race: warp 0 accesses columns that warp 4 allocated
      // STORE: faults-order.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: note:
      tmem.alloc %slot, 32 : !slot
      nvvm.bar.warp.sync %all : i32
      %base = memref.load %slot[%c0] : !slot
      %next = arith.addi %base, %one : i32
      scf.if %ordered {
        %old = memref.atomic_rmw assign %next, %flag[%c0] : (i32, !flag) -> i32
      } else {
        llvm.store volatile %next, %p : i32, !llvm.ptr
      }
      return
    }

    func.func @await_address(%ordered: i1, %flag: !flag) -> i32 {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %p = func.call @volatile(%flag) : (!flag) -> !llvm.ptr
      %next = scf.while : () -> i32 {
        %value = scf.if %ordered -> i32 {
          %old = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, !flag) -> i32
          scf.yield %old : i32
        } else {
          %old = llvm.load volatile %p : !llvm.ptr -> i32
          scf.yield %old : i32
        }
        %again = arith.cmpi eq, %value, %zero : i32
        scf.condition(%again) %value : i32
      } do {
      ^bb0(%value: i32):
        scf.yield
      }
      %address = arith.subi %next, %one : i32
      return %address : i32
    }

    gpu.func @use(%ordered: i1, %stores: i1, %flag: !flag) kernel {
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %seven = arith.constant 7 : i32
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %owns = arith.cmpi eq, %warp, %c4 : index
      scf.if %owns {
        func.call @allocate(%ordered, %flag) : (i1, !flag) -> ()
      }
      %uses = arith.cmpi ult, %tid, %c32 : index
      scf.if %uses {
        %address = func.call @await_address(%ordered, %flag) : (i1, !flag) -> i32
        scf.if %stores {
          %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
          nvvm.tcgen05.st %p, %seven {shape = #s32x32b} : i32
          nvvm.tcgen05.wait <store>
        }
        tmem.dealloc %address, 32
      }
      gpu.return
    }
  }

  func.func @launch(%ordered: i1, %stores: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c160 = arith.constant 160 : index
    %zero = arith.constant 0 : i32
    %flag = memref.alloc() : !flag
    memref.store %zero, %flag[%c0] : !flag
    %unranked = memref.cast %flag : !flag to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@use blocks in (%c1, %c1, %c1)
        threads in (%c160, %c1, %c1)
        args(%ordered : i1, %stores : i1, %flag : !flag)
    return
  }

  func.func @dealloc() {
    %false = arith.constant false
    call @launch(%false, %false) : (i1, i1) -> ()
    return
  }
  func.func @store() {
    %false = arith.constant false
    %true = arith.constant true
    call @launch(%false, %true) : (i1, i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %false = arith.constant false
    %true = arith.constant true
    call @launch(%true, %false) : (i1, i1) -> ()
    call @launch(%true, %true) : (i1, i1) -> ()
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 10 seeds: 0 clean, 10 with a fault
