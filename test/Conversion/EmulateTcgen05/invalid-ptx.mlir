// RUN: tmem-opt %s --emulate-tcgen05 --split-input-file --verify-diagnostics

gpu.module @kernels {
  llvm.func @k(%x: i32, %s: !llvm.struct<(i32)>) attributes {gpu.kernel} {
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'cp.async.commit_group'}}
    llvm.inline_asm has_side_effects "cp.async.commit_group;", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'tcgen05.ld.sync.aligned.32x32b.x4.b32'}}
    %a = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x4.b32 {$0}, [$1];", "=r,r" %x : (i32) -> i32
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'tcgen05.ld.sync.aligned.32x32b.x1.max.b32'}}
    %b = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.max.b32 {$0}, [$1];", "=r,r" %x : (i32) -> i32
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX label 'again'}}
    llvm.inline_asm has_side_effects "again: bra again;", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX that cannot be read: expected ']', but got ';'}}
    llvm.inline_asm has_side_effects "mov.b32 [$0;", "r" %x : (i32) -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX that leaves operand 0 unwritten}}
    %c = llvm.inline_asm has_side_effects "bar.sync 0;", "=r" : () -> i32
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'mov.b32'}}
    %d = llvm.inline_asm has_side_effects "mov.b32 $0, unknown;", "=r" : () -> i32
    // expected-error @below {{'llvm.inline_asm' op is not emulated: operands 'r,r'}}
    llvm.inline_asm has_side_effects "bar.sync 0;", "r,r" %x : (i32) -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'bar.sync'}}
    llvm.inline_asm has_side_effects "@p bar.sync 0;", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: an operand that is no register}}
    llvm.inline_asm has_side_effects "bar.sync 0;", "r" %s : (!llvm.struct<(i32)>) -> ()
    // expected-error @below {{'llvm.inline_asm' op is not emulated: PTX instruction 'mov.b32'}}
    %e = llvm.inline_asm has_side_effects "mov.b32 $0, {$1,$1,$1,$1,$1};", "=r,r" %x : (i32) -> i32
    llvm.return
  }
}
