//===- Binary.cpp - What a module's binary says of itself -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Binary.h"
#include "tmem/ExecutionEngine/Emulation.h"
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

using namespace tmem::cuda;

std::string BinaryInfo::getChip() const {
  std::string name = "sm_" + std::to_string(arch);
  return suffix ? name + suffix : name;
}

bool BinaryInfo::isTensorMemoryChip() const {
  return arch / 10 == 10 || arch / 10 == 11;
}

bool BinaryInfo::runsOn(int major, int minor) const {
  if (arch == 0)
    return true;
  int device = 10 * major + minor;
  if (suffix == 'a')
    return device == arch;
  // Machine code and families do not reach the next major version; plain PTX
  // does.
  bool sameMajor = kind == BinaryKind::Cubin || suffix == 'f';
  return device >= arch && (!sameMajor || major == arch / 10);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Reads "sm_100a" at the beginning of `text`.
static bool readChip(std::string_view text, BinaryInfo &info) {
  if (text.substr(0, 3) != "sm_")
    return false;
  size_t end = 3;
  int arch = 0;
  for (; end < text.size() && end < 7 && isdigit(text[end]); ++end)
    arch = 10 * arch + (text[end] - '0');
  if (end == 3)
    return false;
  char last = end < text.size() ? text[end] : 0;
  info.arch = arch;
  info.suffix = last == 'a' || last == 'f' ? last : 0;
  return true;
}

static std::string_view skipSpace(std::string_view text) {
  while (!text.empty() && isspace(text.front()))
    text.remove_prefix(1);
  return text;
}

static std::string_view readName(std::string_view text) {
  text = skipSpace(text);
  size_t end = 0;
  while (end < text.size() && (isalnum(text[end]) || text[end] == '_' ||
                               text[end] == '$' || text[end] == '%'))
    ++end;
  return text.substr(0, end);
}

static void readPtx(std::string_view text, BinaryInfo &info) {
  info.kind = BinaryKind::Ptx;
  size_t target = text.find(".target");
  if (target != std::string_view::npos)
    readChip(skipSpace(text.substr(target + strlen(".target"))), info);
  constexpr std::string_view entry = ".entry";
  for (size_t at = text.find(entry); at != std::string_view::npos;
       at = text.find(entry, at + 1)) {
    std::string name(readName(text.substr(at + entry.size())));
    if (!name.empty())
      info.kernels.push_back(std::move(name));
  }
}

/// Comments and blanks, then a version.
static bool isPtx(std::string_view text) {
  for (;;) {
    text = skipSpace(text);
    if (text.substr(0, 2) != "//")
      return text.substr(0, 8) == ".version";
    size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return false;
    text.remove_prefix(end);
  }
}

//===----------------------------------------------------------------------===//
// ELF
//===----------------------------------------------------------------------===//

namespace {
struct ElfHeader {
  unsigned char ident[16];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, programs, sections;
  uint32_t flags;
  uint16_t headerSize, programSize, numPrograms, sectionSize, numSections,
      nameSection;
};
struct ElfSection {
  uint32_t name, type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t alignment, entrySize;
};
struct ElfSymbol {
  uint32_t name;
  unsigned char info, other;
  uint16_t section;
  uint64_t value, size;
};

/// Reads within bounds.
struct Reader {
  const char *data;
  uint64_t size;
  template <typename T> bool read(uint64_t offset, T &value) const {
    if (offset > size || sizeof(T) > size - offset)
      return false;
    memcpy(&value, data + offset, sizeof(T));
    return true;
  }
  std::string readString(uint64_t offset) const {
    if (offset >= size)
      return "";
    return std::string(data + offset, strnlen(data + offset, size - offset));
  }
};
} // namespace

constexpr uint16_t machineCuda = 190;
constexpr uint32_t symbolTable = 2;
constexpr unsigned char globalFunction = 0x12, entryPoint = 0x10;

/// Entry points are global functions that are marked so.
static void readSymbols(const Reader &file, const ElfHeader &header,
                        const ElfSection &table, BinaryInfo &info) {
  ElfSection strings;
  if (!file.read(header.sections + uint64_t(table.link) * sizeof(ElfSection),
                 strings))
    return;
  for (uint64_t at = 0; at + sizeof(ElfSymbol) <= table.size;
       at += sizeof(ElfSymbol)) {
    ElfSymbol symbol;
    if (!file.read(table.offset + at, symbol))
      return;
    if (symbol.info == globalFunction && (symbol.other & entryPoint))
      info.kernels.push_back(file.readString(strings.offset + symbol.name));
  }
}

/// Cubins of ABI version 8 have the architecture in bits 8 to 15 of the flags,
/// those before in bits 0 to 7. Only the assembler's command line, which it
/// keeps in a note, tells sm_100a from sm_100f.
static void readArch(const Reader &file, const ElfHeader &header,
                     BinaryInfo &info) {
  info.arch =
      header.ident[8] >= 8 ? header.flags >> 8 & 0xff : header.flags & 0xff;
  std::string_view all(file.data, file.size);
  std::string chip = "-arch sm_" + std::to_string(info.arch);
  size_t at = all.find(chip);
  if (at != std::string_view::npos)
    readChip(all.substr(at + strlen("-arch ")), info);
}

static void readElf(const Reader &file, BinaryInfo &info) {
  ElfHeader header;
  if (!file.read(0, header) || header.machine != machineCuda)
    return;
  info.kind = BinaryKind::Cubin;
  readArch(file, header, info);
  for (unsigned i = 0; i < header.numSections; ++i) {
    ElfSection section;
    if (!file.read(header.sections + i * sizeof(ElfSection), section))
      return;
    if (section.type == symbolTable)
      readSymbols(file, header, section, info);
  }
}

//===----------------------------------------------------------------------===//
// Any
//===----------------------------------------------------------------------===//

/// Of an ELF file whose size the caller does not say: its headers come last.
static uint64_t getElfSize(const char *data) {
  ElfHeader header;
  memcpy(&header, data, sizeof(header));
  return std::max<uint64_t>(
      header.sections + uint64_t(header.numSections) * header.sectionSize,
      header.programs + uint64_t(header.numPrograms) * header.programSize);
}

static bool startsWith(const char *data, size_t size, const char *prefix,
                       size_t length) {
  // Without a size, text and headers are long enough to differ within bounds.
  return size ? size >= length && memcmp(data, prefix, length) == 0
              : strncmp(data, prefix, length) == 0;
}

BinaryInfo tmem::cuda::readBinary(const void *bytes, size_t size) {
  const char *data = static_cast<const char *>(bytes);
  BinaryInfo info;
  constexpr char emulation[] = TMEM_EMU_BINARY_PREFIX;
  constexpr char fatBinary[] = "\x50\xed\x55\xba";
  if (startsWith(data, size, emulation, sizeof(emulation) - 1)) {
    info.kind = BinaryKind::Emulation;
    const char *name = data + sizeof(emulation) - 1;
    info.moduleName =
        size ? std::string(name, strnlen(name, size - (sizeof(emulation) - 1)))
             : std::string(name);
  } else if (startsWith(data, size,
                        "\x7f"
                        "ELF",
                        4)) {
    readElf({data, size ? size : getElfSize(data)}, info);
  } else if (startsWith(data, size, fatBinary, 4)) {
    info.kind = BinaryKind::FatBinary;
  } else if (startsWith(data, size, "BC\xc0\xde", 4)) {
    info.kind = BinaryKind::Bitcode;
  } else {
    std::string_view text(data, size ? strnlen(data, size) : strlen(data));
    if (isPtx(text))
      readPtx(text, info);
  }
  return info;
}
