// The way of tmem-run step by step, in programs that know nothing of tmem: stock
// mlir-opt with the plugin, stock mlir-runner with the library that emulates.

// DEFINE: %{device} = gpu.module(lower-affine,convert-vector-to-scf,convert-tmem-to-nvvm,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-gpu-to-nvvm,convert-nvvm-to-llvm,canonicalize,cse,reconcile-unrealized-casts)
// DEFINE: %{host} = convert-vector-to-scf,convert-scf-to-cf,convert-vector-to-llvm,expand-strided-metadata,lower-affine,gpu-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts
// DEFINE: %{file} = %s
// DEFINE: %{lower} = mlir-opt %{file} --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin --pass-pipeline='builtin.module(%{device},emulate-tcgen05,%{host})'
// DEFINE: %{run} = mlir-runner --entry-point-result=i32 --shared-libs=%tmem_lib_dir/libtmem_emulation_runtime.so,%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so

// RUN: %{lower} > %t.mlir
// RUN: %{run} %t.mlir | FileCheck %s
// RUN: %{run} -O3 %t.mlir | FileCheck %s
// RUN: env TMEM_EMULATION_RACE=1 TMEM_EMULATION_SEED=5 %{run} %t.mlir | FileCheck %s
// RUN: %exits_1 %{run} -e leak %t.mlir 2>&1 | FileCheck %s --check-prefix=LEAK

// What was not emulated is not run: the code of a GPU, or kernels that nobody
// registered.

// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin --pass-pipeline='builtin.module(%{device},nvvm-attach-target{chip=sm_100a features=+ptx88 O=3},gpu-module-to-binary{format=isa},%{host})' > %t.isa.mlir
// RUN: %exits_2 %{run} %t.isa.mlir 2>&1 | FileCheck %s --check-prefix=NEVER

// Other programs of this folder go the same way.

// REDEFINE: %{file} = %S/roundtrip.mlir
// RUN: %{lower} > %t.mlir
// RUN: %{run} %t.mlir | FileCheck %S/roundtrip.mlir
// REDEFINE: %{file} = %S/grids.mlir
// RUN: %{lower} > %t.mlir
// RUN: %{run} %t.mlir | FileCheck %S/grids.mlir
// REDEFINE: %{file} = %S/pipelined-loops.mlir
// RUN: %{lower} 2>/dev/null > %t.mlir
// RUN: %{run} -O3 %t.mlir | FileCheck %S/pipelined-loops.mlir
// REDEFINE: %{file} = %S/warp-specialised.mlir
// RUN: %{lower} > %t.mlir
// RUN: %{run} %t.mlir | FileCheck %S/warp-specialised.mlir
// RUN: %python %S/Inputs/transfers.py 16x64b --form=tmem > %t.transfers.mlir
// REDEFINE: %{file} = %t.transfers.mlir
// RUN: %{lower} > %t.mlir
// RUN: %{run} -O3 %t.mlir | FileCheck %S/transfers-16x64b.test

!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @leak(%frees: i1) workgroup(%slot: !slot) kernel {
      %c0 = arith.constant 0 : index
      // LEAK: long-way.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error:
      tmem.alloc %slot, 64 : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      gpu.barrier
      scf.if %frees {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @launch(%frees: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@leak blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%frees : i1)
    return
  }

  // CHECK: no fault
  // NEVER: tmem emulation: error: {{.*}}never emulated: run emulate-tcgen05
  func.func @main() -> i32 {
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    call @launch(%true) : (i1) -> ()
    vector.print str "no fault\n"
    return %zero : i32
  }
  func.func @leak() -> i32 {
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    call @launch(%false) : (i1) -> ()
    return %zero : i32
  }
}
