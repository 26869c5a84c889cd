"""`philidor doctor`: what is here, what is missing, and how to get it."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import metadata, util
from pathlib import Path
from typing import Literal

import typer

from philidor.cli.arguments import AsJson
from philidor.core.cores import cores

app = typer.Typer(add_completion=False)

_LIBRARIES = ("chess", "numpy", "onnxruntime", "rich", "typer", "zstandard")
_EXTRAS = {"torch": "train", "tensorboard": "train", "ray": "cluster"}
_PEERS = {"stockfish": "apt install stockfish", "lc0": "https://lczero.org/play/download", "gnugo": "apt install gnugo"}


@dataclass(frozen=True)
class Finding:
    """One thing looked for."""

    section: str
    name: str
    state: Literal["ok", "absent", "broken"]
    """Absent things are optional; broken ones keep philidor from working."""
    detail: str
    advice: str = ""


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Shows what is installed, what is missing and how to get it; fails when something needed is broken."""
    findings = [*_program(), *_core(), *_libraries(), *_gpu(), *_nets(), *_pages(), *_peers(), *_shared()]
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        _show(findings)
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)


def _program() -> list[Finding]:
    import philidor

    python = f"{platform.python_version()} at {sys.executable}"
    is_new_enough = sys.version_info >= (3, 11)
    return [
        Finding("program", "philidor", "ok", f"{philidor.__version__} at {Path(philidor.__file__).parent}"),
        Finding("program", "Python", "ok" if is_new_enough else "broken", python, "needs Python 3.11 or later"),
        Finding("program", "system", "ok", f"{platform.system()} {platform.release()} {platform.machine()}"),
        Finding("program", "cores", "ok", str(cores())),
    ]


def _core() -> list[Finding]:
    try:
        from philidor.cli.native import CPU_FEATURES, VARIANT, nnue_kernels
    except ImportError as error:
        return [Finding("core", "compiled core", "broken", str(error), "make native, or install the wheel again")]
    features = " ".join(name for name, is_there in sorted(CPU_FEATURES.items()) if is_there)
    return [
        Finding("core", "compiled core", "ok", f"variant {VARIANT}"),
        Finding("core", "CPU features", "ok", features or "none that matter"),
        Finding("core", "NNUE kernels", "ok", " ".join(nnue_kernels())),
    ]


def _libraries() -> list[Finding]:
    findings = [_library(name, "broken", f"pip install {name}") for name in _LIBRARIES]
    # Looked for, not imported: torch alone takes seconds.
    return findings + [
        _library(name, "absent", f"pip install '.[{extra}]' in philidor's folder") for name, extra in _EXTRAS.items()
    ]


def _library(name: str, without: Literal["absent", "broken"], advice: str) -> Finding:
    if util.find_spec(name) is None:
        return Finding("libraries", name, without, "not installed", advice)
    try:
        return Finding("libraries", name, "ok", metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding("libraries", name, "ok", "version unknown")


def _gpu() -> list[Finding]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return [Finding("GPU", "NVIDIA", "absent", "no nvidia-smi", "only training large networks needs one")]
    query = [program, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        return [Finding("GPU", "NVIDIA", "absent", f"nvidia-smi fails: {error}", "check the driver")]
    return [Finding("GPU", "NVIDIA", "ok", "; ".join(answer.splitlines()))]


def _nets() -> list[Finding]:
    from philidor.core.errors import PhilidorError
    from philidor.nets.shipped import DEFAULT_NET, find_net, shipped_nets

    try:
        from philidor.nets.nnue import load_network
    except ImportError:  # the libraries that are missing have been named
        return []
    advice = "install philidor again; until then --engine classic plays without a network"
    try:
        load_network(find_net(DEFAULT_NET))
        default = Finding("networks", "default", "ok", DEFAULT_NET)
    except PhilidorError as error:
        default = Finding("networks", "default", "broken", str(error), advice)
    return [default, Finding("networks", "shipped", "ok", ", ".join(sorted(shipped_nets())) or "none")]


def _pages() -> list[Finding]:
    from philidor.frontends.web.pages import STATIC, how_to_get_pages

    if (STATIC / "index.html").is_file():
        return [Finding("web board", "pages", "ok", str(STATIC))]
    return [Finding("web board", "pages", "absent", "not built", f"{how_to_get_pages()}; --terminal plays without")]


def _peers() -> list[Finding]:
    from philidor.core.programs import find_program

    findings = []
    for name, advice in _PEERS.items():
        path = find_program(name)
        state: Literal["ok", "absent"] = "ok" if path else "absent"
        findings.append(Finding("other engines", name, state, path or "not on PATH", advice))
    return findings


def _shared() -> list[Finding]:
    folder = os.environ.get("PHILIDOR_SHARED")
    if not folder:
        advice = "set PHILIDOR_SHARED to run the tests that need reference data"
        return [Finding("reference data", "PHILIDOR_SHARED", "absent", "not set", advice)]
    is_there = Path(folder).is_dir()
    return [Finding("reference data", "PHILIDOR_SHARED", "ok" if is_there else "absent", folder, "no such folder")]


def _show(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    marks = {"ok": "[green]ok[/]", "absent": "[yellow]absent[/]", "broken": "[bold red]broken[/]"}
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for _ in range(3):
        table.add_column(overflow="fold")
    section = ""
    for finding in findings:
        if section and finding.section != section:
            table.add_row()
        section = finding.section
        detail = Text(finding.detail)
        if finding.state != "ok" and finding.advice:
            detail.append(f": {finding.advice}", style="yellow")
        table.add_row(marks[finding.state], finding.name, detail)
    Console(highlight=False).print(table)
