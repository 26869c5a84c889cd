"""Runs philidor's checks one after the other, shows each by name, and fails at the end if any failed.

python tools/check.py all            what `make test` does
python tools/check.py ruff types     only these
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pages
import step
import variants

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path("build")
BIN = Path(sys.executable).parent

Command = list[str]


class Skip(Exception):  # noqa: N818 - not an error: the check does not apply here
    """The check cannot run on this machine; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Check:
    """One named check: `commands` are run in turn until one fails."""

    title: str
    commands: Callable[[], Sequence[Command]]


def tool(name: str, *arguments: str) -> Command:
    """A command of a program that lives in the virtual environment."""
    return [str(BIN / name), *arguments]


def cpp_files() -> list[str]:
    """The C and C++ sources, sorted."""
    files = (path for folder in ("cpp", "tools") for path in Path(folder).rglob("*"))
    return sorted(str(path) for path in files if path.suffix in {".h", ".cpp", ".c"})


def cmake_build(folder: str, *options: str) -> list[Command]:
    """Configures and builds a tree of its own, apart from the extension's."""
    path = str(BUILD / folder)
    configure = tool("cmake", "-G", "Ninja", "-S", ".", "-B", path, "-DPHILIDOR_PYTHON=OFF", *options)
    return [[*configure, f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}"], tool("cmake", "--build", path)]


def cpp_tests(folder: str, *options: str) -> list[Command]:
    """The doctest program, for every variant this CPU can run."""
    if not any(Path(prefix, "include/doctest/doctest.h").exists() for prefix in ("/usr", "/usr/local")):
        raise Skip("doctest is missing; on Debian: apt install doctest-dev")
    if not list(Path("cpp/tests").glob("*.cpp")):
        raise Skip("there are no C++ tests")
    cores = str(os.cpu_count() or 1)
    names = ";".join(variants.runnable(*variants.this_machine()))
    build = cmake_build(folder, "-DPHILIDOR_TESTS=ON", f"-DPHILIDOR_VARIANTS={names}", *options)
    return [*build, tool("ctest", "--test-dir", str(BUILD / folder), "--output-on-failure", "-j", cores)]


def sanitized_tests(folder: str, sanitizers: str, *options: str) -> list[Command]:
    """The same with sanitizers, which end a test at the first error. No build type: assertions are on."""
    own = [f"-DPHILIDOR_SANITIZE={sanitizers}", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1"]
    return cpp_tests(folder, *own, *options)


def memory_tests() -> list[Command]:
    """ASan and UBSan on the oldest variant, which computes its way into tables where newer ones have an instruction."""
    oldest = variants.runnable(*variants.this_machine())[0]
    return sanitized_tests("cpp-tests-sanitized", "address,undefined", f"-DPHILIDOR_VARIANTS={oldest}")


def thread_tests() -> list[Command]:
    """The tests that speak of threads; races do not depend on the instruction set, so the newest variant will do."""
    newest = variants.runnable(*variants.this_machine())[-1]
    tests = sorted(path for path in Path("cpp/tests").glob("test_*.cpp") if "thread" in path.read_text())
    tested = f"-DPHILIDOR_TESTED={';'.join(path.name for path in tests)}"
    return sanitized_tests("cpp-tests-threads", "thread", tested, f"-DPHILIDOR_VARIANTS={newest}")


def has_libfuzzer() -> bool:
    """Whether clang can link a fuzz target: its run time is a package of its own on some systems."""
    if not shutil.which("clang++"):
        return False
    source = 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
    command = ["clang++", "-fsanitize=fuzzer,address,undefined", "-x", "c++", "-", "-o", os.devnull]
    return subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0


def fuzz() -> list[Command]:
    """Every libFuzzer target for FUZZ_SECONDS, starting from the inputs in cpp/fuzz/seeds."""
    if not has_libfuzzer():
        raise Skip("clang's libFuzzer is missing; on Debian: apt install clang libclang-rt-14-dev")
    targets = sorted(path.stem for path in Path("cpp/fuzz").glob("fuzz_*.cpp"))
    if not targets:
        raise Skip("there are no fuzz targets")
    compilers = ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"]
    build = cmake_build("fuzz", "-DPHILIDOR_FUZZ=ON", *compilers)
    seconds = os.environ.get("FUZZ_SECONDS", "15")
    return [*build, [sys.executable, "tools/fuzz.py", str(BUILD / "fuzz"), seconds, *targets]]


def web_checks() -> list[Command]:
    """The pages: types, the bundle that the browser tests will open, and the tests of what needs no browser."""
    problem = pages.missing()
    if problem:
        raise Skip(problem)
    return [*pages.installation(), *(pages.npm("run", "--silent", script) for script in ("check", "build", "test"))]


CHECKS = {
    "ruff": Check("lint (ruff)", lambda: [tool("ruff", "check", ".")]),
    "format": Check("format (ruff)", lambda: [tool("ruff", "format", "--check", ".")]),
    "clang-format": Check(
        "format (clang-format)", lambda: [tool("clang-format", "--dry-run", "--Werror", *cpp_files())]
    ),
    "types": Check("types (mypy --strict)", lambda: [tool("mypy")]),
    "rooms": Check("rooms (import-linter)", lambda: [tool("lint-imports")]),
    "stubs": Check("stubs of the compiled core", lambda: [[sys.executable, "tools/stubs.py", "--check"]]),
    "docs": Check("documentation (mkdocs --strict)", lambda: [tool("mkdocs", "build", "--strict", "--clean")]),
    "cpp-sanitized": Check("C++ tests under ASan and UBSan", memory_tests),
    "cpp-threads": Check("C++ tests under TSan", thread_tests),
    "fuzz": Check("fuzzing", fuzz),
    "web": Check("pages of the web board (tsc, esbuild, node)", web_checks),
}
# Those that use one core each: as many of them run at a time as there are cores. The others use all cores themselves.
SIDE_BY_SIDE = ("types", "docs", "web", "ruff", "format", "clang-format", "rooms", "stubs")
# By name only: `all` runs the same tests with sanitizers, and the optimized core under the Python tests.
MORE_CHECKS = {"cpp": Check("C++ tests", lambda: cpp_tests("cpp-tests", "-DPHILIDOR_LTO=OFF"))}


def run_check(number: str, name: str, check: Check, is_alone: bool = True) -> bool:
    """Runs one check behind a progress line; returns whether it is fine."""
    title = f"[{number}] {check.title}"
    try:
        commands = check.commands()
    except Skip as reason:
        print(f"{title} ... skipped: {reason}", flush=True)
        return True
    return step.run_all(title, BUILD / "logs" / f"check-{name}.log", commands, is_alone) == 0


def run_side_by_side(numbered: dict[str, str]) -> list[str]:
    """Runs these checks (name -> its number), the longest first; returns the names of those that failed."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        is_alone = len(numbered) == 1
        results = {
            name: pool.submit(run_check, numbered[name], name, CHECKS[name], is_alone)
            for name in SIDE_BY_SIDE
            if name in numbered
        }
    return [name for name, result in results.items() if not result.result()]


def run_pytest(number: str) -> bool:
    """Runs the Python tests in the open: pytest's own summary is the best one."""
    print(f"[{number}] Python tests (pytest)", flush=True)
    return subprocess.run([sys.executable, "-m", "pytest", "-n", "auto", "--maxprocesses=8"]).returncode == 0


def main(names: list[str]) -> int:
    """Runs the named checks; the exit code is 1 when any failed, 2 when a name is unknown."""
    os.chdir(ROOT)
    names = [*CHECKS, "pytest"] if names == ["all"] else names
    checks = CHECKS | MORE_CHECKS
    unknown = [name for name in names if name not in checks and name != "pytest"]
    if unknown or not names:
        print(f"unknown check {unknown}; known: all, {', '.join(checks)}, pytest", file=sys.stderr)
        return 2
    numbers = {name: f"{index}/{len(names)}" for index, name in enumerate(names, start=1)}
    failed = run_side_by_side({name: number for name, number in numbers.items() if name in SIDE_BY_SIDE})
    for name, number in numbers.items():
        if name in SIDE_BY_SIDE:
            continue
        if not (run_pytest(number) if name == "pytest" else run_check(number, name, checks[name])):
            failed.append(name)
    print(f"FAILED: {', '.join(failed)}" if failed else f"all {len(names)} checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
