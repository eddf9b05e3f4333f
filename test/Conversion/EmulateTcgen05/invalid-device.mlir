// RUN: tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{mode=device})' --split-input-file --verify-diagnostics

// On a GPU only Tensor Memory is missing.

gpu.module @kernels {
  llvm.func @unknown(i32)
  llvm.func @k(%a: !llvm.ptr<6>, %s: i64, %x: i32) attributes {gpu.kernel} {
    // expected-error @below {{'nvvm.tcgen05.cp' op is not emulated: the tensor core on a GPU}}
    nvvm.tcgen05.cp %a, %s {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
    // expected-error @below {{'llvm.call_intrinsic' op is not emulated: llvm.nvvm.tcgen05.shift.down.cg1}}
    llvm.call_intrinsic "llvm.nvvm.tcgen05.shift.down.cg1"(%a) : (!llvm.ptr<6>) -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'tcgen05.shift.cta_group::1.down'}}
    llvm.inline_asm has_side_effects "tcgen05.shift.cta_group::1.down [$0];", "r" %x : (i32) -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'cp.async.wait_all'}}
    llvm.inline_asm has_side_effects "cp.async.wait_all; tcgen05.wait::ld.sync.aligned;", "" : () -> ()
    llvm.inline_asm has_side_effects "cp.async.wait_all;", "" : () -> ()
    nvvm.wgmma.fence.aligned
    llvm.call @unknown(%x) : (i32) -> ()
    llvm.return
  }
}
