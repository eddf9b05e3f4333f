// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-check-target{chip=sm_100a})' -verify-diagnostics

// Nothing would compile tmem operations in host code.

func.func @main(%base: i32) {
  // expected-error @below {{'tmem.view' op expected to be in a gpu.module or a gpu.launch, but got an operation of the host}}
  %mem = tmem.view %base : !tmem.view<128x4xf32, #tmem.datapath<D>>
  return
}
