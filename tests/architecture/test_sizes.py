"""No file over 500 lines, no function over 80; the style guide asks for 300 and 40."""

from pathlib import Path

import pytest

from tests.architecture.sizes import MAX_FILE_LINES, MAX_FUNCTION_LINES, cpp_functions, too_long

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "cpp", "tests", "tools", "benchmarks", "examples", "web/src", "web/tests")
SUFFIXES = {".py", ".h", ".cpp", ".c", ".ts"}
# Written by tools, and read by nobody from beginning to end.
GENERATED = {ROOT / "web/src/server/types.ts"}
FILES = {path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES}
SOURCES = sorted(FILES - GENERATED)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_short(path: Path) -> None:
    assert list(too_long(str(path), path.read_text())) == []


def test_a_long_file_is_caught() -> None:
    assert list(too_long("a.py", "x = 1\n" * MAX_FILE_LINES)) == []
    assert len(list(too_long("a.py", "x = 1\n" * (MAX_FILE_LINES + 1)))) == 1


def test_a_long_python_function_is_caught() -> None:
    body = "        x = 1\n" * (MAX_FUNCTION_LINES - 1)
    assert list(too_long("a.py", f"class A:\n    async def f():\n{body}")) == []
    assert len(list(too_long("a.py", f"class A:\n    async def f():\n{body}        y = 2\n"))) == 1


def test_a_long_cpp_function_is_caught_inside_namespaces_and_classes() -> None:
    body = "        x();\n" * (MAX_FUNCTION_LINES - 2)
    head, tail = "namespace a {\n\nclass B {\n  public:\n    int f() const {\n", "    }\n};\n\n}  // namespace a\n"
    assert list(too_long("a.cpp", head + body + tail)) == []
    assert len(list(too_long("a.cpp", head + body + "        y();\n" + tail))) == 1


def test_a_long_method_is_caught_in_typescript() -> None:
    body = "    x();\n" * (MAX_FUNCTION_LINES - 2)
    head, tail = "export class B implements C {\n  f(): void {\n", "  }\n}\n"
    assert list(too_long("a.ts", head + body + tail)) == []
    assert len(list(too_long("a.ts", head + body + "    y();\n" + tail))) == 1


def test_cpp_functions_are_found_by_their_braces() -> None:
    text = """\
template <Color Us>
int count(const Board& board,
          int limit) {
    for (;;) {
        if (limit) {
            return 1;
        }
    }
}

struct State {
    int clock = 0;
};

constexpr int kTable[] = {
    1,
};

Board::Board(int size)
    : size_(size) {
}
"""
    assert list(cpp_functions(text)) == [("int count(const Board& board,", 8), ("Board::Board(int size)", 3)]
