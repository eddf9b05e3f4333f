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
    gpu.func @argument(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n64 = arith.constant 64 : i32
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
      %number = arith.index_cast %n : index to i32
      %off = arith.addi %number, %n64 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        // expected-warning @+1 {{undecided: whether the columns that it names, which are computed, lie in the allocation}}
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_rest(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n56 = arith.constant 56 : i32
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
      %number = arith.index_cast %n : index to i32
      %off = arith.remui %number, %n56 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
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

    gpu.func @data_by_lane(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
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
      %word = memref.load %out[%tid, %c0] : !out
      %off = arith.andi %word, %n1 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        // expected-warning @+1 {{undecided: whether all lanes of a warp have the same address}}
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @clock(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
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
      %time = nvvm.read.ptx.sreg.clock : i32
      %off = arith.andi %time, %n1 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        // expected-warning @+1 {{undecided: whether all lanes of a warp have the same address}}
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_data(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
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
      %word = memref.load %out[%c0, %c0] : !out
      %off = arith.andi %word, %n1 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @no_alloc(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        // expected-warning @+1 {{undecided: what its address is: it is read from a word of shared memory that nothing is seen to write}}
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        // expected-warning @+1 {{undecided: what its address is: it is read from a word of shared memory that nothing is seen to write}}
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @no_warp_allocates(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1000 = arith.constant 1000 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %never = arith.cmpi ugt, %tid, %c1000 : index
      scf.if %never {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        // expected-warning @+1 {{undecided: what its address is: it is read from a word of shared memory that nothing is seen to write}}
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        // expected-warning @+1 {{undecided: what its address is: it is read from a word of shared memory that nothing is seen to write}}
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    // Called with an address, or where another function has written it.
    gpu.func @right_device_function(%base: i32, %slot: !slot) attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %mem = tmem.view %base : !view
      tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      %other = memref.load %slot[%c0] : !slot
      %more = tmem.view %other : !view
      tmem.write %values, %more scope(warpgroup) : vector<8xi32>, !view
      gpu.return
    }
  }
}
