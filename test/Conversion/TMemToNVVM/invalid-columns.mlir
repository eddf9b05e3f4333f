// RUN: tmem-opt %s --convert-tmem-to-nvvm -split-input-file -verify-diagnostics
// RUN: tmem-opt %s --canonicalize -split-input-file | FileCheck %s

// A number of columns that is a constant value is checked when it is lowered: it may
// stand in code that is never executed.

// CHECK-LABEL: @C1_constant_operand
// CHECK: tmem.alloc %{{.*}}, %{{.*}} :
func.func @C1_constant_operand(%slot: !llvm.ptr<3>) {
  %c33 = arith.constant 33 : i32
  // expected-error @below {{'tmem.alloc' op expected a power of two from 32 to 512 columns, but got 33}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, %c33 : !llvm.ptr<3>
  return
}

// -----

// CHECK-LABEL: @C1_constant_operand_of_dealloc
// CHECK: tmem.dealloc exclusive %{{.*}}, %{{.*}}
func.func @C1_constant_operand_of_dealloc(%base: i32) {
  %c608 = arith.constant 608 : i32
  // expected-error @below {{'tmem.dealloc' op expected a multiple of 32 from 32 to 576 columns, but got 608}}
  // expected-note @below {{rule C1: }}
  tmem.dealloc exclusive %base, %c608
  return
}
