"""Arithmetic of claims and quantities, as campaigns have it: numbers, paths, + - * / ( ), min(…), max(…), round(x), sqrt(x),
log(x), exp(x). A path may go on in brackets, whose meaning is that of whoever looks it up. The program's parser is
engine/foundation/expression.hpp. Read without numpy."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

Lookup = Callable[[str], Any]  # the number of a path, or an array of them
Node = Callable[[Lookup], Any]

_TOKEN = re.compile(r"[ \n]*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<path>[A-Za-z][\w.]*(?:\[[^]]*\])?(?:\{[^}]*\})?)|(?P<sign>[-+*/(),]))", re.ASCII)
_DEEPEST = 100  # parentheses and signs in one another
_OF_ONE = ("round", "sqrt", "log", "exp")
_OF_MANY = ("min", "max")


class Expression:
    """Read once, evaluated often.

    >>> import numpy as np
    >>> Expression("max(a, 2) / (b[1] - 3)")({"a": 1, "b[1]": np.array([3.0, 4.0])}.__getitem__)
    array([nan,  2.])
    >>> float(Expression("sqrt(log(exp(a)))")({"a": 6.25}.__getitem__))
    2.5
    """

    def __init__(self, text: str) -> None:
        """Raises ValueError, which says what is wrong."""
        self.paths: list[str] = []
        self.is_product = True  # nothing but * and /
        self._tokens = _tokens(text)
        self._depth = 0
        self._value = self._sum()
        if self._tokens[-1]:
            raise ValueError(f"unexpected '{self._tokens[-1]}'")

    def __call__(self, lookup: Lookup) -> Any:
        """NaN where a result on the way is not a finite number."""
        import numpy as np
        with np.errstate(all="ignore"):
            return self._value(lookup)

    def _take(self, *signs: str) -> str:
        return self._tokens.pop() if self._tokens[-1] in signs else ""

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise ValueError(f"expected '{sign}'")

    def _sum(self) -> Node:
        return self._chain(self._product, "+", "-")

    def _product(self) -> Node:
        return self._chain(self._factor, "*", "/")

    def _chain(self, part: Callable[[], Node], *signs: str) -> Node:
        first = part()
        others: list[tuple[str, Node]] = []
        while sign := self._take(*signs):
            self.is_product = self.is_product and sign in "*/"
            others.append((sign, part()))

        def value(lookup: Lookup) -> Any:
            result = first(lookup)
            for operation, other in others:
                result = _result(operation, result, other(lookup))
            return result
        return value

    def _factor(self) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ValueError("nested too deep")
        is_negative = bool(self._take("-"))
        self.is_product = self.is_product and not is_negative
        value = _applied("-", _number(0.0), self._factor()) if is_negative else self._primary()
        self._depth -= 1
        return value

    def _primary(self) -> Node:
        if self._take("("):
            value = self._sum()
            self._expect(")")
            return value
        token = self._tokens.pop()
        if re.match(r"[\d.]", token) and float(token) < float("inf"):
            return _number(float(token))
        if not re.match("[A-Za-z]", token):
            raise ValueError("expected a number, a path or '('")
        if not token.endswith(("]", "}")) and self._take("("):
            return self._call(token)
        self.paths.append(token)
        return lambda lookup: lookup(token)

    def _call(self, name: str) -> Node:
        self.is_product = False
        values = [self._sum()]
        while self._take(","):
            values.append(self._sum())
        self._expect(")")
        if name not in _OF_MANY and (name not in _OF_ONE or len(values) > 1):
            raise ValueError(f"unknown function '{name}'")
        return _applied(name, *values)


def _tokens(text: str) -> list[str]:
    """The last one first, behind an empty one that ends them."""
    found, at = [""], 0
    end = len(text.rstrip(" \n"))
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(f"unexpected '{text[at:].lstrip()[:1]}'")
        found.insert(1, token[token.lastgroup or 0])
        at = token.end()
    return found


def _number(value: float) -> Node:
    return lambda lookup: value


def _applied(operation: str, *parts: Node) -> Node:
    return lambda lookup: _result(operation, *(part(lookup) for part in parts))


@functools.cache
def _operations() -> dict[str, Callable[..., Any]]:
    import numpy as np
    return {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "round": lambda x: np.floor(x + 0.5), "sqrt": np.sqrt,
            "log": np.log, "exp": np.exp, "min": lambda *values: functools.reduce(np.minimum, values),
            "max": lambda *values: functools.reduce(np.maximum, values)}


def _result(operation: str, *operands: Any) -> Any:
    import numpy as np
    result = _operations()[operation](*operands)
    return np.where(np.isfinite(result), result, np.nan)


def with_paths(text: str, replacement: Callable[[str], str]) -> str:
    """The text of an expression with every path replaced.

    >>> with_paths("max(a, 2) / b[1]", str.upper)
    'max(A, 2) / B[1]'
    """
    found, end = [], 0
    for token in _TOKEN.finditer(text):
        path = token["path"]
        if path and (path.endswith(("]", "}")) or not text[token.end():].lstrip(" \n").startswith("(")):
            found += [text[end:token.start("path")], replacement(path)]
            end = token.end()
    return "".join(found) + text[end:]
