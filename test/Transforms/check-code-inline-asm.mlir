// RUN: tmem-opt %s --tmem-check-code=check-host --split-input-file --verify-diagnostics

gpu.module @constraints {
  llvm.func @k() {
    // expected-error @below {{'llvm.inline_asm' op expected constraints b, h, r, l, f, d, q, i or n, but got z}}
    %0 = llvm.inline_asm has_side_effects "foo $0;", "=zz" : () -> f32
    llvm.return
  }
}

// -----

gpu.module @constraints {
  llvm.func @k() {
    // expected-error @below {{expected constraints that fit the types, but got "=r,r": }}
    %0 = llvm.inline_asm has_side_effects "foo $0;", "=r,r" : () -> i32
    llvm.return
  }
}

// -----

gpu.module @constraints {
  llvm.func @k() {
    // expected-error @below {{expected constraints that fit the types, but got "=&&": }}
    %0 = llvm.inline_asm "foo $0;", "=&&" : () -> i32
    llvm.return
  }
}

// -----

gpu.module @operands {
  llvm.func @k() {
    // expected-error @below {{expected assembly that names 1 operands, but got $5}}
    %0 = llvm.inline_asm has_side_effects "foo $5;", "=r,~{memory}" : () -> i32
    llvm.return
  }
}

// -----

gpu.module @operands {
  llvm.func @k(%x: i32) {
    // expected-error @below {{but got $ without a number}}
    llvm.inline_asm has_side_effects "foo $x;", "r" %x : (i32) -> ()
    llvm.return
  }
}

// -----

gpu.module @operands {
  llvm.func @k(%x: i32) {
    // expected-error @below {{but got the end before a closing brace}}
    llvm.inline_asm has_side_effects "foo ${0;", "r" %x : (i32) -> ()
    llvm.return
  }
}

// -----

// expected-error @+2 {{expected assembly that names 0 operands, but got $1}}
llvm.func @host() {
  llvm.inline_asm has_side_effects "nop $1", "" : () -> ()
  llvm.return
}

// -----

gpu.module @right {
  llvm.func @k(%x: i32, %y: f32, %p: !llvm.ptr) {
    %0 = llvm.inline_asm has_side_effects "{ .reg .b32 t${:uid}; mov.b32 $0, ${1:x}; $$ $( $| $) }", "=r,0,~{memory}" %x : (i32) -> i32
    %1 = llvm.inline_asm "foo $0, $1, $2, $3, $4;", "=f,=r,f,l,n" %y, %p, %x : (f32, !llvm.ptr, i32) -> !llvm.struct<(f32, i32)>
    llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
    llvm.return
  }
}
