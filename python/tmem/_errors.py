# ===- _errors.py - What the package raises --------------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Exceptions. Each is a tmem.MLIRError."""

from .ir import MLIRError


class RuleError(MLIRError):  # type: ignore[misc]
    """A layout, a transfer or an option that breaks a rule.

    `rule` is the rule's id, such as "V6", or ""; `notes` says what the rule is.
    """

    def __init__(self, message: str, rule: str = "", text: str = "") -> None:
        super().__init__(message, [])
        self.rule = rule
        self.notes = [f"rule {rule}: {text}"] if rule else []

    def __str__(self) -> str:
        return "\n".join([self.message, *self.notes])


class EmulationFault(MLIRError):  # type: ignore[misc]
    """What a kernel or its host code did and may not do.

    The message has the place in the source, the kernel, the block and the thread.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, [])

    def __str__(self) -> str:
        return str(self.message)
