// RUN: tmem-opt %s --convert-tmem-to-nvvm=chip=sm_100f -split-input-file -verify-diagnostics

!floats = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
#row = #tmem.layout<(32, 8) : (1@lane, 1@reg)>

func.func @X4_chip(%mem: i32) -> vector<1xf32> {
  %view = tmem.view %mem : !floats
  // expected-error @below {{expected a chip of sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_100f}}
  // expected-note @below {{rule X4: the chip has tcgen05.ld.red}}
  %p, %r = tmem.load_reduce maxnumf %view registers(#row) atom(<32x32b, x8>)
      scope(warp 0) : !floats -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xf32>>
  %v, %max = tmem.wait_load %p, %r : !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xf32>>
  return %max : vector<1xf32>
}
