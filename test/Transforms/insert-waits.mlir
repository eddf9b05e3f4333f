// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-insert-waits)))' | FileCheck %s

#regs = #tmem.layout<(128, 32) : (1@tid, 1@reg)>
!acc = !tmem.view<128x128xf32, #tmem.layout<(128, 128) : (1@tlane, 1@tcol)>>
!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!next = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>
!cross = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (16@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @one_wait_for_all(
  // CHECK: %[[A:.*]] = tmem.load %{{.*}} scope(warpgroup) {origin = "x"}
  // CHECK-NEXT: %[[B:.*]] = tmem.load %{{.*}} registers(#{{.*}}) atom(<32x32b, x32>)
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: %[[V:.*]], %[[W:.*]] = tmem.wait_load %[[A]], %[[B]]
  // CHECK-NEXT: arith.addf %[[W]], %[[W]]
  // CHECK-NEXT: arith.addf %[[V]], %[[V]]
  // CHECK-NOT: wait
  // CHECK: gpu.return
  gpu.func @one_wait_for_all(%mem: !part, %out: !out, %i: index) {
    %x = tmem.read %mem scope(warpgroup) {origin = "x"} : !part -> !vec
    %y = tmem.read %mem registers(#regs) atom(<32x32b, x32>) scope(warpgroup) : !part -> !vec
    %k = arith.addi %i, %i : index
    %b = arith.addf %y, %y : !vec
    %a = arith.addf %x, %x : !vec
    vector.store %a, %out[%k, %i] : !out, !vec
    vector.store %b, %out[%k, %i] : !out, !vec
    gpu.return
  }

  // Of windows of one base it is known which cells they have.
  // CHECK-LABEL: gpu.func @cells(
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[S:.*]] = tmem.store %arg1, %{{.*}} :
  // CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[A]]
  // CHECK-NEXT: tmem.wait_store %[[S]]
  // CHECK-NEXT: %[[T:.*]] = tmem.store %arg1
  // CHECK-NEXT: vector.store %[[V]]
  // CHECK-NEXT: tmem.wait_store %[[T]]
  // CHECK-NEXT: gpu.return
  gpu.func @cells(%base: i32, %v: !vec, %out: !out, %i: index) {
    %mem = tmem.view %base : !acc
    %a = tmem.subview %mem[0, 0] [128, 32] : !acc to !part
    %b = tmem.subview %mem[0, 32] [128, 32] : !acc to !next
    %c = tmem.subview %mem[0, 16] [128, 32] : !acc to !cross
    %x = tmem.read %a scope(warpgroup) : !part -> !vec
    tmem.write %v, %b scope(warpgroup) : !vec, !next
    tmem.write %v, %c scope(warpgroup) : !vec, !cross
    vector.store %x, %out[%i, %i] : !out, !vec
    gpu.return
  }

  // Constants that are added to a base count; other bases may be anywhere.
  // CHECK-LABEL: gpu.func @bases(
  // CHECK: %[[S:.*]] = tmem.store
  // CHECK-NEXT: %[[A:.*]] = tmem.load
  // CHECK-NEXT: tmem.wait_store %[[S]]
  // CHECK-NEXT: %[[B:.*]] = tmem.load
  // CHECK-NEXT: %{{.*}}, %{{.*}} = tmem.wait_load %[[A]], %[[B]]
  gpu.func @bases(%base: i32, %other: i32, %v: !vec, %out: !out, %i: index) {
    %c32 = arith.constant 32 : i32
    %more = arith.addi %base, %c32 : i32
    %a = tmem.view %base : !part
    %b = tmem.view %more : !part
    %c = tmem.view %other : !part
    tmem.write %v, %a scope(warpgroup) : !vec, !part
    %x = tmem.read %b scope(warpgroup) : !part -> !vec
    %y = tmem.read %c scope(warpgroup) : !part -> !vec
    %s = arith.addf %x, %y : !vec
    vector.store %s, %out[%i, %i] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @split(
  // CHECK: %[[P:.*]] = tmem.load_split %{{.*}}, %{{.*}} atom(<16x32bx2, x4>) immediate(1048576)
  // CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
  // CHECK-NEXT: %[[T:.*]] = tmem.store_split %[[V]]
  // CHECK-NEXT: tmem.wait_store %[[T]]
  gpu.func @split(%base: i32) {
    %mem = tmem.view %base : !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
    %low = tmem.subview %mem[0, 0] [16, 4] : !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>> to !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
    %high = tmem.subview %mem[16, 0] [16, 4] : !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>> to !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane)>>
    %x = tmem.read_split %low, %high atom(<16x32bx2, x4>) immediate(1048576) scope(warp 0) : !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>, !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane)>> -> vector<4xf32>
    tmem.write_split %x, %low, %high scope(warp 0) : vector<4xf32>, !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>, !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane)>>
    gpu.return
  }

  // What is pending joins a wait that is there.
  // CHECK-LABEL: gpu.func @placed_waits(
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[P:.*]] = tmem.load
  // CHECK-NEXT: %[[V:.*]], %[[W:.*]] = tmem.wait_load %[[P]], %[[A]] {mine}
  // CHECK-NEXT: vector.store %[[V]],
  // CHECK-NEXT: vector.store %[[W]],
  // CHECK-NEXT: %[[T:.*]] = tmem.store
  // CHECK-NEXT: %[[S:.*]] = tmem.store
  // CHECK-NEXT: tmem.wait_store %[[T]], %[[S]]
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: gpu.return
  gpu.func @placed_waits(%mem: !part, %other: !next, %v: !vec, %out: !out, %i: index) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    %p = tmem.load %mem scope(warpgroup) : !part -> !tmem.pending<!vec>
    %y = tmem.wait_load %p {mine} : !tmem.pending<!vec>
    vector.store %y, %out[%i, %i] : !out, !vec
    vector.store %x, %out[%i, %i] : !out, !vec
    %t = tmem.store %v, %other scope(warpgroup) : !vec, !next
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    tmem.wait_store %t
    gpu.barrier
    gpu.return
  }

  // CHECK-LABEL: gpu.func @dead(
  // CHECK-NEXT: gpu.return
  gpu.func @dead(%mem: !part) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    gpu.return
  }
}
