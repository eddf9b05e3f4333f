# ===- transfer_check.py - What transfers are given, and what has to come --===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Input words for the programs of random-transfers.py, and the comparison of every
bit that they write."""

import array
import operator
import random

WORD = 0xFFFFFFFF


def cell_values(salt, count):
    """Distinct in both halves for each cell of a CTA."""
    return array.array(
        "I",
        [
            ((cell * 0x9E35 + 7 * salt + 1) & 0xFFFF) << 16
            | (cell * 40503 + salt) & 0xFFFF
            for cell in range(count)
        ],
    )


def change_mask(transfer):
    return 0x5A3C69F15AC3961F >> (64 - transfer.bits)


def element_values(transfer):
    """Distinct for as many as the width allows."""
    bits, count = transfer.bits, transfer.count
    if bits <= 8:
        drawn = random.Random(~transfer.number)
        return [drawn.getrandbits(bits) for _ in range(count)]
    odd = 0x9E3779B97F4A7C15 >> (64 - bits) | 1
    mask, number = (1 << bits) - 1, transfer.number
    return [((e + 1) * odd + number) & mask for e in range(count)]


def read(words, places, width):
    """Values of so many bits at (word, bit) in words; those of 64 are two words."""
    numbers, bits = places
    # Two more, for one number alone is no list.
    *found, _, _ = operator.itemgetter(*numbers, 0, 0)(words)
    if width == 32:
        return found
    if width == 64:
        return [low | words[n + 1] << 32 for low, n in zip(found, numbers)]
    mask = (1 << width) - 1
    if not any(bits):
        return [word & mask for word in found]
    return [word >> bit & mask for word, bit in zip(found, bits)]


def cell_places(kernel, transfer):
    """As transfer.memory_places(), but cells and bits of the cells."""
    columns, first = kernel.columns, transfer.column
    for copies in transfer.memory_places():
        yield [
            (
                [l * columns + first + bit // 32 for l, bit in zip(lanes, bits)],
                [bit % 32 for bit in bits],
            )
            for lanes, bits in copies
        ]


def word_places(transfer, first):
    """As transfer.register_places(), but words of all that follow the first."""
    for threads, words, bits in transfer.register_places():
        count = transfer.words
        yield [first + t * count + w for t, w in zip(threads, words)], bits


def make_input(program):
    words = array.array("I", bytes(4 * program.size_in))
    for salt, kernel in enumerate(program.kernels):
        words[kernel.first : kernel.first + kernel.cells] = cell_values(
            salt, kernel.cells
        )
        for transfer in kernel.transfers:
            words[transfer.first_index] = transfer.index
            if not transfer.is_load and not transfer.is_change:
                fill_registers(kernel, transfer, words)
    return words


def fill_registers(kernel, transfer, words):
    """Elements, and noise where there are none."""
    first, count = transfer.first_in, kernel.threads * transfer.words
    noise = random.Random(transfer.number).randbytes(4 * count)
    words[first : first + count] = array.array("I", noise)
    values, mask = element_values(transfer), (1 << min(transfer.bits, 32)) - 1
    for numbers, bits in word_places(transfer, first):
        if transfer.bits == 32:
            for value, at in zip(values, numbers):
                words[at] = value
            continue
        for value, at, bit in zip(values, numbers, bits):
            words[at] = words[at] & (WORD ^ mask << bit) | (value & mask) << bit
            if transfer.bits == 64:
                words[at + 1] = value >> 32


class Checker:
    def __init__(self, program, words_in, words_out):
        self.program, self.given, self.got = program, words_in, words_out
        self.elements = self.wrong = self.wrong_transfers = 0
        self.topics = {}

    def fail(self, transfer, message):
        self.wrong += 1
        if self.wrong <= 10:
            print(f"transfer {transfer.number} ({transfer.atom}): {message}")

    def count(self, transfer):
        shape = transfer.atom.split(",")[0]
        scope = transfer.scope.split()[0]
        topics = [shape, f"{transfer.bits} bits", transfer.way, scope]
        topics += ["packed"] if "pack" in transfer.atom else []
        for topic in topics:
            self.topics[topic] = self.topics.get(topic, 0) + 1

    def run(self, spoils):
        for kernel in self.program.kernels:
            memory = self.given[kernel.first : kernel.first + kernel.cells]
            for transfer in kernel.transfers:
                self.count(transfer)
                before = self.wrong
                if spoils:
                    self.spoil(kernel, transfer)
                    self.check(kernel, transfer, memory[:])
                    self.spoil(kernel, transfer)
                self.wrong_transfers += self.wrong > before
                self.check(kernel, transfer, memory)
                self.wrong_transfers += self.wrong > before and not spoils

    def spoil(self, kernel, transfer):
        """Inverts one element; the second time it is right again."""
        drawn = random.Random(transfer.number)
        element = drawn.randrange(transfer.count)
        if transfer.is_load:
            copies = list(word_places(transfer, 0))
        else:
            copies, number = None, element
            for copies in cell_places(kernel, transfer):
                if number < len(copies[0][0]):
                    break
                number -= len(copies[0][0])
            element = number
        numbers, bits = drawn.choice(copies)
        mask = (1 << min(transfer.bits, 32)) - 1
        self.got[transfer.first_out + numbers[element]] ^= mask << bits[element]

    def check(self, kernel, transfer, memory):
        if transfer.is_load:
            self.check_load(kernel, transfer, memory)
        else:
            self.check_store(kernel, transfer, memory)

    def check_load(self, kernel, transfer, memory):
        """Every register has the bits of (one of) the element's cells."""
        first, choices = [], []
        for copies in cell_places(kernel, transfer):
            read_copies = [read(memory, places, transfer.bits) for places in copies]
            first += read_copies[0]
            choices += zip(*read_copies)
        for places in word_places(transfer, transfer.first_out):
            self.elements += transfer.count
            values = read(self.got, places, transfer.bits)
            if values != first:  # Mostly they are, and nothing else is quick.
                self.compare_words(transfer, places[0], values, choices)

    def compare_words(self, transfer, numbers, values, choices):
        for number, (value, choice) in enumerate(zip(values, choices)):
            if value not in choice:
                word = numbers[number] - transfer.first_out
                thread, word = divmod(word, transfer.words)
                where = f"in thread {thread}, word {word}"
                self.fail(transfer, f"element {number} {where}")

    def stored_values(self, kernel, transfer, memory):
        """Those that were given, or what was in the first place of each element,
        changed."""
        if not transfer.is_change:
            return element_values(transfer)
        values, mask = [], change_mask(transfer)
        for copies in cell_places(kernel, transfer):
            values += [v ^ mask for v in read(memory, copies[0], transfer.bits)]
        return values

    def check_store(self, kernel, transfer, memory):
        """Every cell of an element has its bits; all other cells what they had."""
        got = self.got[transfer.first_out : transfer.first_out + kernel.cells]
        values = self.stored_values(kernel, transfer, memory)
        first, touched = 0, set()
        for copies in cell_places(kernel, transfer):
            for places in copies:
                own = values[first : first + len(places[0])]
                self.elements += len(own)
                found = read(got, places, transfer.bits)
                if found != own:
                    self.report_cells(kernel, transfer, own, found, places)
                touched.update(places[0])
            first += len(copies[0][0])
        if transfer.bits == 64:
            touched |= {cell + 1 for cell in touched}
        # Bits of no element in a cell of an element may be anything.
        self.check_others(transfer, kernel, memory, got, touched)
        memory[:] = got

    def check_others(self, transfer, kernel, memory, got, touched):
        others = [i for i in range(kernel.cells) if i not in touched]
        changed = [i for i in others if memory[i] != got[i]]
        if changed:
            lane, column = divmod(changed[0], kernel.columns)
            where = f"the first in lane {lane}, column {column}"
            self.fail(transfer, f"changes {len(changed)} other cells, {where}")

    def report_cells(self, kernel, transfer, values, found, places):
        for number, (value, other) in enumerate(zip(values, found)):
            if value != other:
                lane = places[0][number] // kernel.columns
                self.fail(transfer, f"element {number} in lane {lane}")

    def report(self):
        directions = [transfer.direction for transfer in self.program.transfers]
        kinds = [
            f"{directions.count(kind)} {kind}s"
            for kind in ("load", "store", "change")
            if kind != "change" or kind in directions
        ]
        wrong = f"{self.wrong} wrong, in {self.wrong_transfers} transfers"
        print(f"{' and '.join(kinds)}, {self.elements} elements, {wrong}")
        for topic, count in sorted(self.topics.items()):
            print(f"  {topic}: {count}")
        return 1 if self.wrong else 0
