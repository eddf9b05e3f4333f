//===- StaticSite.h - Operations that tests name to the emulator-*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_UNITTESTS_EXECUTIONENGINE_STATICSITE_H
#define TMEM_UNITTESTS_EXECUTIONENGINE_STATICSITE_H

#include "tmem/ExecutionEngine/Emulation.h"
#include <cstdlib>
#include <cstring>

namespace tmem::emulation::test {

/// A site with its strings behind it, as compiled programs have them.
class StaticSite : public TMemEmuSite {
public:
  StaticSite(const char *opText, const char *fileText, uint32_t line,
             uint32_t column)
      : TMemEmuSite{0, 0, line, column} {
    op = add(opText);
    file = add(fileText);
  }
  StaticSite(const StaticSite &) = delete;

private:
  int32_t add(const char *string) {
    if (!string)
      return 0;
    char *place = text + used;
    used += std::strlen(string) + 1;
    if (used > sizeof(text))
      std::abort();
    std::strcpy(place, string);
    return place - reinterpret_cast<char *>(static_cast<TMemEmuSite *>(this));
  }

  char text[96];
  size_t used = 0;
};

} // namespace tmem::emulation::test

#endif // TMEM_UNITTESTS_EXECUTIONENGINE_STATICSITE_H
