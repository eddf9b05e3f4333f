// RUN: tmem-opt %s -split-input-file -verify-diagnostics -tmem-lower-subgroups

gpu.module @kernels {
  gpu.func @larger_than_a_warp(%x: f32) kernel {
    // expected-error @+1 {{expected clusters of at most 32 lanes, but got 64}}
    %sum = gpu.subgroup_reduce add %x cluster(size = 64) : (f32) -> f32
    gpu.return
  }
}
