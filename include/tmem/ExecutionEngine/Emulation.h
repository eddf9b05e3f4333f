//===- Emulation.h - What emulated kernels call -------------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between `emulate-tcgen05`, which rewrites kernels, and the code
// that they then run on: libtmem_emulation_runtime.so on a CPU (all functions),
// and the device library on a GPU without Tensor Memory (those marked
// [device]). Plain C, free of LLVM, so that both can include it.
//
// One call is made for each GPU thread. Functions that PTX defines for a warp
// (`.sync.aligned`) return once all 32 lanes have called them. A fault ends the
// process (on a GPU: the kernel); functions never return an error.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXECUTIONENGINE_EMULATION_H
#define TMEM_EXECUTIONENGINE_EMULATION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// What compiled kernels read and write themselves
//===----------------------------------------------------------------------===//

/// The operation that makes a call. Each operation has one of its own: its
/// address tells one operation from another. Strings are as many bytes behind
/// it as `op` and `file` say, so that a program can hold its sites as plain
/// numbers; a copy elsewhere has none.
typedef struct TMemEmuSite {
  int32_t op;   ///< As the source spells it, "nvvm.tcgen05.st"; 0 for none.
  int32_t file; ///< 0 when the location is unknown.
  uint32_t line, column;
} TMemEmuSite;

/// The name of the operation, or null.
static inline const char *tmemEmuGetOp(const TMemEmuSite *site) {
  return site->op ? (const char *)site + site->op : 0;
}
/// The file, or null when the location is unknown.
static inline const char *tmemEmuGetFile(const TMemEmuSite *site) {
  return site->file ? (const char *)site + site->file : 0;
}

/// Special registers that do not change while a thread lives, by their index in
/// TMemEmuThread::special.
typedef enum TMemEmuSpecial {
  TMemEmuTidX,
  TMemEmuTidY,
  TMemEmuTidZ,
  TMemEmuNtidX,
  TMemEmuNtidY,
  TMemEmuNtidZ,
  TMemEmuCtaidX,
  TMemEmuCtaidY,
  TMemEmuCtaidZ,
  TMemEmuNctaidX,
  TMemEmuNctaidY,
  TMemEmuNctaidZ,
  TMemEmuLaneid,
  TMemEmuWarpid,
  TMemEmuNwarpid,
  TMemEmuSmid,
  TMemEmuNsmid,
  TMemEmuGridid,
  TMemEmuClusteridX,
  TMemEmuClusteridY,
  TMemEmuClusteridZ,
  TMemEmuNclusteridX,
  TMemEmuNclusteridY,
  TMemEmuNclusteridZ,
  TMemEmuClusterCtaidX,
  TMemEmuClusterCtaidY,
  TMemEmuClusterCtaidZ,
  TMemEmuClusterNctaidX,
  TMemEmuClusterNctaidY,
  TMemEmuClusterNctaidZ,
  TMemEmuClusterCtarank,
  TMemEmuClusterNctarank,
  TMemEmuTotalSmemSize,
  TMemEmuDynamicSmemSize,
  TMemEmuIsExplicitCluster,
  TMemEmuNumSpecial = 40
} TMemEmuSpecial;

/// The windows of shared memory of CTAs are so many bytes apart.
#define TMEM_EMU_SHARED_WINDOW (256 * 1024)

/// The thread, first argument of every emulated function. Only these fields are
/// known to compiled code; a run-time library keeps its own behind them.
typedef struct TMemEmuThread {
  /// Loads numbered up to this have been waited for (see tmemEmuLoad).
  uint64_t completedLoads;
  /// Compiled code counts this down at each backward branch, and calls
  /// tmemEmuYield when it is no longer positive.
  int64_t fuel;
  /// The CTA's window of shared memory. An access of n bytes at address a
  /// through a shared pointer needs no call when
  /// a - sharedBegin <= sharedUnchecked - n (unsigned, n <= sharedUnchecked).
  uint64_t sharedBegin, sharedUnchecked;
  /// Where the windows of all CTAs lie: an access at a through a generic
  /// pointer needs no call when a - zoneBegin >= zoneSize (unsigned).
  uint64_t zoneBegin, zoneSize;
  uint32_t special[TMemEmuNumSpecial];
} TMemEmuThread;

/// A kernel as tmemEmuRegister takes it.
typedef struct TMemEmuKernel {
  const char *module, *name;
  /// Runs one thread. `params` is that of cuLaunchKernel.
  void (*entry)(TMemEmuThread *thread, void **params);
  const TMemEmuSite *site; ///< The kernel's own location.
  uint64_t numParams;
  uint64_t staticSharedBytes;  ///< Dynamic shared memory starts after them.
  uint64_t sharedAlignment;    ///< Of dynamic shared memory, a power of two.
  uint32_t requiredThreads[3]; ///< nvvm.reqntid, or zeros.
  uint32_t maxThreads;         ///< nvvm.maxntid (product), or zero.
  uint32_t maxRegisters;       ///< nvvm.maxnreg, or zero.
  uint32_t clusterSize[3];     ///< nvvm.cluster_dim, or zeros.
  const char *chip;            ///< "sm_100a".
  uint32_t columns;            ///< Of Tensor Memory, for plain allocations.
  uint32_t exclusiveColumns;   ///< With .exclusive.
  uint64_t maxClusterBlocks;   ///< nvvm.cluster_max_blocks, or zero.
} TMemEmuKernel;

/// Makes a kernel known to mgpuModuleGetFunction. Called by constructors of the
/// compiled program, before the module is loaded. `kernel` stays the caller's.
void tmemEmuRegister(const TMemEmuKernel *kernel);

/// What gpu.binary holds for a module that is emulated on the host: this, then
/// the name of the module.
#define TMEM_EMU_BINARY_PREFIX "tmem-emulation:"

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// [device] First and last call of a thread of a device kernel: claims and
/// gives back the CTA's Tensor Memory. Not called on the host.
void tmemEmuEnter(TMemEmuThread *thread, const TMemEmuSite *site,
                  uint32_t columns, uint32_t exclusiveColumns);
void tmemEmuLeave(TMemEmuThread *thread, const TMemEmuSite *site);

/// Lets others run, refills `fuel`, and faults over the bound of steps.
void tmemEmuYield(TMemEmuThread *thread, const TMemEmuSite *site);
/// nvvm.exit: the thread ends here. Does not return.
void tmemEmuExit(TMemEmuThread *thread, const TMemEmuSite *site);
/// llvm.intr.trap, and reaching llvm.unreachable. Does not return.
void tmemEmuTrap(TMemEmuThread *thread, const TMemEmuSite *site);
/// __assertfail. Does not return. Of a check that the compiler has added, the
/// message is the name of the operation that it is for, the character 0x1f, and
/// the message.
void tmemEmuAssertFail(TMemEmuThread *thread, const TMemEmuSite *site,
                       const char *message, const char *file, uint32_t line,
                       const char *function);
/// CUDA's vprintf: arguments are laid out as a struct with natural alignment.
int32_t tmemEmuPrintf(TMemEmuThread *thread, const char *format,
                      const void *arguments);
/// %clock64 (0), %globaltimer (1): what is not constant.
uint64_t tmemEmuReadTimer(TMemEmuThread *thread, uint32_t which);
/// A read of a register before its wait: `load` is what tmemEmuLoad returned.
/// Called only when load > completedLoads. [device] Does not return.
void tmemEmuPendingRead(TMemEmuThread *thread, const TMemEmuSite *site,
                        uint64_t load);

//===----------------------------------------------------------------------===//
// Tensor Memory
//===----------------------------------------------------------------------===//

typedef enum TMemEmuShape {
  TMemEmu32x32b,
  TMemEmu16x64b,
  TMemEmu16x128b,
  TMemEmu16x256b,
  TMemEmu16x32bx2
} TMemEmuShape;

typedef enum TMemEmuTransferFlags {
  TMemEmuPack = 1,      ///< .pack::16b or .unpack::16b
  TMemEmuReduceMin = 2, ///< ld.red
  TMemEmuReduceMax = 4,
  TMemEmuReduceU32 = 8, ///< Type of ld.red; f32 when neither
  TMemEmuReduceS32 = 16,
  TMemEmuReduceAbs = 32,
  TMemEmuReduceNaN = 64
} TMemEmuTransferFlags;

/// [device] tcgen05.ld of xN. `address` is a TMEM address (lane << 16 |
/// column), `offset` the immediate of 16x32bx2 (zero else). `words` gets the
/// registers of this lane in order, and with ld.red the reduced value after
/// them. Returns the number of this load, from 1 and growing by one for each
/// load of the warp: its registers may be read once `completedLoads` has
/// reached it.
uint64_t tmemEmuLoad(TMemEmuThread *thread, const TMemEmuSite *site,
                     uint32_t shape, uint32_t count, uint32_t flags,
                     uint32_t address, int64_t offset, uint32_t *words);
/// [device] tcgen05.st of xN.
void tmemEmuStore(TMemEmuThread *thread, const TMemEmuSite *site,
                  uint32_t shape, uint32_t count, uint32_t flags,
                  uint32_t address, int64_t offset, const uint32_t *words);
/// [device] tcgen05.wait::ld and tcgen05.wait::st.
void tmemEmuWaitLoad(TMemEmuThread *thread, const TMemEmuSite *site);
void tmemEmuWaitStore(TMemEmuThread *thread, const TMemEmuSite *site);

typedef enum TMemEmuAllocFlags {
  TMemEmuCtaGroup2 = 1, ///< .cta_group::2, else ::1
  TMemEmuExclusive = 2  ///< .exclusive
} TMemEmuAllocFlags;

/// [device] tcgen05.alloc: writes the address to `slot`, a generic pointer into
/// shared memory.
void tmemEmuAlloc(TMemEmuThread *thread, const TMemEmuSite *site,
                  uint32_t *slot, uint32_t columns, uint32_t flags);
/// [device]
void tmemEmuDealloc(TMemEmuThread *thread, const TMemEmuSite *site,
                    uint32_t address, uint32_t columns, uint32_t flags);
/// [device] tcgen05.relinquish_alloc_permit
void tmemEmuRelinquish(TMemEmuThread *thread, const TMemEmuSite *site,
                       uint32_t flags);

/// [device] Reads and writes a cell past all rules, for tests: neither is an
/// access of Tensor Memory to the checks, but a cell that was written so counts
/// as written. Kernels call them `tmem_emulation_read_cell(i32) -> i32` and
/// `tmem_emulation_write_cell(i32, i32)`, with a TMEM address first.
uint32_t tmemEmuReadCell(TMemEmuThread *thread, const TMemEmuSite *site,
                         uint32_t address);
void tmemEmuWriteCell(TMemEmuThread *thread, const TMemEmuSite *site,
                      uint32_t address, uint32_t value);

//===----------------------------------------------------------------------===//
// The tensor core
//===----------------------------------------------------------------------===//

// These are under way once they have been issued: they read and write when a
// tmemEmuCommit of the same thread completes.

/// What the instructions of .kind::X multiply (PTX ISA, tcgen05.mma).
typedef enum TMemEmuMmaKind {
  TMemEmuMmaF16,
  TMemEmuMmaTF32,
  TMemEmuMmaF8F6F4,
  TMemEmuMmaI8
} TMemEmuMmaKind;

typedef enum TMemEmuMmaFlags {
  // TMemEmuCtaGroup2
  TMemEmuMmaTensorA = 2 ///< A lies in Tensor Memory
} TMemEmuMmaFlags;

/// tcgen05.mma of dense matrices. `d` is a TMEM address, and so is `a` with
/// TMemEmuMmaTensorA; else `a`, as `b`, is a descriptor of shared memory.
/// `instruction` is the instruction descriptor, `accumulate` enable-input-d,
/// `scale` scale-input-d or zero.
void tmemEmuMma(TMemEmuThread *thread, const TMemEmuSite *site, uint32_t kind,
                uint32_t flags, uint32_t d, uint64_t a, uint64_t b,
                uint32_t instruction, uint32_t accumulate, uint32_t scale);

/// Shape and multicast of tcgen05.cp.
typedef enum TMemEmuCopyShape {
  TMemEmuCopy128x256b,
  TMemEmuCopy128x128b,
  TMemEmuCopy64x128b02_13, ///< .warpx2::02_13
  TMemEmuCopy64x128b01_23, ///< .warpx2::01_23
  TMemEmuCopy32x128b       ///< .warpx4
} TMemEmuCopyShape;

/// tcgen05.cp of what a descriptor of shared memory names, without
/// decompression. `flags` are TMemEmuAllocFlags.
void tmemEmuTensorCopy(TMemEmuThread *thread, const TMemEmuSite *site,
                       uint32_t shape, uint32_t flags, uint32_t address,
                       uint64_t source);
/// tcgen05.shift.down. `flags` are TMemEmuAllocFlags.
void tmemEmuTensorShift(TMemEmuThread *thread, const TMemEmuSite *site,
                        uint32_t flags, uint32_t address);
/// tcgen05.commit: `barrier` gets one arrival when all that the thread has
/// issued before is complete. `flags` are TMemEmuAllocFlags.
void tmemEmuCommit(TMemEmuThread *thread, const TMemEmuSite *site,
                   uint64_t *barrier, uint32_t flags);

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

typedef enum TMemEmuFenceKind {
  TMemEmuFenceBefore, ///< tcgen05.fence::before_thread_sync [device]
  TMemEmuFenceAfter,  ///< tcgen05.fence::after_thread_sync [device]
  TMemEmuFenceMemory, ///< membar, fence.*, and around ordered atomics
  TMemEmuFenceProxy   ///< fence.proxy.async, of shared memory
} TMemEmuFenceKind;
void tmemEmuFence(TMemEmuThread *thread, const TMemEmuSite *site,
                  uint32_t kind);

typedef enum TMemEmuBarrierFlags {
  TMemEmuBarrierAligned = 1,
  TMemEmuBarrierArrive = 2, ///< bar.arrive: does not wait
  TMemEmuBarrierPopc = 4,   ///< bar.red
  TMemEmuBarrierAnd = 8,
  TMemEmuBarrierOr = 16
} TMemEmuBarrierFlags;

/// bar / barrier.cta of PTX. `threads` is 0 for all of the CTA. Returns the
/// reduction of `predicate` (0 or 1 for and, or).
uint32_t tmemEmuBarrier(TMemEmuThread *thread, const TMemEmuSite *site,
                        uint32_t id, uint32_t threads, uint32_t flags,
                        uint32_t predicate);
/// bar.warp.sync
void tmemEmuWarpSync(TMemEmuThread *thread, const TMemEmuSite *site,
                     uint32_t mask);

typedef enum TMemEmuClusterFlags {
  TMemEmuClusterWait = 1,    ///< barrier.cluster.wait, else arrive
  TMemEmuClusterRelaxed = 2, ///< arrive.relaxed
  TMemEmuClusterAligned = 4
} TMemEmuClusterFlags;
/// barrier.cluster
void tmemEmuClusterBarrier(TMemEmuThread *thread, const TMemEmuSite *site,
                           uint32_t flags);

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

typedef enum TMemEmuShuffleKind {
  TMemEmuShuffleIdx,
  TMemEmuShuffleUp,
  TMemEmuShuffleDown,
  TMemEmuShuffleBfly
} TMemEmuShuffleKind;
/// shfl.sync: `clamp` is PTX's operand c. The predicate is bit 32 of the
/// result.
uint64_t tmemEmuShuffle(TMemEmuThread *thread, const TMemEmuSite *site,
                        uint32_t kind, uint32_t mask, uint32_t value,
                        uint32_t offset, uint32_t clamp);

typedef enum TMemEmuVoteKind {
  TMemEmuVoteAny,
  TMemEmuVoteAll,
  TMemEmuVoteBallot,
  TMemEmuVoteUni
} TMemEmuVoteKind;
uint32_t tmemEmuVote(TMemEmuThread *thread, const TMemEmuSite *site,
                     uint32_t kind, uint32_t mask, uint32_t predicate);
/// elect.sync: the leader's lane, and in bit 32 whether it is this one.
uint64_t tmemEmuElect(TMemEmuThread *thread, const TMemEmuSite *site,
                      uint32_t mask);
/// match.sync of `bits` 32 or 64: any (0) or all (1). The mask, and for `all`
/// in bit 32 the predicate.
uint64_t tmemEmuMatch(TMemEmuThread *thread, const TMemEmuSite *site,
                      uint32_t all, uint32_t mask, uint64_t value);

typedef enum TMemEmuReduceKind {
  TMemEmuReduceAdd,
  TMemEmuReduceUMin,
  TMemEmuReduceUMax,
  TMemEmuReduceSMin,
  TMemEmuReduceSMax,
  TMemEmuReduceAnd,
  TMemEmuReduceOr,
  TMemEmuReduceXor,
  TMemEmuReduceFMin,
  TMemEmuReduceFMax
} TMemEmuReduceKind;
/// redux.sync; `abs` and `nan` (0 or 1) for the float kinds, whose values
/// travel as their bits.
uint32_t tmemEmuRedux(TMemEmuThread *thread, const TMemEmuSite *site,
                      uint32_t kind, uint32_t mask, uint32_t value,
                      uint32_t abs, uint32_t nan);

//===----------------------------------------------------------------------===//
// Mbarriers
//===----------------------------------------------------------------------===//

void tmemEmuMBarrierInit(TMemEmuThread *thread, const TMemEmuSite *site,
                         uint64_t *barrier, uint32_t count);
void tmemEmuMBarrierInval(TMemEmuThread *thread, const TMemEmuSite *site,
                          uint64_t *barrier);

typedef enum TMemEmuArriveFlags {
  TMemEmuArriveDrop = 1,
  TMemEmuArriveNoComplete = 2,
  TMemEmuArriveRelaxed = 4,
  TMemEmuArriveCluster = 8, ///< Not through a pointer to .shared::cta
  TMemEmuArriveState = 16   ///< The state is used
} TMemEmuArriveFlags;
/// mbarrier.arrive[_drop][.noComplete][.expect_tx]: expects `bytes` more first.
/// Returns the state of the phase that the arrival counted in.
uint64_t tmemEmuMBarrierArrive(TMemEmuThread *thread, const TMemEmuSite *site,
                               uint64_t *barrier, uint32_t count,
                               uint32_t bytes, uint32_t flags);
void tmemEmuMBarrierExpect(TMemEmuThread *thread, const TMemEmuSite *site,
                           uint64_t *barrier, uint32_t bytes);
void tmemEmuMBarrierComplete(TMemEmuThread *thread, const TMemEmuSite *site,
                             uint64_t *barrier, uint32_t bytes);

typedef enum TMemEmuWaitFlags {
  TMemEmuWaitParity = 1, ///< `state` is a parity, else what arrive returned
  TMemEmuWaitBlock = 2,  ///< Return only once the phase is complete
  TMemEmuWaitTry = 4,    ///< try_wait: may suspend; else test_wait
  TMemEmuWaitRelaxed = 8
} TMemEmuWaitFlags;
/// mbarrier.test_wait, try_wait: whether the phase is complete.
uint32_t tmemEmuMBarrierWait(TMemEmuThread *thread, const TMemEmuSite *site,
                             uint64_t *barrier, uint64_t state, uint32_t flags);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

typedef enum TMemEmuAccessFlags {
  TMemEmuAccessWrite = 1,
  TMemEmuAccessAtomic = 2,
  TMemEmuAccessShared = 4, ///< Through a pointer to .shared::cta
  TMemEmuAccessCluster = 8 ///< To .shared::cluster; with neither a generic one
} TMemEmuAccessFlags;
/// Checks an access that compiled code could not clear itself (see
/// TMemEmuThread): out of bounds, in a CTA of the cluster that does not run, or
/// in race mode two warps that nothing orders. Called before the access. In
/// race mode it is called for every access.
void tmemEmuSharedAccess(TMemEmuThread *thread, const TMemEmuSite *site,
                         uint64_t address, uint64_t bytes, uint32_t flags);

/// mapa: the address in the CTA of this rank that corresponds to `address`.
uint64_t tmemEmuMapShared(TMemEmuThread *thread, const TMemEmuSite *site,
                          uint64_t address, uint32_t rank);
/// getctarank
uint32_t tmemEmuGetCtaRank(TMemEmuThread *thread, const TMemEmuSite *site,
                           uint64_t address);

#ifdef __cplusplus
}
#endif

#endif // TMEM_EXECUTIONENGINE_EMULATION_H
