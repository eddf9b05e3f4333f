// RUN: tmem-opt %s --emulate-tcgen05 --split-input-file --verify-diagnostics
// RUN: tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{mode=both})' --split-input-file --verify-diagnostics

// Operations.

gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<6>, %s: i64, %g: !llvm.ptr<1>, %sh: !llvm.ptr<3>) attributes {gpu.kernel} {
    // expected-error @below {{'nvvm.cp.async.shared.global' op is not emulated}}
    nvvm.cp.async.shared.global %sh, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    // expected-error @below {{'nvvm.wgmma.fence.aligned' op is not emulated}}
    nvvm.wgmma.fence.aligned
    llvm.return
  }
}

// -----

// Intrinsics. What LLVM has for every target stays.

gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<6>, %x: f32) attributes {gpu.kernel} {
    // expected-error @below {{'llvm.call_intrinsic' op is not emulated: llvm.nvvm.add.rz.f}}
    %b = llvm.call_intrinsic "llvm.nvvm.add.rz.f"(%x, %x) : (f32, f32) -> f32
    // expected-error @below {{'llvm.call_intrinsic' op is not emulated: llvm.nvvm.tcgen05.ld.32x64b.x2}}
    %d = llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x64b.x2"(%a, %x) : (!llvm.ptr<6>, f32) -> vector<2xi32>
    // expected-error @below {{'llvm.call_intrinsic' op is not emulated: llvm.nvvm.activemask}}
    %e = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
    %f = llvm.call_intrinsic "llvm.fabs.f32"(%x) : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @unknown(i32)
  llvm.func @vprintf(i32)
  llvm.func @kernel() attributes {gpu.kernel} {
    llvm.return
  }
  llvm.func @k(%x: i32) attributes {gpu.kernel} {
    // expected-error @below {{'llvm.call' op is not emulated: a call of @unknown, which has no definition}}
    llvm.call @unknown(%x) : (i32) -> ()
    // expected-error @below {{'llvm.call' op is not emulated: a call of @vprintf, which has no definition}}
    llvm.call @vprintf(%x) : (i32) -> ()
    // expected-error @below {{'llvm.call' op expected no call of a kernel, but got @kernel}}
    llvm.call @kernel() : () -> ()
    llvm.return
  }
}

// -----

// A TMEM address is no pointer to memory.

gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<6>, %x: i32) attributes {gpu.kernel} {
    // expected-error @below {{'llvm.load' op is not emulated: a TMEM address as a pointer}}
    %v = llvm.load %a : !llvm.ptr<6> -> i32
    // expected-error @below {{'llvm.getelementptr' op is not emulated: a TMEM address as a pointer}}
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<6>, i32) -> !llvm.ptr<6>, i32
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<6>) attributes {gpu.kernel} {
    // expected-error @below {{'llvm.addrspacecast' op is not emulated: a TMEM address as another pointer}}
    %p = llvm.addrspacecast %a : !llvm.ptr<6> to !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'llvm.mlir.global' op is not emulated: an initial value in shared memory}}
  llvm.mlir.global internal @a(0 : i32) {addr_space = 3 : i32} : i32
}

// -----

gpu.module @kernels {
  // expected-error @below {{'llvm.func' op is not emulated: nvvm.blocksareclusters}}
  llvm.func @k() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 2>, nvvm.blocksareclusters} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'llvm.mlir.global' op is not emulated: a variable of another module}}
  llvm.mlir.global external @a() {addr_space = 1 : i32} : i32
  // expected-error @below {{'llvm.func' op is not emulated: a variadic function}}
  llvm.func @f(...) {
    llvm.return
  }
}

// -----

// Lowering comes first.

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op expected LLVM and NVVM operations only: run convert-gpu-to-nvvm first}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @k(%x: i32) attributes {gpu.kernel} {
    // expected-error @below {{'tmem.relinquish_alloc_permit' op expected LLVM and NVVM operations only: run convert-tmem-to-nvvm first}}
    tmem.relinquish_alloc_permit
    // expected-error @below {{'arith.addi' op expected LLVM and NVVM operations only: lower 'arith' operations first}}
    %y = arith.addi %x, %x : i32
    llvm.return
  }
}

// -----

// One function on both sides, but not the same.

gpu.module @kernels {
  // expected-error @below {{'llvm.func' op expected the same function on host and device, but got another @malloc on the host}}
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @k(%x: i64) attributes {gpu.kernel} {
    %p = llvm.call @malloc(%x) : (i64) -> !llvm.ptr
    llvm.return
  }
}
// expected-note @below {{declared here}}
llvm.func @malloc(i32) -> !llvm.ptr
