// An element of a loaded vector by a number that is not known: the vector goes to memory,
// and all of its registers are read. One by a constant names a register.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!out = memref<32xi32>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @H15_element_by_argument(%out: !out, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %values = arith.constant dense<7> : vector<8xi32>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = gpu.thread_id x
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    // expected-note @+1 {{loaded here}}
    %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %x = vector.extract %v[%n] : i32 from vector<8xi32>
    nvvm.tcgen05.wait <load>
    memref.store %x, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @H15_inserted_by_argument(%out: !out, %n: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %values = arith.constant dense<7> : vector<8xi32>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = gpu.thread_id x
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    // expected-note @+1 {{loaded here}}
    %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %w = llvm.insertelement %n32, %v[%n : i32] : vector<8xi32>
    nvvm.tcgen05.wait <load>
    %x = vector.extract %w[0] : i32 from vector<8xi32>
    memref.store %x, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_element(%out: !out, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c3 = arith.constant 3 : index
    %three = arith.constant 3 : i32
    %values = arith.constant dense<7> : vector<8xi32>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = gpu.thread_id x
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    %x = vector.extract %v[%c3] : i32 from vector<8xi32>
    %y = llvm.extractelement %v[%three : i32] : vector<8xi32>
    nvvm.tcgen05.wait <load>
    %z = vector.extract %v[%n] : i32 from vector<8xi32>
    %xy = arith.addi %x, %y : i32
    %xyz = arith.addi %xy, %z : i32
    memref.store %xyz, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}
