// Scripts for mlir-opt work with tmem-opt in its place: what the plugin brings is there
// already, and stays as it is.

// RUN: tmem-opt %s --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin \
// RUN:   --pass-pipeline='builtin.module(func.func(tmem-select-atoms))' | FileCheck %s
// RUN: tmem-opt %s --load-pass-plugin=%tmem_plugin --tmem-select-atoms | FileCheck %s

// CHECK: atom(<32x32b, x8>)
func.func @load(%mem: !tmem.view<128x8xf32, #tmem.datapath<D>>) -> vector<8xf32> {
  %p = tmem.load %mem scope(warpgroup)
      : !tmem.view<128x8xf32, #tmem.datapath<D>> -> !tmem.pending<vector<8xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<8xf32>>
  return %v : vector<8xf32>
}
