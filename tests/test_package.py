"""The installed package: quick to start, typed, and complete."""

import importlib.metadata
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

import philidor

ROOT = Path(__file__).resolve().parents[1]
# Below this, a start feels immediate.
START_S = 0.5

# Nothing that plays, searches or trains may need these; they are for reading files, drawing and training.
HEAVY = {"chess", "fastapi", "matplotlib", "onnxruntime", "ray", "torch", "zstandard"}


def cpu_seconds(*command: str) -> float:
    """The median CPU time of five runs: what the program costs, whatever else the machine is doing."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after `statement`."""
    code = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=30)
    return set(result.stdout.split())


def test_import_is_quick() -> None:
    assert cpu_seconds(sys.executable, "-c", "import philidor") < START_S


def test_help_is_quick() -> None:
    assert cpu_seconds(sys.executable, "-m", "philidor", "--help") < START_S


def test_import_loads_no_libraries() -> None:
    assert not loaded_by("import philidor") & (HEAVY | {"numpy", "rich", "typer"})


@pytest.mark.parametrize("room", ["core", "games", "games.chess", "search", "evaluators", "players", "arena.match"])
def test_rooms_that_play_load_no_heavy_libraries(room: str) -> None:
    assert not loaded_by(f"import philidor.{room}") & HEAVY


def test_the_module_and_the_command_are_the_same_program() -> None:
    command = shutil.which("philidor", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip("philidor is not installed in this environment, only on the path")
    texts = [
        subprocess.run([*program, "--version"], check=True, capture_output=True, text=True).stdout
        for program in ([sys.executable, "-m", "philidor"], [command])
    ]
    assert texts[0] == texts[1]
    assert philidor.__version__ in texts[0]


def test_a_bad_command_is_bad_usage() -> None:
    result = subprocess.run([sys.executable, "-m", "philidor", "castle-through-check"], capture_output=True, text=True)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_the_package_says_that_it_is_typed() -> None:
    assert philidor.__file__ is not None
    assert (Path(philidor.__file__).parent / "py.typed").is_file()


def test_the_version_is_a_release_number() -> None:
    assert [part.isdigit() for part in philidor.__version__.split(".")[:2]] == [True, True]


def test_public_names_can_all_be_loaded() -> None:
    for name in philidor.__all__:
        assert getattr(philidor, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = philidor.no_such_name


@pytest.mark.parametrize(
    "statement",
    [
        "from philidor.chess import Position",
        "import philidor.chess; Position = philidor.chess.Position",
        "import philidor; Position = philidor.chess.Position",
        "from philidor import chess; Position = chess.Position",
    ],
)
def test_chess_is_found_by_its_short_name_in_every_way(statement: str) -> None:
    code = (
        f"{statement}; import philidor.games.chess as its; assert Position is its.Position; print(Position().perft(2))"
    )
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=30)
    assert result.stdout == "400\n"


PAGE = "<!doctype html><title>the page of this test</title>"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel as `make wheel` builds it, for this CPU and older ones."""
    # A build folder of its own, and only what git would give to a stranger.
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    ignored = shutil.ignore_patterns(
        ".git", ".venv*", "build", "dist", "site", "runs", "static", "node_modules", "__pycache__", "*.so", ".*_cache"
    )
    shutil.copytree(ROOT, source, ignore=ignored)
    page = source / "src/philidor/frontends/web/static/index.html"  # built by `make web` and not in git
    page.parent.mkdir()
    page.write_text(PAGE)
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder)]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([*command, str(source)], check=True, capture_output=True, env=environment, timeout=900)
    (found,) = folder.glob("philidor-*.whl")
    return found


@pytest.mark.slow
def test_a_wheel_has_everything_and_nothing_else(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        entry_points = next(name for name in names if name.endswith("/entry_points.txt"))
        assert "philidor = philidor.cli" in archive.read(entry_points).decode()
    for name in ("__init__.py", "__main__.py", "py.typed", "_native/_ext.pyi", "cli/__init__.py", "core/game.py"):
        assert f"philidor/{name}" in names
    for name in ("frontends/web/static/index.html", "games/chess/openings/names.tsv"):
        assert f"philidor/{name}" in names
    for name in (f"shipped/nets/{path.name}" for path in (ROOT / "nets").iterdir()):
        assert f"philidor/{name}" in names
    compiled = {Path(name).name.partition(".")[0] for name in names if name.endswith(".so")}
    assert "_cpu" in compiled
    assert compiled - {"_cpu"} in ({"_ext_v2", "_ext_v3"}, {"_ext_generic"})
    assert any(name.endswith("/LICENSE") for name in names)
    strangers = [name for name in names if not name.startswith(("philidor/", "philidor-"))]
    assert strangers == []


@pytest.mark.slow
def test_a_wheel_needs_neither_compiler_nor_node(wheel: Path, tmp_path: Path) -> None:
    # A new environment with our libraries and without philidor: of the folders on a path that a .pth file adds, Python
    # does not read the .pth files, which is how the editable one is found.
    venv.create(tmp_path / "new", with_pip=False)
    programs = tmp_path / "new/bin"
    (packages,) = tmp_path.glob("new/lib/python*/site-packages")
    (packages / "libraries.pth").write_text("\n".join(path for path in sys.path if path.endswith("-packages")))
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True, timeout=120)
    environment = {"PATH": str(programs), "HOME": str(tmp_path)}

    def start(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [programs / "philidor", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=tmp_path,
            env=environment,
        )

    assert '"variant v' in start("doctor", "--json").communicate(timeout=60)[0]
    assert "uciok" in start("uci").communicate("uci\nquit\n", timeout=60)[0]
    with start("play", "--no-browser", "--port", "0") as board:
        assert board.stdout is not None
        address = board.stdout.readline().split()[-1]
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert answer.read().decode() == PAGE
        board.send_signal(signal.SIGINT)
    pytest.importorskip("torch", reason="torch is not installed: pip install 'philidor[train]'")
    short = "--generations 1 --games 2 --training-replay-ratio 1 --rating-pairs 1 --self-play-simulations 4"
    assert "network 1: trained" in start("train", "hexapawn-zero", *short.split()).communicate(timeout=300)[0]


def test_metadata_names_the_license_and_the_python_version() -> None:
    try:
        metadata = importlib.metadata.metadata("philidor")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("philidor is not installed in this environment, only on the path")
    assert metadata["License-Expression"] == "GPL-3.0-or-later"
    assert metadata["Requires-Python"] == ">=3.11"


def test_python_ends_without_a_word_while_a_thread_still_holds_a_position() -> None:
    program = (
        "import threading\n"
        "from philidor.games.chess import Position\n"
        "threading.Thread(target=lambda _: threading.Event().wait(), args=(Position(),), daemon=True).start()\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("", "")
