// RUN: tmem-opt %s --convert-tmem-to-nvvm -split-input-file -verify-diagnostics

// Whatever would carry a pending value or a token and is not lowered for that is
// refused before anything changes.

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P1_returned(%base: i32) -> !tmem.pending<vector<4xf32>> {
  %mem = tmem.view %base : !view
  // expected-error @below {{'tmem.load' op expected its result to reach waits through scf and cf operations, but got a use by 'func.return'}}
  // expected-note @below {{rule P1}}
  %p = tmem.load %mem registers(#regs) atom(<32x32b, x4>) scope(warpgroup)
      : !view -> !tmem.pending<vector<4xf32>>
  // expected-note @below {{used here}}
  return %p : !tmem.pending<vector<4xf32>>
}

// -----

func.func @P1_argument(%p: !tmem.pending<vector<4xf32>>) -> vector<4xf32> {
  // expected-error @below {{'tmem.wait_load' op expected operand 0 to come from a transfer through scf and cf operations, but got an argument of a function or another region}}
  // expected-note @below {{rule P1}}
  %v = tmem.wait_load %p : !tmem.pending<vector<4xf32>>
  return %v : vector<4xf32>
}

// -----

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func private @take(!tmem.token)
func.func @P1_called(%base: i32, %src: vector<4xf32>) {
  %mem = tmem.view %base : !view
  // expected-error @below {{'tmem.store' op expected its result to reach waits through scf and cf operations, but got a use by 'func.call'}}
  // expected-note @below {{rule P1}}
  %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !view
  // expected-note @below {{used here}}
  call @take(%t) : (!tmem.token) -> ()
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P1_execute_region(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !view
  %p = scf.execute_region -> !tmem.pending<vector<4xf32>> {
    // expected-error @below {{but got a use by 'scf.yield'}}
    // expected-note @below {{rule P1}}
    %q = tmem.load %mem registers(#regs) atom(<32x32b, x4>) scope(warpgroup)
        : !view -> !tmem.pending<vector<4xf32>>
    // expected-note @below {{used here}}
    scf.yield %q : !tmem.pending<vector<4xf32>>
  }
  %v = tmem.wait_load %p : !tmem.pending<vector<4xf32>>
  return %v : vector<4xf32>
}
