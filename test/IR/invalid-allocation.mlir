// RUN: tmem-opt %s -split-input-file -verify-diagnostics

func.func @C1_33_columns(%slot: !llvm.ptr<3>) {
  // expected-error @below {{'tmem.alloc' op expected a power of two from 32 to 512 columns, but got 33}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, 33 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_no_columns(%slot: !llvm.ptr<3>) {
  // expected-error @below {{but got 0}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, 0 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_negative(%slot: !llvm.ptr<3>) {
  // expected-error @below {{but got -32}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, -32 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_16_columns(%slot: !llvm.ptr<3>) {
  // expected-error @below {{but got 16}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, 16 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_1024_columns(%slot: !llvm.ptr<3>) {
  // expected-error @below {{but got 1024}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, 1024 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_smallest_integer(%slot: !llvm.ptr<3>) {
  // expected-error @below {{but got -2147483648}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, -2147483648 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_96_columns_shared(%slot: !llvm.ptr<3>) {
  // expected-error @below {{expected a power of two from 32 to 512 columns, but got 96}}
  // expected-note @below {{rule C1: }}
  tmem.alloc %slot, 96 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_exclusive_48_columns(%slot: !llvm.ptr<3>) {
  // expected-error @below {{expected a multiple of 32 from 32 to 576 columns, but got 48}}
  // expected-note @below {{rule C1: }}
  tmem.alloc exclusive %slot, 48 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_exclusive_608_columns(%slot: !llvm.ptr<3>) {
  // expected-error @below {{but got 608}}
  // expected-note @below {{rule C1: }}
  tmem.alloc exclusive %slot, 608 : !llvm.ptr<3>
  return
}

// -----

func.func @C1_dealloc(%base: i32) {
  // expected-error @below {{'tmem.dealloc' op expected a power of two from 32 to 512 columns, but got 96}}
  // expected-note @below {{rule C1: }}
  tmem.dealloc %base, 96
  return
}

// -----

func.func @C1_dealloc_exclusive(%base: i32) {
  // expected-error @below {{expected a multiple of 32 from 32 to 576 columns, but got 1}}
  // expected-note @below {{rule C1: }}
  tmem.dealloc exclusive %base, 1
  return
}

// -----

func.func @C2_none(%slot: !llvm.ptr<3>) {
  // expected-error @below {{'tmem.alloc' op expected a number of columns, but got none}}
  // expected-note @below {{rule C2: }}
  "tmem.alloc"(%slot) : (!llvm.ptr<3>) -> ()
  return
}

// -----

func.func @C2_twice(%slot: !llvm.ptr<3>, %columns: i32) {
  // expected-error @below {{expected the number of columns once, but got a constant and a value}}
  // expected-note @below {{rule C2: }}
  "tmem.alloc"(%slot, %columns) <{staticColumns = 64 : i32}> : (!llvm.ptr<3>, i32) -> ()
  return
}

// -----

func.func @C2_dealloc_none(%base: i32) {
  // expected-error @below {{'tmem.dealloc' op expected a number of columns, but got none}}
  // expected-note @below {{rule C2: }}
  "tmem.dealloc"(%base) : (i32) -> ()
  return
}

// -----

func.func @C2_dealloc_twice(%base: i32) {
  // expected-error @below {{'tmem.dealloc' op expected the number of columns once}}
  // expected-note @below {{rule C2: }}
  "tmem.dealloc"(%base, %base) <{staticColumns = 64 : i32}> : (i32, i32) -> ()
  return
}

// -----

func.func @C3_generic_pointer(%slot: !llvm.ptr) {
  // expected-error @below {{expected a memref of i32 in the workgroup address space or an !llvm.ptr<3>, but got !llvm.ptr}}
  // expected-note @below {{rule C3: }}
  tmem.alloc %slot, 64 : !llvm.ptr
  return
}

// -----

func.func @C3_pointer_to_tmem(%slot: !llvm.ptr<6>) {
  // expected-error @below {{but got !llvm.ptr<6>}}
  // expected-note @below {{rule C3: }}
  tmem.alloc %slot, 64 : !llvm.ptr<6>
  return
}

// -----

func.func @C3_global_memref(%slot: memref<1xi32>) {
  // expected-error @below {{but got memref<1xi32>}}
  // expected-note @below {{rule C3: }}
  tmem.alloc %slot, 64 : memref<1xi32>
  return
}

// -----

func.func @C3_64_bits(%slot: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{but got memref<1xi64, #gpu.address_space<workgroup>>}}
  // expected-note @below {{rule C3: }}
  tmem.alloc %slot, 64 : memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @C3_unranked(%slot: memref<*xi32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{but got memref<*xi32, #gpu.address_space<workgroup>>}}
  // expected-note @below {{rule C3: }}
  tmem.alloc %slot, 64 : memref<*xi32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @C3_scalar(%slot: i32) {
  // expected-error @below {{but got i32}}
  // expected-note @below {{rule C3: }}
  tmem.alloc %slot, 64 : i32
  return
}

// -----

func.func @group_of_three(%slot: !llvm.ptr<3>) {
  // expected-error @below {{attribute 'ctaGroup' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 1 whose maximum value is 2}}
  tmem.alloc %slot, 64 cta_group(3) : !llvm.ptr<3>
  return
}

// -----

func.func @relinquish_group_zero() {
  // expected-error @below {{attribute 'ctaGroup' failed to satisfy constraint}}
  tmem.relinquish_alloc_permit cta_group(0)
  return
}

// -----

func.func @columns_out_of_range(%slot: !llvm.ptr<3>) {
  // expected-error @below {{integer constant out of range for attribute}}
  tmem.alloc %slot, 4294967296 : !llvm.ptr<3>
  return
}

// -----

func.func @columns_i64(%slot: !llvm.ptr<3>, %columns: i64) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{expects different type than prior uses: 'i32' vs 'i64'}}
  tmem.alloc %slot, %columns : !llvm.ptr<3>
  return
}
