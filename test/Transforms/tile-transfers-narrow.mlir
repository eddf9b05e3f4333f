// RUN: tmem-opt %s --tmem-tile-transfers=columns=2 -split-input-file -verify-diagnostics -o /dev/null

// Chunks begin and end between cells of 32 bits.
#row = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
!bytes = !tmem.view<128x4xi8, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
func.func @parts_of_cells(%view: !bytes, %out: memref<128x4xi8>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+2 {{keeps 1 register live at once: expected a window of the view for each chunk of the registers, but got columns 0 to 1, which are no whole cells}}
  // expected-note@+1 {{allow wider chunks: more columns, or more registers}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !bytes -> !tmem.pending<vector<4xi8>>
  %v = tmem.wait_load %p : !tmem.pending<vector<4xi8>>
  vector.store %v, %out[%row, %c0] : memref<128x4xi8>, vector<4xi8>
  return
}
