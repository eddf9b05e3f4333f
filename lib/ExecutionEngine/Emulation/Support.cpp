//===- Support.cpp - Text for messages ------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace tmem::emulation;

std::string tmem::emulation::format(const char *pattern, ...) {
  va_list args;
  va_start(args, pattern);
  va_list again;
  va_copy(again, args);
  int size = vsnprintf(nullptr, 0, pattern, args);
  va_end(args);
  std::string text(size > 0 ? size : 0, '\0');
  vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

NewSite::NewSite(const std::string &op, const char *file, uint32_t line,
                 uint32_t column) {
  size_t fileBytes = file ? std::strlen(file) + 1 : 0;
  size_t bytes = alignTo(op.size() + 1 + fileBytes, sizeof(Site));
  memory.resize(1 + bytes / sizeof(Site));
  char *begin = reinterpret_cast<char *>(memory.data());
  int32_t end = sizeof(Site);
  std::memcpy(begin + end, op.c_str(), op.size() + 1);
  memory.front() = {end, 0, line, column};
  end += op.size() + 1;
  if (!file)
    return;
  std::memcpy(begin + end, file, fileBytes);
  memory.front().file = end;
}

/// "noun 3", "nouns 0 to 15 and 17".
static std::string describeBits(const char *noun, uint32_t mask) {
  std::string text;
  for (uint32_t rest = mask; rest;) {
    uint32_t first = getLowest(rest), last = first;
    while (last < 31 && (rest >> (last + 1) & 1))
      ++last;
    rest = last == 31 ? 0 : rest >> (last + 1) << (last + 1);
    if (!text.empty())
      text += rest ? ", " : " and ";
    text += std::to_string(first);
    if (last == first + 1)
      text += (rest ? ", " : " and ") + std::to_string(last);
    else if (last != first)
      text += " to " + std::to_string(last);
  }
  return std::string(noun) + (count(mask) == 1 ? " " : "s ") + text;
}

std::string tmem::emulation::describeLanes(uint32_t mask) {
  return describeBits("lane", mask);
}

std::string tmem::emulation::describeWarps(uint32_t mask) {
  return describeBits("warp", mask);
}

std::string tmem::emulation::describeAddress(uint32_t address) {
  return format("0x%08x (lane %u, column %u)", address, address >> 16,
                address & 0xffff);
}
