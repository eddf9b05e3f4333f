//===- Planner.h - The transfer planner from C --------------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Which tcgen05.ld or tcgen05.st instructions move a tile, or why none do.
//
// The answers are objects that the caller destroys. What their getters return,
// strings and lists included, lives as long as the object, which may outlive
// neither the context of its types nor be used after it. Null-terminated
// strings are not promised.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_PLANNER_H
#define TMEM_C_PLANNER_H

#include "tmem-c/Attributes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A plan of one transfer with one atom, or why there is none.
typedef struct TMemPlan {
  void *ptr;
} TMemPlan;

/// What tmemExplain answers.
typedef struct TMemExplanation {
  void *ptr;
} TMemExplanation;

/// A transfer between a tile in TMEM and registers. Zero is the default of
/// every member.
typedef struct TMemTransfer {
  /// The tile, a !tmem.view.
  MlirType view;
  /// A split transfer's second half of the tile, of the same shape; else null.
  MlirType secondView;
  /// The tile's place in registers: any attribute that stands for a layout.
  /// Null for tmemExplain to infer one.
  MlirAttribute registers;
  /// Elements of a thread's vector; 0 for as many as `registers` has slots.
  int64_t vectorSize;
  /// #tmem.scope; null is the warpgroup.
  MlirAttribute scope;
  /// CTA scope, where registers are inferred: how many warps the CTA has, 1 to
  /// 4 or a multiple of 4 up to 32; 0 is 4. All of them take part. For
  /// tmemExplain in CTA scope alone, without `registers`; else 0.
  uint32_t numWarps;
  bool isStore;
  /// Split transfers: the immediate of 16x32bx2, lane << 16 | column; 0 to
  /// derive it.
  int64_t splitImmediate;
} TMemTransfer;

//===----------------------------------------------------------------------===//
// Structures of answers
//===----------------------------------------------------------------------===//

/// One instruction of each warp: at lane 16 * half of its slab and `column`
/// cells after the view's base. Word r of the instruction is 32-bit word
/// words[r] of the thread's vector.
typedef struct TMemIssue {
  uint32_t half;
  uint32_t repeat; ///< N of .xN
  int64_t column;
  intptr_t numWords;
  const uint32_t *words;
} TMemIssue;

/// Compared in this order.
typedef struct TMemCost {
  uint32_t issues;    ///< Instructions of the hardware, of each warp.
  uint32_t moves;     ///< 32-bit registers of a thread to put in order.
  uint32_t registers; ///< 32-bit registers of a thread's vector.
} TMemCost;

/// A plan, without what the atom says already.
typedef struct TMemPlanInfo {
  TMemAtomShape shape;
  TMemPacking packing;
  intptr_t numIssues;
  const TMemIssue *issues;
  TMemCost cost;
  /// Cells from one warpgroup's columns to the next one's, in CTA scope.
  int64_t columnsPerWarpgroup;
  /// 16x32bx2: where the second access starts, after the first; its immediate.
  int64_t splitLane, splitColumn, splitImmediate;
  uint32_t numWarps;    ///< That execute the issues, from warp 0 on.
  uint32_t vectorWords; ///< 32-bit words of a thread's vector.
} TMemPlanInfo;

/// Why something is refused.
typedef struct TMemRejection {
  /// The id of the broken rule, "T1", and its text; empty for unusable
  /// arguments (a null view, an attribute of another kind).
  MlirStringRef rule;
  MlirStringRef ruleText;
  /// In the style of diagnostics.
  MlirStringRef message;
  /// The index in the tile of the element at fault, where the message names
  /// one: `elementRank` numbers. A split transfer's tile leads with 2.
  intptr_t elementRank;
  const int64_t *element;
} TMemRejection;

//===----------------------------------------------------------------------===//
// One atom
//===----------------------------------------------------------------------===//

/// Plans a transfer whose registers are given with one atom. Always returns an
/// object, to be destroyed, whatever is wrong with the arguments.
MLIR_CAPI_EXPORTED TMemPlan tmemPlanCreate(const TMemTransfer *transfer,
                                           MlirAttribute atom);
/// Ignores null.
MLIR_CAPI_EXPORTED void tmemPlanDestroy(TMemPlan plan);

/// Whether there is a plan; false for null.
MLIR_CAPI_EXPORTED bool tmemPlanIsLegal(TMemPlan plan);
/// Fills `info` in, and returns true, where there is a plan.
MLIR_CAPI_EXPORTED bool tmemPlanGetInfo(TMemPlan plan, TMemPlanInfo *info);
/// Fills `rejection` in, and returns true, where there is none.
MLIR_CAPI_EXPORTED bool tmemPlanGetRejection(TMemPlan plan,
                                             TMemRejection *rejection);

//===----------------------------------------------------------------------===//
// All atoms
//===----------------------------------------------------------------------===//

/// What may be chosen from. Zero is the default of every member.
typedef struct TMemSelectionOptions {
  /// 32-bit registers that one instruction may have in a lane, 1 to 128; 0 is
  /// 128.
  uint32_t maxRegistersPerIssue;
  /// The shapes that may be chosen; none means all.
  intptr_t numShapes;
  const TMemAtomShape *shapes;
} TMemSelectionOptions;

/// An atom that moves the tile.
typedef struct TMemCandidate {
  MlirAttribute atom;      ///< With the counts that the plan uses.
  MlirAttribute registers; ///< #tmem.layout, given or inferred.
  int64_t vectorSize;
  TMemPlanInfo plan;
} TMemCandidate;

typedef enum TMemReasonKind {
  TMemReasonIllegal,          ///< It breaks a rule.
  TMemReasonCostlier,         ///< It is legal, and costs more.
  TMemReasonTooManyRegisters, ///< Its smallest instruction has too many.
  TMemReasonExcluded          ///< The options leave it out.
} TMemReasonKind;

/// Why an atom was not chosen.
typedef struct TMemReason {
  TMemAtomShape shape;
  TMemPacking packing;
  TMemReasonKind kind;
  TMemRejection rejection;
} TMemReason;

/// Plans a transfer with every atom and ranks what is legal, as
/// tmem-select-atoms does; infers registers that are null. `options` may be
/// null. Always returns an object, to be destroyed.
MLIR_CAPI_EXPORTED TMemExplanation
tmemExplain(const TMemTransfer *transfer, const TMemSelectionOptions *options);
/// Ignores null.
MLIR_CAPI_EXPORTED void tmemExplanationDestroy(TMemExplanation explanation);

/// Fills `rejection` in, and returns true, where the arguments are unusable;
/// there are then neither candidates nor reasons.
MLIR_CAPI_EXPORTED bool tmemExplanationGetError(TMemExplanation explanation,
                                                TMemRejection *rejection);

/// The legal atoms, the cheapest first; 0 when nothing is legal, or for null.
MLIR_CAPI_EXPORTED intptr_t
tmemExplanationGetNumCandidates(TMemExplanation explanation);
/// False where there is none at `position`.
MLIR_CAPI_EXPORTED bool tmemExplanationGetCandidate(TMemExplanation explanation,
                                                    intptr_t position,
                                                    TMemCandidate *candidate);

/// One reason for each atom but the first candidate, in a fixed order.
MLIR_CAPI_EXPORTED intptr_t
tmemExplanationGetNumReasons(TMemExplanation explanation);
/// False where there is none at `position`, or for null.
MLIR_CAPI_EXPORTED bool tmemExplanationGetReason(TMemExplanation explanation,
                                                 intptr_t position,
                                                 TMemReason *reason);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_PLANNER_H
