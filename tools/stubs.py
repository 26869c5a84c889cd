"""Writes the type stubs of the compiled core, or checks that the committed ones are up to date (`--check`)."""

import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

COMMITTED = Path(__file__).resolve().parent.parent / "src/philidor/_native/_ext.pyi"


def generate() -> str:
    """Asks nanobind for the stubs of the variant that is loaded here; all variants have the same."""
    from philidor._native import VARIANT

    module = f"philidor._native._ext_{VARIANT}"
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "_ext.pyi")
        subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", module, "-o", str(output)], check=True)
        text = output.read_text(encoding="utf-8")
    return text.replace(module, "philidor._native._ext")


def main(arguments: list[str]) -> int:
    """Returns 1 when `--check` finds a difference."""
    text = generate()
    if arguments != ["--check"]:
        COMMITTED.write_text(text, encoding="utf-8")
        return 0
    committed = COMMITTED.read_text(encoding="utf-8") if COMMITTED.exists() else ""
    difference = difflib.unified_diff(committed.splitlines(True), text.splitlines(True), "committed", "generated")
    sys.stdout.writelines(difference)
    if text != committed:
        print(f"{COMMITTED.name} is out of date; run `make stubs` and commit the result")
    return int(text != committed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
