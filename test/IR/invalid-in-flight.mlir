// RUN: tmem-opt %s -split-input-file -verify-diagnostics

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P1_returned(%view: !d) -> !pending {
  // expected-error @below {{'tmem.load' op expected its result to reach waits through scf and cf operations, but got a use by 'func.return'}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-note @below {{used here}}
  return %0 : !pending
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func private @callee(!pending)
func.func @P1_called(%view: !d) {
  // expected-error @below {{but got a use by 'func.call'}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-note @below {{used here}}
  call @callee(%0) : (!pending) -> ()
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// Found behind the operations that may carry it.
func.func @P1_returned_after_loop(%view: !d, %n: index) -> !pending {
  // expected-error @below {{but got a use by 'func.return'}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %1 = scf.for %i = %n to %n step %n iter_args(%p = %0) -> (!pending) {
    scf.yield %p : !pending
  }
  // expected-note @below {{used here}}
  return %1 : !pending
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P1_token_stays_in_execute_region(%view: !d, %source: vector<4xf32>) {
  %0 = scf.execute_region -> !tmem.token {
    // expected-error @below {{'tmem.store' op expected its result to reach waits through scf and cf operations, but got a use by 'scf.yield'}}
    // expected-note @below {{rule P1: }}
    %1 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !d
    // expected-note @below {{used here}}
    scf.yield %1 : !tmem.token
  }
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P1_cast(%view: !d) -> vector<4xf32> {
  // expected-error @below {{but got a use by 'builtin.unrealized_conversion_cast'}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-note @below {{used here}}
  %1 = builtin.unrealized_conversion_cast %0 : !pending to vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

!pending = !tmem.pending<vector<4xf32>>

func.func @P1_argument(%p: !pending) -> vector<4xf32> {
  // expected-error @below {{'tmem.wait_load' op expected operand 0 to come from a transfer through scf and cf operations, but got an argument of a function or another region}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.wait_load %p : !pending
  return %0 : vector<4xf32>
}

// -----

func.func private @callee() -> !tmem.token
func.func @P1_token_of_call() {
  %0 = call @callee() : () -> !tmem.token
  // expected-error @below {{'tmem.wait_store' op expected operand 0 to come from a transfer through scf and cf operations, but got a result of 'func.call'}}
  // expected-note @below {{rule P1: }}
  tmem.wait_store %0
  return
}

// -----

func.func @P2_load_none() {
  // expected-error @below {{'tmem.wait_load' op expected at least one operand, but got none}}
  // expected-note @below {{rule P2: }}
  "tmem.wait_load"() : () -> ()
  return
}

// -----

func.func @P2_store_none() {
  // expected-error @below {{'tmem.wait_store' op expected at least one operand, but got none}}
  // expected-note @below {{rule P2: }}
  "tmem.wait_store"() : () -> ()
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P2_pending_twice(%view: !d) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{expected each operand once, but got operand 1 again}}
  // expected-note @below {{rule P2: }}
  %1:2 = tmem.wait_load %0, %0 : !pending, !pending
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P2_token_twice(%view: !d, %source: vector<4xf32>) {
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !d
  %1 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !d
  // expected-error @below {{expected each operand once, but got operand 2 again}}
  // expected-note @below {{rule P2: }}
  tmem.wait_store %0, %1, %0
  return
}

// -----

// expected-error @below {{expected a vector of one static dimension of elements of 4, 8, 16, 32 or 64 bits, but got vector<2x2xf32>}}
// expected-note @below {{rule P3: }}
!P3_two_dimensions = !tmem.pending<vector<2x2xf32>>

// -----

// expected-error @below {{but got vector<f32>}}
// expected-note @below {{rule P3: }}
!P3_rank_zero = !tmem.pending<vector<f32>>

// -----

// expected-error @below {{but got vector<[4]xf32>}}
// expected-note @below {{rule P3: }}
!P3_scalable = !tmem.pending<vector<[4]xf32>>

// -----

// expected-error @below {{but got vector<4xi1>}}
// expected-note @below {{rule P3: }}
!P3_i1 = !tmem.pending<vector<4xi1>>

// -----

// expected-error @below {{but got vector<4xindex>}}
// expected-note @below {{rule P3: }}
!P3_index = !tmem.pending<vector<4xindex>>

// -----

// expected-error @below {{vector types must have positive constant sizes but got 0}}
// expected-error @below {{failed to parse TMem_PendingType parameter 'payload'}}
!pending_of_nothing = !tmem.pending<vector<0xf32>>

// -----

// What is under way is no vector.
!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P1_pending_as_vector(%view: !d) {
  // expected-error @below {{but got a use by 'arith.addf'}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-note @below {{used here}}
  %1 = "arith.addf"(%0, %0) : (!pending, !pending) -> !pending
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @token_waited_for_as_load(%view: !d, %source: vector<4xf32>) {
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !d
  // expected-error @below {{operand #0 must be variadic of loaded registers before their wait, but got '!tmem.token'}}
  %1 = "tmem.wait_load"(%0) : (!tmem.token) -> vector<4xf32>
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @pending_waited_for_as_store(%view: !d) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{operand #0 must be variadic of a store that has not been waited for}}
  "tmem.wait_store"(%0) : (!pending) -> ()
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @wait_gives_other_type(%view: !d) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{op inferred type(s) 'vector<4xf32>' are incompatible with return type(s) of operation 'vector<4xi32>'}}
  // expected-error @below {{failed to infer returned types}}
  %1 = "tmem.wait_load"(%0) : (!pending) -> vector<4xi32>
  return
}

// -----

// A transfer is verified before what carries its result, whose counts need not
// agree: their own verifiers say so.
!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @branch_to_block_without_arguments(%view: !d) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{branch has 1 operands for successor #0, but target block has 0}}
  "cf.br"(%0)[^bb1] : (!pending) -> ()
^bb1:
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @branch_without_successor(%view: !d) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{requires 1 successor but found 0}}
  "cf.br"(%0) : (!pending) -> ()
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @branch_with_wrong_segments(%view: !d, %c: i1) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{operand count (2) does not match with the total size (6)}}
  "cf.cond_br"(%c, %0)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 5, 0>}> : (i1, !pending) -> ()
^bb1:
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @switch_without_segments(%view: !d, %flag: i32) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{operand count (2) does not match with the total size (0)}}
  "cf.switch"(%flag, %0)[^bb1] : (i32, !pending) -> ()
^bb1:
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @loop_without_argument(%view: !d, %n: index) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-error @below {{different number of inits and region iter_args: 1 != 0}}
  %1 = "scf.for"(%n, %n, %n, %0) ({
  ^bb0(%i: index):
    scf.yield
  }) : (index, index, index, !pending) -> !pending
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @if_without_result(%view: !d, %c: i1) {
  // expected-error @below {{region branch point has 1 operands, but region successor needs 0 inputs}}
  "scf.if"(%c) ({
    %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
    // expected-note @below {{region branch point}}
    scf.yield %0 : !pending
  }, {
  }) : (i1) -> ()
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

func.func @P1_condition_of_no_loop(%view: !d, %c: i1) {
  // expected-error @below {{but got a use by 'scf.condition'}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  // expected-note @below {{used here}}
  "scf.condition"(%c, %0) : (i1, !pending) -> ()
}
