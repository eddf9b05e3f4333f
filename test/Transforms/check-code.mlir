// RUN: tmem-opt %s --tmem-check-code=check-host --split-input-file --verify-diagnostics

gpu.module @names {
  // expected-error @below {{'llvm.func' op expected a name of letters, digits, _ and $, not a digit first, but got "dou-ble"}}
  llvm.func @"dou-ble"() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @names {
  // expected-error @below {{but got "a\00b"}}
  llvm.func @"a\00b"() {
    llvm.return
  }
}

// -----

gpu.module @names {
  // expected-error @below {{but got "\C3\A9"}}
  llvm.mlir.global external @"\C3\A9"(0 : i32) {addr_space = 1 : i32} : i32
}

// -----

gpu.module @names {
  // expected-error @below {{but got "1st"}}
  llvm.func @"1st"() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @names {
  // expected-error @below {{but got "a.b"}}
  llvm.func @a.b() {
    llvm.return
  }
}

// -----

// Intrinsics, and what LLVM renames.
gpu.module @right_names {
  llvm.mlir.global internal @a.b(0 : i32) {addr_space = 1 : i32} : i32
  llvm.func @llvm.nvvm.barrier0()
  llvm.func @_k$1() attributes {nvvm.kernel} {
    llvm.return
  }
}
llvm.func @"any-name of the host"() {
  llvm.return
}

// -----

// expected-error @below {{but got "a\00b"}}
llvm.func @"a\00b"() {
  llvm.return
}

// -----

gpu.module @types {
  // expected-error @below {{'llvm.func' op expected floats of at most 64 bits, but got 'f128'}}
  llvm.func @k(%x: f128) {
    llvm.return
  }
}

// -----

gpu.module @types {
  llvm.func @k(%p: !llvm.ptr) {
    // expected-error @below {{'llvm.load' op expected floats of at most 64 bits, but got 'f80'}}
    %0 = llvm.load %p : !llvm.ptr -> f80
    llvm.return
  }
}

// -----

gpu.module @types {
  llvm.func @k(%p: !llvm.ptr) {
    // expected-error @below {{expected floats of at most 64 bits, but got '!llvm.ppc_fp128'}}
    %0 = llvm.load %p : !llvm.ptr -> !llvm.struct<(i32, ppc_fp128)>
    llvm.return
  }
}

// -----

gpu.module @types {
  llvm.func @k(%p: !llvm.ptr) {
    // expected-error @below {{expected integers of 1 to 128 bits, but got 'i129'}}
    %0 = llvm.load %p : !llvm.ptr -> i129
    llvm.return
  }
}

// -----

gpu.module @types {
  llvm.func @k(%p: !llvm.ptr) {
    // expected-error @below {{expected values of at most 16384 elements, but got 'vector<16385xf32>'}}
    %0 = llvm.load %p : !llvm.ptr -> vector<16385xf32>
    llvm.return
  }
}

// -----

gpu.module @types {
  llvm.func @k(%p: !llvm.ptr) {
    // expected-error @below {{expected values of at most 16384 elements}}
    %0 = llvm.load %p : !llvm.ptr -> !llvm.array<4294967296 x array<4294967296 x vector<2xf32>>>
    llvm.return
  }
}

// -----

gpu.module @right_types {
  llvm.mlir.global internal @large() {addr_space = 1 : i32} : !llvm.array<100000 x f64>
  llvm.func @k(%p: !llvm.ptr, %q: i128) {
    %0 = llvm.load %p : !llvm.ptr -> vector<16384xf32>
    %1 = llvm.load %p : !llvm.ptr -> !llvm.struct<(i1, array<4 x f64>)>
    llvm.return
  }
}
llvm.func @host(%x: f128, %y: f80, %z: i1024) {
  llvm.return
}

// -----

// expected-error @below {{expected integers of 1 to 1024 bits, but got 'i1025'}}
llvm.func @host(%x: i1025) {
  llvm.return
}
