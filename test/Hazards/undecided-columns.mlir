// Columns that are computed, in kernels that cannot be run: those of a loop with
// constant bounds are known to be inside, or it is not decided. Columns that an
// argument names, those that may be others in each lane, and addresses that nothing
// writes are not decided, either.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @loop_past_the_end_cluster(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %n16 = arith.constant 16 : i32
      %n32 = arith.constant 32 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %off = arith.muli %turn, %n32 : i32
        %address = arith.addi %base, %slab : i32
        %there = arith.addi %address, %off : i32
        %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
        scf.if %a {
          // expected-warning @+1 {{undecided: whether the columns that it names, which are computed, lie in the allocation}}
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
        }
      }
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_loop_cluster(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %off = arith.muli %turn, %n16 : i32
        %address = arith.addi %base, %slab : i32
        %there = arith.addi %address, %off : i32
        %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
        scf.if %a {
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
        }
      }
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @loop_past_the_end_atomic(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %n1 = arith.constant 1 : i32
      %n16 = arith.constant 16 : i32
      %n32 = arith.constant 32 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %off = arith.muli %turn, %n32 : i32
        %address = arith.addi %base, %slab : i32
        %there = arith.addi %address, %off : i32
        %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
        scf.if %a {
          // expected-warning @+1 {{undecided: whether the columns that it names, which are computed, lie in the allocation}}
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
        }
      }
      %word = memref.atomic_rmw addi %n1, %out[%c0, %c0] : (i32, !out) -> i32
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_loop_atomic(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %n1 = arith.constant 1 : i32
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %off = arith.muli %turn, %n16 : i32
        %address = arith.addi %base, %slab : i32
        %there = arith.addi %address, %off : i32
        %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
        scf.if %a {
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
        }
      }
      %word = memref.atomic_rmw addi %n1, %out[%c0, %c0] : (i32, !out) -> i32
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @loop_past_the_end_fence(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %n16 = arith.constant 16 : i32
      %n32 = arith.constant 32 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %off = arith.muli %turn, %n32 : i32
        %address = arith.addi %base, %slab : i32
        %there = arith.addi %address, %off : i32
        %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
        scf.if %a {
          // expected-warning @+1 {{undecided: whether the columns that it names, which are computed, lie in the allocation}}
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
        }
      }
      nvvm.memory.barrier <gpu>
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_loop_fence(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %off = arith.muli %turn, %n16 : i32
        %address = arith.addi %base, %slab : i32
        %there = arith.addi %address, %off : i32
        %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
        scf.if %a {
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
        }
      }
      nvvm.memory.barrier <gpu>
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }
}
