// mbarriers that constants tell apart which inline PTX adds to their address.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H21_other_mbarrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @bars() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2 x i64>

  // E0: error: {{.*}}{{deadlock|does not complete}}
  gpu.func @H21_other_mbarrier() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared.b64 [$0], $1;", "r,r" %bars, %n32 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.init.shared.b64 [$0 + 8], $1;", "r,r" %bars, %n32 : (!llvm.ptr<3>, i32) -> ()
    }
    nvvm.barrier0
    llvm.inline_asm has_side_effects "mbarrier.arrive.shared.b64 _, [$0 + 8];", "r" %bars : (!llvm.ptr<3>) -> ()
    // expected-error @+3 {{but got one that no arrival ends: warp 0 waits for parity 0 (phase 0, counted from 0) of the mbarrier at byte 0 of its variable}}
    // expected-note @+2 {{rule H21:}}
    // expected-note @+1 {{to fix it, check the parity, the count of the mbarrier, and that every warp arrives}}
    llvm.inline_asm has_side_effects "L: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; @!p bra L;", "r,r" %bars, %zero : (!llvm.ptr<3>, i32) -> ()
    gpu.return
  }

  gpu.func @right_other_mbarrier() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      llvm.inline_asm has_side_effects "mbarrier.init.shared.b64 [$0], $1;", "r,r" %bars, %n32 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.init.shared.b64 [$0 + 8], $1;", "r,r" %bars, %n32 : (!llvm.ptr<3>, i32) -> ()
    }
    nvvm.barrier0
    llvm.inline_asm has_side_effects "mbarrier.arrive.shared.b64 _, [$0 + 8];", "r" %bars : (!llvm.ptr<3>) -> ()
    llvm.inline_asm has_side_effects "L: mbarrier.try_wait.parity.shared.b64 p, [$0 + 8], $1; @!p bra L;", "r,r" %bars, %zero : (!llvm.ptr<3>, i32) -> ()
    gpu.return
  }
}

func.func @run_H21_other_mbarrier() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 32 : index
  gpu.launch_func @kernels::@H21_other_mbarrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 32 : index
  gpu.launch_func @kernels::@right_other_mbarrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
