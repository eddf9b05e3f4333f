// RUN: tmem-opt %s --pass-pipeline='builtin.module(convert-tmem-to-nvvm)' -split-input-file -verify-diagnostics

// No transfer is around whose verifier would follow the value.

!pending = !tmem.pending<vector<4xf32>>

// expected-error @below {{expected no pending values or tokens in the type of a function}}
// expected-note @below {{rule P1}}
func.func @P1_argument_through_if(%p: !pending, %c: i1) -> vector<4xf32> {
  %q = scf.if %c -> (!pending) {
    scf.yield %p : !pending
  } else {
    scf.yield %p : !pending
  }
  %v = tmem.wait_load %q : !pending
  return %v : vector<4xf32>
}

// -----

// expected-error @below {{expected no pending values or tokens in the type of a function}}
// expected-note @below {{rule P1}}
func.func private @P1_result() -> !tmem.token
