// RUN: tmem-opt %s --tmem-check-target=chip=sm_100a -split-input-file -verify-diagnostics -o /dev/null

gpu.module @kernels {
  gpu.func @narrow(%x: vector<4xf32>, %out: memref<4xf8E4M3FN>) kernel {
    %c0 = arith.constant 0 : index
    %h = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FN>
    vector.store %h, %out[%c0] : memref<4xf8E4M3FN>, vector<4xf8E4M3FN>
    // expected-error@+2 {{'arith.truncf' op expected floats of 16 to 64 bits, but got 'f8E4M3FN'}}
    // expected-note@+1 {{LLVM has no smaller ones; there are truncations of f32, f16 and bf16 to f8E4M3FN and f8E5M2, to nearest even}}
    %d = arith.truncf %x toward_zero : vector<4xf32> to vector<4xf8E4M3FN>
    vector.store %d, %out[%c0] : memref<4xf8E4M3FN>, vector<4xf8E4M3FN>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @widen(%x: f8E5M2, %out: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+2 {{'arith.extf' op expected floats of 16 to 64 bits, but got 'f8E5M2'}}
    // expected-note@+1 {{LLVM has no smaller ones}}
    %f = arith.extf %x : f8E5M2 to f32
    memref.store %f, %out[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

// Bits may be chosen and kept; the host is somebody else's.
gpu.module @kernels {
  gpu.func @choose(%x: f8E5M2, %if: i1, %out: memref<4xf8E5M2>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f8E5M2
    %y = arith.select %if, %x, %one : f8E5M2
    memref.store %y, %out[%c0] : memref<4xf8E5M2>
    gpu.return
  }
}
func.func @host(%x: f8E5M2) -> f32 {
  %f = arith.extf %x : f8E5M2 to f32
  return %f : f32
}
