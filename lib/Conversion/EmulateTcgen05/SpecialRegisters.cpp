//===- SpecialRegisters.cpp - Emulated special registers ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "tmem/ExecutionEngine/Emulation.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

namespace {

struct SpecialRegister {
  StringLiteral name; ///< As intrinsics and operations spell it.
  unsigned index;     ///< TMemEmuSpecial
};

// PTX ISA, Special Registers; with '_' of PTX as '.'.
constexpr SpecialRegister registers[] = {
    {"tid.x", TMemEmuTidX},
    {"tid.y", TMemEmuTidY},
    {"tid.z", TMemEmuTidZ},
    {"ntid.x", TMemEmuNtidX},
    {"ntid.y", TMemEmuNtidY},
    {"ntid.z", TMemEmuNtidZ},
    {"ctaid.x", TMemEmuCtaidX},
    {"ctaid.y", TMemEmuCtaidY},
    {"ctaid.z", TMemEmuCtaidZ},
    {"nctaid.x", TMemEmuNctaidX},
    {"nctaid.y", TMemEmuNctaidY},
    {"nctaid.z", TMemEmuNctaidZ},
    {"laneid", TMemEmuLaneid},
    {"warpid", TMemEmuWarpid},
    {"nwarpid", TMemEmuNwarpid},
    {"smid", TMemEmuSmid},
    {"nsmid", TMemEmuNsmid},
    {"gridid", TMemEmuGridid},
    {"clusterid.x", TMemEmuClusteridX},
    {"clusterid.y", TMemEmuClusteridY},
    {"clusterid.z", TMemEmuClusteridZ},
    {"nclusterid.x", TMemEmuNclusteridX},
    {"nclusterid.y", TMemEmuNclusteridY},
    {"nclusterid.z", TMemEmuNclusteridZ},
    {"cluster.ctaid.x", TMemEmuClusterCtaidX},
    {"cluster.ctaid.y", TMemEmuClusterCtaidY},
    {"cluster.ctaid.z", TMemEmuClusterCtaidZ},
    {"cluster.nctaid.x", TMemEmuClusterNctaidX},
    {"cluster.nctaid.y", TMemEmuClusterNctaidY},
    {"cluster.nctaid.z", TMemEmuClusterNctaidZ},
    {"cluster.ctarank", TMemEmuClusterCtarank},
    {"cluster.nctarank", TMemEmuClusterNctarank},
    {"total.smem.size", TMemEmuTotalSmemSize},
    {"aggr.smem.size", TMemEmuTotalSmemSize},
    {"dynamic.smem.size", TMemEmuDynamicSmemSize},
    {"is.explicit.cluster", TMemEmuIsExplicitCluster},
};

} // namespace

/// The masks of the lanes that stand in a relation to this one.
static Value emitLaneMask(Emitter &emitter, StringRef relation) {
  Value bit = emitter.create<LLVM::ShlOp>(emitter.i32(1),
                                          emitter.getSpecial(TMemEmuLaneid));
  if (relation == "eq")
    return bit;
  Value below = emitter.create<LLVM::SubOp>(bit, emitter.i32(1));
  Value upTo = emitter.create<LLVM::OrOp>(below, bit);
  if (relation == "lt")
    return below;
  if (relation == "le")
    return upTo;
  if (relation == "ge")
    return emitter.create<LLVM::XOrOp>(below, emitter.i32(-1));
  if (relation == "gt")
    return emitter.create<LLVM::XOrOp>(upTo, emitter.i32(-1));
  return {};
}

/// Registers of 64 bits that change, and their halves.
static Value emitTimer(Emitter &emitter, StringRef name) {
  bool isGlobal = name.consume_front("globaltimer");
  if (!isGlobal && !name.consume_front("clock"))
    return {};
  bool isWhole = isGlobal ? name.empty() : name == "64";
  bool isLow = isGlobal ? name == ".lo" : name.empty();
  if (!isWhole && !isLow && name != ".hi")
    return {};
  Value time = emitter.call("tmemEmuReadTimer", emitter.i32(isGlobal));
  if (isWhole)
    return time;
  if (!isLow)
    time = emitter.create<LLVM::LShrOp>(time, emitter.i64(32));
  return emitter.getLow(time);
}

Value mlir::tmem::emulate::emitSpecialRegister(Emitter &emitter,
                                               StringRef name) {
  for (const SpecialRegister &reg : registers)
    if (reg.name == name)
      return emitter.getSpecial(reg.index);
  if (name == "warpsize")
    return emitter.i32(32);
  // The fourth element of these vectors is zero.
  if (name.ends_with(".w"))
    for (const SpecialRegister &reg : registers)
      if (reg.name.drop_back() == name.drop_back())
        return emitter.i32(0);
  if (name.consume_front("lanemask."))
    return emitLaneMask(emitter, name);
  return emitTimer(emitter, name);
}
