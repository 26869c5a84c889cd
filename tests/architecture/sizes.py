"""Measures files and functions: what is too long to be read in one sitting is too long."""

import ast
import re
from collections.abc import Iterator

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 80

# In clang-format's layout, and in prettier's for TypeScript, a scope opens with the last character of a line and is
# closed by a brace in the column where its first line began.
CPP_OUTER = re.compile(r"^\s*(?:export )?(?:namespace|class|struct|union|enum|extern|interface)\b")
STATEMENT_END = re.compile(r"^\s*$|^\s*//|^\s*#|^\s*template\b.*>$|[;{}:](?:\s*//.*)?$")


def python_functions(text: str) -> Iterator[tuple[str, int]]:
    """Yields name and length of each function; its docstring is counted, its decorators are not."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


def cpp_functions(text: str) -> Iterator[tuple[str, int]]:
    """Yields first line and length of each function of a C, C++ or TypeScript file."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        start = statement_start(lines, number)
        if not is_opening(lines[number]) or CPP_OUTER.match(lines[start]):
            number += 1
            continue
        closing = " " * indentation(lines[start]) + "}"
        end = next((i for i in range(number + 1, len(lines)) if lines[i].startswith(closing)), len(lines) - 1)
        # Tables have braces too, but no parameters.
        if any("(" in line for line in lines[start : number + 1]):
            yield lines[start].strip(), end - start + 1
        number = end + 1


def statement_start(lines: list[str], number: int) -> int:
    """The first line of the statement that line `number` is part of; `template <...>` is a line of its own."""
    while number > 0 and not STATEMENT_END.search(lines[number - 1]):
        number -= 1
    return number


def is_opening(line: str) -> bool:
    """Whether a block with a body of its own begins on this line."""
    return line.rstrip().endswith("{") and not line.lstrip().startswith(("//", "#", "}"))


def indentation(line: str) -> int:
    """Leading spaces."""
    return len(line) - len(line.lstrip(" "))


def too_long(path: str, text: str) -> Iterator[str]:
    """Yields a line for the file and each of its functions that is over the limit."""
    lines = text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{path}: {lines} lines, at most {MAX_FILE_LINES}"
    functions = python_functions(text) if path.endswith(".py") else cpp_functions(text)
    for name, length in functions:
        if length > MAX_FUNCTION_LINES:
            yield f"{path}: {name!r} has {length} lines, at most {MAX_FUNCTION_LINES}"
