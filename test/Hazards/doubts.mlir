// Synchronization of which it is not known what it orders: what it may make right is
// undecided, what it cannot is an error.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  func.func private @outside()

  gpu.func @barrier_between(%p: !llvm.ptr<6>, %id: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %n128 = arith.constant 128 : i32
    %n256 = arith.constant 256 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    scf.if %first {
      // expected-note @+1 {{the other access}}
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      // expected-warning @+2 {{undecided: which warps meet at the barrier}}
      // expected-note @+1 {{of this it is not known what it orders}}
      nvvm.barrier.arrive id = %id number_of_threads = %n256
    }
    scf.if %second {
      // expected-warning @+1 {{undecided: which warps meet at the barrier}}
      nvvm.barrier id = %id number_of_threads = %n256
      nvvm.tcgen05.fence <after>
      // expected-warning @+1 {{undecided: whether something orders it and an access before: what stands between them is not decided}}
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }

  gpu.func @H11_barrier_before(%p: !llvm.ptr<6>, %id: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %n128 = arith.constant 128 : i32
    %n256 = arith.constant 256 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    // expected-warning @+1 {{undecided: which warps meet at the barrier}}
    nvvm.barrier id = %id number_of_threads = %n256
    nvvm.barrier0
    scf.if %first {
      // expected-note @+1 {{accessed here by another warp}}
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
    }
    scf.if %second {
      nvvm.tcgen05.fence <after>
      // expected-error @+3 {{expected a barrier between this and the store of another warp}}
      // expected-note @+2 {{rule H11:}}
      // expected-note @+1 {{to fix it,}}
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    // expected-warning @+1 {{undecided: which warps meet at the barrier}}
    nvvm.barrier id = %id number_of_threads = %n256
    gpu.return
  }

  gpu.func @H11_arrives_before_the_store(%p: !llvm.ptr<6>, %id: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %n128 = arith.constant 128 : i32
    %n256 = arith.constant 256 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    scf.if %first {
      // expected-warning @+1 {{undecided: which warps meet at the barrier}}
      nvvm.barrier.arrive id = %id number_of_threads = %n256
      // expected-note @+1 {{accessed here by another warp}}
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
    }
    scf.if %second {
      // expected-warning @+1 {{undecided: which warps meet at the barrier}}
      nvvm.barrier id = %id number_of_threads = %n256
      nvvm.tcgen05.fence <after>
      // expected-error @+3 {{expected a barrier between this and the store of another warp}}
      // expected-note @+2 {{rule H11:}}
      // expected-note @+1 {{to fix it,}}
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }

  gpu.func @call_between(%p: !llvm.ptr<6>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %n128 = arith.constant 128 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    scf.if %first {
      // expected-note @+1 {{the other access}}
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
    }
    // expected-warning @+2 {{undecided: what it does: what it calls is not followed}}
    // expected-note @+1 {{of this it is not known what it orders}}
    func.call @outside() : () -> ()
    scf.if %second {
      // expected-warning @+1 {{undecided: whether something orders it and an access before}}
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }
}
