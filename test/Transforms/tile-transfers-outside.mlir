// RUN: tmem-opt %s --tmem-select-atoms=max-live-registers=64 --verify-diagnostics | FileCheck %s

!acc = !tmem.view<128x256xf32, #tmem.datapath<D>>
!p = !tmem.pending<vector<256xf32>>

// A bias that is read is read chunk by chunk, with what is calculated from it.
// CHECK-LABEL: func @bias(
// CHECK-NOT: vector<256x
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<[[N:.*]]xf32>>
// CHECK: vector.load {{.*}}{alignment = 32 : i64} : memref<256xf16>, vector<[[N]]xf16>
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.addf
// CHECK: arith.constant [[N]] : index
// CHECK-NEXT: vector.load {{.*}}{alignment = 32 : i64} : memref<256xf16>, vector<[[N]]xf16>
// CHECK-NOT: vector<256x
// CHECK: return
func.func @bias(%m: !acc, %b: memref<256xf16>, %out: memref<128x256xbf16>,
                %row: index) {
  %c0 = arith.constant 0 : index
  %short = vector.load %b[%c0] {alignment = 32} : memref<256xf16>, vector<256xf16>
  %bias = arith.extf %short : vector<256xf16> to vector<256xf32>
  %x = tmem.load %m scope(warpgroup) : !acc -> !p
  %v = tmem.wait_load %x : !p
  %h = arith.addf %v, %bias : vector<256xf32>
  %t = tmem.store %h, %m scope(warpgroup) : vector<256xf32>, !acc
  tmem.wait_store %t
  return
}

// So are masks of numbers, and reads in bounds.
// CHECK-LABEL: func @numbers(
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true]} : memref<128x256xf32>, vector<[[N:.*]]xf32>
// CHECK: arith.constant dense<[0, 1, 2, {{.*}}]> : vector<[[N]]xindex>
// CHECK: ub.poison : vector<[[N]]xf32>
// CHECK: arith.constant dense<[[[N]], {{.*}}]> : vector<[[N]]xindex>
// CHECK-NOT: vector<256xf32>
// CHECK: return
func.func @numbers(%m: !acc, %b: memref<128x256xf32>, %row: index, %end: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %poison = ub.poison : vector<256xf32>
  %bias = vector.transfer_read %b[%row, %c0], %zero {in_bounds = [true]}
      : memref<128x256xf32>, vector<256xf32>
  %step = vector.step : vector<256xindex>
  %ends = vector.broadcast %end : index to vector<256xindex>
  %if = arith.cmpi slt, %step, %ends : vector<256xindex>
  %x = tmem.load %m scope(warpgroup) : !acc -> !p
  %v = tmem.wait_load %x : !p
  %sum = arith.addf %v, %bias : vector<256xf32>
  %h = arith.select %if, %sum, %poison : vector<256xi1>, vector<256xf32>
  %t = tmem.store %h, %m scope(warpgroup) : vector<256xf32>, !acc
  tmem.wait_store %t
  return
}

// A store of what comes of no tile is cut, too.
// CHECK-LABEL: func @store_only(
// CHECK-NOT: vector<256x
// CHECK: vector.load {{.*}} vector<64xf32>
// CHECK-NEXT: arith.addf
// CHECK: tmem.store {{.*}} : vector<64xf32>
// CHECK-COUNT-3: tmem.store {{.*}} : vector<64xf32>
// CHECK: tmem.wait_store
// CHECK-NOT: vector<256x
// CHECK: return
func.func @store_only(%m: !acc, %in: memref<128x256xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %x = vector.load %in[%row, %c0] : memref<128x256xf32>, vector<256xf32>
  %y = arith.addf %x, %x : vector<256xf32>
  %t = tmem.store %y, %m scope(warpgroup) : vector<256xf32>, !acc
  tmem.wait_store %t
  return
}

// Each of two tiles fits, but not both.
// CHECK-LABEL: func @together(
// CHECK-NOT: vector<64xf32>
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<16xf32>>
// CHECK: return
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
!e = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (64@tcol)>>
!q = !tmem.pending<vector<64xf32>>
func.func @together(%base: i32) {
  %m = tmem.view %base : !d
  %n = tmem.view %base : !e
  %p = tmem.load %m scope(warpgroup) : !d -> !q
  %p2 = tmem.load %n scope(warpgroup) : !e -> !q
  %v = tmem.wait_load %p : !q
  %v2 = tmem.wait_load %p2 : !q
  %t = tmem.store %v, %m scope(warpgroup) : vector<64xf32>, !d
  %t2 = tmem.store %v2, %n scope(warpgroup) : vector<64xf32>, !e
  tmem.wait_store %t, %t2
  return
}

// A residual is another one for each thread, so that the result may be where it
// was read, unless the argument says not.
// CHECK-LABEL: func @residual(
// CHECK-NOT: vector<256x
// CHECK: return
func.func @residual(%m: !acc, %in: memref<128x256xf32> {llvm.noalias},
                    %out: memref<128x256xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %r = vector.load %in[%row, %c0] : memref<128x256xf32>, vector<256xf32>
  %x = tmem.load %m scope(warpgroup) : !acc -> !p
  %v = tmem.wait_load %x : !p
  %sum = arith.addf %v, %r : vector<256xf32>
  vector.store %sum, %out[%row, %c0] : memref<128x256xf32>, vector<256xf32>
  return
}

func.func @residual_in_place(%m: !acc, %in: memref<128x256xf32>,
                             %out: memref<128x256xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{read it in the block of the tile, in consecutive elements, where nothing up to the last store may change that memory (llvm.noalias says that of arguments)}}
  %r = vector.load %in[%row, %c0] : memref<128x256xf32>, vector<256xf32>
  // expected-remark@+1 {{keeps 256 registers live at once: expected two chunks in 64 registers, but got the result of 'vector.load' in 256 registers beside them}}
  %x = tmem.load %m scope(warpgroup) : !acc -> !p
  %v = tmem.wait_load %x : !p
  %sum = arith.addf %v, %r : vector<256xf32>
  vector.store %sum, %out[%row, %c0] : memref<128x256xf32>, vector<256xf32>
  return
}

// A bias is the same for all threads of a kernel, where a change of it between
// reads and stores would be a race.
// CHECK-LABEL: gpu.func @same_for_all(
// CHECK-NOT: vector<256x
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @same_for_all(%m: !acc, %b: memref<256xf32>,
                         %out: memref<128x256xbf16>) kernel {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %bias = vector.load %b[%c0] : memref<256xf32>, vector<256xf32>
    %x = tmem.load %m scope(warpgroup) : !acc -> !p
    %v = tmem.wait_load %x : !p
    %h = arith.addf %v, %bias : vector<256xf32>
    %half = arith.truncf %h : vector<256xf32> to vector<256xbf16>
    vector.store %half, %out[%tid, %c0] : memref<128x256xbf16>, vector<256xbf16>
    gpu.return
  }
}

// What cannot be cut says how many registers there are in all.
func.func @reduced_together(%base: i32) -> vector<64xf32> {
  %m = tmem.view %base : !d
  %n = tmem.view %base : !e
  // expected-remark@+1 {{keeps 128 registers live at once with other transfers: expected consumers that work element by element or store the vector, but got 'func.return'}}
  %p = tmem.load %m scope(warpgroup) : !d -> !q
  %p2 = tmem.load %n scope(warpgroup) : !e -> !q
  %v = tmem.wait_load %p : !q
  %v2 = tmem.wait_load %p2 : !q
  %t2 = tmem.store %v2, %n scope(warpgroup) : vector<64xf32>, !e
  tmem.wait_store %t2
  // expected-note@+1 {{load windows of the view}}
  return %v : vector<64xf32>
}
