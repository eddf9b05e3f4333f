// The remark says where each buffer is, and draws what lives where.

// RUN: tmem-opt %s --tmem-plan-columns=explain -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: @picture: 4 buffers take 64 columns, the fewest that there are, of 64 allocated
// CHECK: note: A: columns 0 to 31, lanes 0 to 15, 32 to 47, 64 to 79, 96 to 111{{$}}
// CHECK-NEXT: %a = tmem.buffer
// CHECK: note: B: columns 0 to 31, lanes 16 to 31, 48 to 63, 80 to 95, 112 to 127{{$}}
// CHECK: note: C: columns 0 to 31{{$}}
// CHECK: note: D: columns 32 to 63; lives throughout, because 'func.call' takes it out of sight{{$}}
// CHECK: note: from here on
// CHECK-NEXT: {{^  A{32}D{32}  lanes 0 to 15 of each slab$}}
// CHECK-NEXT: {{^  [.]{32}D{32}  lanes 16 to 31 of each slab$}}
// CHECK: note: from here on
// CHECK-NEXT: {{^  A{32}D{32}  lanes 0 to 15 of each slab$}}
// CHECK-NEXT: {{^  B{32}D{32}  lanes 16 to 31 of each slab$}}
// CHECK-NEXT: %t1 = tmem.store
// CHECK: note: from here on
// CHECK-NEXT: {{^  C{32}D{32}$}}
// CHECK-NEXT: %t2 = tmem.store
// CHECK: note: the most columns are in use here; one letter stands for 1{{$}}
// CHECK-NEXT: {{^  A{32}D{32}  lanes 0 to 15 of each slab$}}

!half = !tmem.view<64x32xf32, #tmem.datapath<F>>
!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
gpu.module @kernels {
  func.func private @callee(!acc)
  gpu.func @picture(%x: vector<16xf32>, %y: vector<32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !half
    %b = tmem.buffer : !half
    %c = tmem.buffer : !acc
    %d = tmem.buffer : !acc
    func.call @callee(%d) : (!acc) -> ()
    %t0 = tmem.store %x, %a scope(warpgroup) : vector<16xf32>, !half
    %t1 = tmem.store %x, %b scope(warpgroup) : vector<16xf32>, !half
    tmem.wait_store %t0, %t1
    %t2 = tmem.store %y, %c scope(warpgroup) : vector<32xf32>, !acc
    tmem.wait_store %t2
    gpu.return
  }
}
