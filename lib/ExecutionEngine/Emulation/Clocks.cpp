//===- Clocks.cpp - What is ordered before what ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clocks.h"

using namespace tmem::emulation;

uint32_t &Counts::getRest(uint32_t index) {
  if (!rest)
    rest = std::make_unique<std::vector<uint32_t>>();
  if (index >= rest->size())
    rest->resize(index + 1);
  return (*rest)[index];
}

void Counts::copyRest(const Counts &other) {
  if (!other.rest)
    rest.reset();
  else if (rest)
    *rest = *other.rest;
  else
    rest = std::make_unique<std::vector<uint32_t>>(*other.rest);
}

void Counts::joinRest(const Counts &other) {
  size_t size = other.rest->size();
  getRest(size - 1);
  uint32_t *mine = rest->data();
  const uint32_t *theirs = other.rest->data();
  for (size_t i = 0; i < size; ++i)
    mine[i] = mine[i] < theirs[i] ? theirs[i] : mine[i];
}
