"""A policy's class as a file of its own, with all that it needs from the file or cell in which it stands."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import os
import pathlib
import pickle
import shutil
import symtable
import sys
import types
from typing import Any

from ..errors import RequestError
from . import Policy


def _globals_of(table: symtable.SymbolTable) -> set[str]:
    """The names that a block reads from the module around it, at its own level or deeper."""
    names = {symbol.get_name() for symbol in table.get_symbols()
             if symbol.is_referenced() and (symbol.is_global() or (table.get_type() == "module" and not symbol.is_assigned()))}
    return names.union(*(_globals_of(inner) for inner in table.get_children()))


def _bound(node: ast.stmt) -> set[str]:
    """What a statement of a module gives a name to."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(name.asname or name.name).partition(".")[0] for name in node.names}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _text_around(kind: type) -> tuple[str, dict[str, Any]]:
    """The text of the file or cell that the class stands in, and the names of its module."""
    for value in vars(kind).values():
        if isinstance(value, types.FunctionType):
            name = value.__code__.co_filename
            words = getattr(sys, "orig_argv", [])
            is_word = name == "<string>" and "-c" in words[:-1]  # python3 -c TEXT
            text = words[words.index("-c") + 1] if is_word else "".join(linecache.getlines(name, value.__globals__))
            if text:
                return text, value.__globals__
    try:
        module = inspect.getmodule(kind)
        return inspect.getsource(module), vars(module)  # type: ignore[arg-type]
    except (OSError, TypeError):
        raise RequestError(f"the text of {kind.__name__} is not known. Write the class in a file or in a cell") from None


def source_of(kind: type) -> str:
    """The class, and of what stands beside it the imports, functions, classes and values that it uses.

    Raises RequestError that names what it uses and cannot be found there.
    """
    text, known = _text_around(kind)
    statements = ast.parse(text).body
    by_name = {name: node for node in statements for name in _bound(node)}
    if not isinstance(by_name.get(kind.__name__), ast.ClassDef):
        raise RequestError(f"{kind.__name__} is no class at the outermost level of its file or cell. Move it there")
    kept: list[ast.stmt] = []
    imported: set[str] = set()
    asked = [kind.__name__]
    while asked:
        name = asked.pop()
        node = by_name.get(name)
        if node is None:
            module = known.get(name)
            if isinstance(module, types.ModuleType):
                imported.add(f"import {module.__name__} as {name}")
            elif not hasattr(builtins, name) and name not in ("__name__", "__file__"):
                raise RequestError(
                    f"the policy {kind.__name__} uses '{name}', which does not stand in its file or cell. Define it there, or hand it to "
                    "the constructor")
            continue
        if node not in kept:
            kept.append(node)
            segment = ast.get_source_segment(text, node) or ""
            decorators = [ast.get_source_segment(text, one) or "" for one in getattr(node, "decorator_list", [])]
            table = symtable.symtable("\n".join([*decorators, segment]), "policy", "exec")
            asked.extend(_globals_of(table) - _bound(node))
    parts = [_segment(text, node) for node in sorted(kept, key=lambda node: node.lineno)]
    head = "from __future__ import annotations\n" if "from __future__ import annotations" in text else ""
    return head + "".join(line + "\n" for line in sorted(imported)) + "\n\n".join(parts) + "\n"


def _segment(text: str, node: ast.stmt) -> str:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1:node.end_lineno])


def command_of(policy: Any, name: str, folder: pathlib.Path) -> list[str]:
    """Writes `name.policy.py`, and the state of an object as `name.policy.state`, and gives the words that serve them from there."""
    kind = policy if isinstance(policy, type) else type(policy)
    if not issubclass(kind, Policy):
        raise RequestError(f"{kind.__name__} is no policy. Derive a class from schedfarm.Policy, and hand it or an object of it")
    file = folder / f"{name}.policy.py"
    write_whole(file, source_of(kind).encode())
    python = "python3" if shutil.which("python3") == sys.executable else sys.executable
    words = [python, "-m", "schedfarm.policy", file.name, kind.__name__]
    if not isinstance(policy, type) and vars(policy):
        try:
            state = pickle.dumps(vars(policy), protocol=4)
        except Exception as error:
            raise RequestError(f"the state of {kind.__name__} cannot be stored ({error}). Keep plain values in it") from None
        state_file = folder / f"{name}.policy.state"
        write_whole(state_file, state)
        words.append(state_file.name)
    return words


def write_whole(file: pathlib.Path, content: bytes) -> None:
    """Gives a file this content, or leaves it as it was. Raises RequestError where that cannot be."""
    unfinished = file.with_name(file.name + ".unfinished")
    try:
        if not file.exists() or file.read_bytes() != content:
            unfinished.write_bytes(content)
            os.replace(unfinished, file)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise RequestError(f"{file}: cannot be written ({error.strerror}). Name another folder, or make room") from None
