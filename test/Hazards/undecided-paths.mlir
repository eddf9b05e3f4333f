// What is undecided about paths, with the reason.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @indirect_branch(%labels: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %warp = arith.divui %tid, %n32 : i32
    %at = llvm.getelementptr %labels[%warp] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
    %label = llvm.load %at : !llvm.ptr -> !llvm.ptr
    // expected-warning @+1 {{undecided: the branch depends on the thread in a way that is not followed}}
    llvm.indirectbr %label : !llvm.ptr, [^end, ^one]
  ^one:
    cf.br ^end
  ^end:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
