// Kernels that are written otherwise: in a gpu.launch, in the LLVM dialect by hand,
// and two of one name in two modules.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s -O0 --seed=2 --race | FileCheck %s

// CHECK:      gpu.launch: ( 0, 3, 6, 9, 12, 15, 18, 21 )
// CHECK-NEXT: by hand: ( 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007 )
// CHECK-NEXT: first module: ( 1, 1, 1, 1, 1, 1, 1, 1 )
// CHECK-NEXT: second module: ( 2, 2, 2, 2, 2, 2, 2, 2 )

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#regs = #tmem.layout<(32, 8) : (1@lane, 1@reg)>
!view = !tmem.view<32x8xi32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<32x8xi32>

module attributes {gpu.container_module} {
  gpu.module @one {
    gpu.func @k(%out: !out) kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant dense<1> : vector<8xi32>
      vector.store %v, %out[%c0, %c0] : !out, vector<8xi32>
      gpu.return
    }
  }
  gpu.module @two {
    gpu.func @k(%out: !out) kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant dense<2> : vector<8xi32>
      vector.store %v, %out[%c0, %c0] : !out, vector<8xi32>
      gpu.return
    }
  }

  // Lane l of one warp stores 1000 + l by way of a generic pointer to shared memory,
  // an address that went through 32 bits, and Tensor Memory.
  gpu.module @hand {
    llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32
    llvm.mlir.global internal @words() {addr_space = 3 : i32, alignment = 16 : i64}
        : !llvm.array<32 x i32>
    llvm.mlir.global internal constant @first(1000 : i32) {addr_space = 4 : i32} : i32

    llvm.func @k(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      nvvm.tcgen05.alloc %slot, %c32 : !llvm.ptr<3>, i32
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>

      %lane = nvvm.read.ptx.sreg.tid.x : i32
      %words = llvm.mlir.addressof @words : !llvm.ptr<3>
      %mine = llvm.getelementptr %words[0, %lane]
          : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x i32>
      %number = llvm.ptrtoint %mine : !llvm.ptr<3> to i32
      %again = llvm.inttoptr %number : i32 to !llvm.ptr<3>
      llvm.store %lane, %again : i32, !llvm.ptr<3>
      %generic = llvm.addrspacecast %mine : !llvm.ptr<3> to !llvm.ptr
      %value = llvm.load %generic : !llvm.ptr -> i32
      %constant = llvm.mlir.addressof @first : !llvm.ptr<4>
      %first = llvm.load %constant : !llvm.ptr<4> -> i32
      %sum = llvm.add %first, %value : i32

      nvvm.tcgen05.st %p, %sum {shape = #s32x32b} : i32
      nvvm.tcgen05.wait <store>
      %loaded = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
      nvvm.tcgen05.wait <load>
      %place = llvm.getelementptr %out[%lane] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %global = llvm.addrspacecast %place : !llvm.ptr to !llvm.ptr<1>
      llvm.store %loaded, %global : i32, !llvm.ptr<1>
      nvvm.barrier0
      nvvm.tcgen05.relinquish_alloc_permit
      nvvm.tcgen05.dealloc %p, %c32 : !llvm.ptr<6>, i32
      llvm.return
    }
  }

  func.func @print(%out: !out) {
    %c0 = arith.constant 0 : index
    %v = vector.load %out[%c0, %c0] : !out, vector<8xi32>
    vector.print %v : vector<8xi32>
    return
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : index
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>

    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1)
        workgroup(%slot : !slot) {
      %zero = arith.constant 0 : index
      tmem.alloc %slot, 32 : !slot
      gpu.barrier
      %base = memref.load %slot[%zero] : !slot
      %mem = tmem.view %base : !view
      %j = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
      %factor = vector.broadcast %c3 : i32 to vector<8xi32>
      %v = arith.muli %j, %factor : vector<8xi32>
      %t = tmem.store %v, %mem registers(#regs) atom(<32x32b, x8>) scope(warp 0)
          : vector<8xi32>, !view
      tmem.wait_store %t
      %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>) scope(warp 0)
          : !view -> !tmem.pending<vector<8xi32>>
      %w = tmem.wait_load %p : !tmem.pending<vector<8xi32>>
      vector.store %w, %out[%tx, %zero] : !out, vector<8xi32>
      gpu.barrier
      tmem.dealloc %base, 32
      gpu.terminator
    }
    vector.print str "gpu.launch: "
    call @print(%out) : (!out) -> ()

    %i = memref.extract_aligned_pointer_as_index %out : !out -> index
    %address = arith.index_cast %i : index to i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
    gpu.launch_func @hand::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%pointer : !llvm.ptr)
    vector.print str "by hand: "
    call @print(%out) : (!out) -> ()

    gpu.launch_func @one::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%out : !out)
    vector.print str "first module: "
    call @print(%out) : (!out) -> ()
    gpu.launch_func @two::@k blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%out : !out)
    vector.print str "second module: "
    call @print(%out) : (!out) -> ()
    return
  }
}
