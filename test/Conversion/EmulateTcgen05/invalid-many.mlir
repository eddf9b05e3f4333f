// RUN: not tmem-opt %s --emulate-tcgen05 2>&1 | FileCheck %s

// No more than 20 errors at once.

// CHECK-COUNT-20: error: 'nvvm.wgmma.fence.aligned' op is not emulated
// CHECK-NOT: error:
gpu.module @kernels {
  llvm.func @k() attributes {gpu.kernel} {
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.fence.aligned
    llvm.return
  }
}
