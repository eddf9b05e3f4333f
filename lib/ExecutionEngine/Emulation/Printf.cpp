//===- Printf.cpp - printf of kernels -------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's vprintf: the arguments lie one after another, each aligned to its
// size, integers as int or larger and floats as double.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cstdio>
#include <cstring>
#include <string>

using namespace tmem::emulation;

namespace {

/// Takes the arguments one by one.
class Arguments {
public:
  explicit Arguments(const void *begin)
      : next(static_cast<const char *>(begin)) {}

  template <typename T> T take() {
    uintptr_t address = alignTo(reinterpret_cast<uintptr_t>(next), sizeof(T));
    T value;
    memcpy(&value, reinterpret_cast<const void *>(address), sizeof(T));
    next = reinterpret_cast<const char *>(address) + sizeof(T);
    ++number;
    return value;
  }
  int32_t getNumber() const { return number; }

private:
  const char *next;
  int32_t number = 0;
};

/// A conversion specification of a format, its * replaced by numbers.
struct Conversion {
  std::string flags;  ///< All between % and the length modifier.
  std::string length; ///< "l", "hh"
  char type = 0;
};

/// Formats one value.
template <typename T> std::string print(const std::string &pattern, T value) {
  int size = snprintf(nullptr, 0, pattern.c_str(), value);
  std::string text(size > 0 ? size : 0, '\0');
  snprintf(text.data(), text.size() + 1, pattern.c_str(), value);
  return text;
}

/// Reads the specification after a %, and leaves `format` behind it.
Conversion parse(const char *&format, Arguments &arguments) {
  Conversion conversion;
  for (; *format && strchr("-+ #0123456789.*", *format); ++format)
    if (*format == '*')
      conversion.flags += std::to_string(arguments.take<int32_t>());
    else
      conversion.flags += *format;
  for (; *format && strchr("hlLjzt", *format); ++format)
    conversion.length += *format;
  if (*format)
    conversion.type = *format++;
  return conversion;
}

std::string printInteger(const Conversion &conversion, Arguments &arguments) {
  std::string pattern = "%" + conversion.flags;
  const std::string &length = conversion.length;
  bool isLong = !length.empty() && strchr("ljzt", length[0]);
  if (isLong)
    return print(pattern + "ll" + conversion.type, arguments.take<int64_t>());
  return print(pattern + length + conversion.type, arguments.take<int32_t>());
}

std::string printString(const Conversion &conversion, Arguments &arguments) {
  const char *value = arguments.take<const char *>();
  return print("%" + conversion.flags + "s", value ? value : "(null)");
}

std::string printConversion(const Conversion &conversion,
                            Arguments &arguments) {
  if (strchr("diuxXoc", conversion.type))
    return printInteger(conversion, arguments);
  if (strchr("fFeEgGaA", conversion.type))
    return print("%" + conversion.flags + conversion.type,
                 arguments.take<double>());
  if (conversion.type == 's')
    return printString(conversion, arguments);
  if (conversion.type == 'p')
    return print("%" + conversion.flags + "p", arguments.take<void *>());
  // CUDA prints what it does not know.
  return "%" + conversion.flags + conversion.length + conversion.type;
}

} // namespace

int32_t tmemEmuPrintf(TMemEmuThread *, const char *format, const void *given) {
  Arguments arguments(given);
  std::string text;
  while (*format) {
    if (*format != '%') {
      text += *format++;
      continue;
    }
    ++format;
    Conversion conversion = parse(format, arguments);
    if (conversion.type == '%')
      text += '%';
    else if (conversion.type)
      text += printConversion(conversion, arguments);
  }
  // One call, so that threads do not print into each other's lines.
  fwrite(text.data(), 1, text.size(), stdout);
  return arguments.getNumber();
}
