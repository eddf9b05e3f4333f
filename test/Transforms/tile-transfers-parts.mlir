// Of data path B a thread has half of the columns: chunks of an odd number of
// them would cut its elements in two.

// RUN: tmem-opt %s --tmem-tile-transfers=columns=3 -o /dev/null 2>&1 | FileCheck %s -DCOLUMNS="3 columns"
// RUN: tmem-opt %s --tmem-tile-transfers=columns=1 -o /dev/null 2>&1 | FileCheck %s -DCOLUMNS="1 column"
// RUN: tmem-opt %s --tmem-tile-transfers=columns=33 -o /dev/null 2>&1 | FileCheck %s -DCOLUMNS="33 columns"
// RUN: tmem-opt %s --tmem-tile-transfers=columns=6 2>&1 | FileCheck %s --check-prefix=EVEN

// CHECK: remark: keeps 64 registers live at once: expected chunks of whole elements, but got [[COLUMNS]] of 128, of which a thread has 64 elements
// CHECK: note: choose a multiple of 2 columns

// EVEN-NOT: remark
// EVEN: tmem.subview {{.*}}

#row = #tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>
!b = !tmem.view<64x128xf32, #tmem.datapath<B>>
!vec = vector<64xf32>
func.func @round_trip(%view: !b) {
  %p = tmem.load %view registers(#row) scope(warpgroup) : !b -> !tmem.pending<!vec>
  %v = tmem.wait_load %p : !tmem.pending<!vec>
  %w = arith.addf %v, %v : !vec
  %t = tmem.store %w, %view registers(#row) scope(warpgroup) : !vec, !b
  tmem.wait_store %t
  return
}
