//===- Shadow.h - Who accessed a word last ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For race mode: for each 32-bit word of a memory the accesses that a later one
// may still race with. A word holds the index of a mark; marks form chains that
// many words share, so that a shadow takes 16 bits a word.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_SHADOW_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_SHADOW_H

#include "Clocks.h"
#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace tmem::emulation {

/// One access by a warp.
struct Mark {
  const Site *site;
  uint32_t epoch; ///< The warp's component of the clock that the shadow uses.
  uint32_t order; ///< The same for the order that barriers make.
  uint16_t next;
  uint16_t warp;     ///< Its number in the cluster.
  uint8_t bytes : 4; ///< A bit for each byte of the word.
  bool write : 1, atomic : 1;
  bool pending : 1; ///< Not waited for: ordered before nothing yet.

  bool isSameAccess(const Mark &other) const {
    return site == other.site && epoch == other.epoch && order == other.order &&
           warp == other.warp && bytes == other.bytes && write == other.write &&
           atomic == other.atomic && pending == other.pending;
  }
};

class Shadow {
public:
  /// Called with the mark that an access races with; does not return.
  using Conflict = std::function<void(const Mark &)>;
  /// Whether all warps are ordered after a mark.
  using IsKnown = std::function<bool(const Mark &)>;

  /// For a new CTA: `numWords` words that none of `numWarps` warps has
  /// accessed.
  void reset(uint32_t numWords, uint32_t numWarps, IsKnown isKnown);
  /// Forgets the accesses to words [begin, end).
  void clear(uint32_t begin, uint32_t end);

  /// Words of `rows` rows, `stride` words from one to the next.
  struct Words {
    uint32_t begin, width, rows = 1, stride = 0;
  };
  /// Adds an access. `clock` is that of the accessing warp.
  void add(Words words, const Mark &mark, const VectorClock &clock,
           const Conflict &conflict);

  /// Looks for accesses that one would race with, without adding it.
  void check(Words words, const Mark &mark, const VectorClock &clock,
             const Conflict &conflict) const;

  /// The pending reads or writes of a warp are complete: they count as done at
  /// these components of its clocks.
  void complete(uint32_t warp, bool write, uint32_t epoch, uint32_t order);

private:
  uint16_t push(uint16_t head, const Mark &mark, const VectorClock &clock,
                const Conflict &conflict);
  uint16_t intern(Mark mark, uint16_t next);
  void collect();
  void forget();

  IsKnown isKnown;
  uint32_t numWords = 0, capacity = 0;
  std::unique_ptr<uint16_t[]> heads;
  std::vector<Mark> marks;     ///< The first one is no mark.
  std::vector<uint16_t> cache; ///< Finds equal marks by their hash, mostly.
  size_t threshold = 0;        ///< Marks at which to drop old ones.
  /// Of each warp, its loads and its stores.
  std::vector<std::array<std::vector<uint16_t>, 2>> pending;
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_SHADOW_H
