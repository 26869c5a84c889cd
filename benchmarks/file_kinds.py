"""Small files of every format that is read, each with what reads it as a user would and what repairs its checksums."""

import binascii
import gzip
import hashlib
import json
import os
import shutil
import struct
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from philidor.core.errors import PhilidorError

_SHA256 = b'"sha256":"'

_SGF = "(;FF[4]SZ[9]HA[2]AB[cg][gc]KM[0.5]RE[W+R]PB[a\\]b](;W[ee];B[ec](;W[cc])(;W[dd]))(;W[aa]))\n(;SZ[9];B[ee];W[])\n"

Reader = Callable[[Path], object]
Repair = Callable[[bytearray], bytes]


class Kind(NamedTuple):
    """A format: how its files' names end, a small one, what reads it, and what makes an altered one consistent."""

    ending: str
    data: bytes
    read: Reader
    repair: Repair | None = None


class RefusedError(PhilidorError):
    """A file that its reader passes over in silence."""


# --- Readers: each does with a file what a user would -----------------------------------------------------------------


def read_net(path: Path) -> object:
    """Loads a network, lets it judge, and describes it."""
    from philidor.evaluators.loading import load_net
    from philidor.evaluators.network import NetEvaluator
    from philidor.games import known_game
    from philidor.games.chess import Position
    from philidor.nets.describing import describe_net

    describe_net(path)
    net: Any = load_net(path)
    return net.evaluate([known_game(net.game).state() if isinstance(net, NetEvaluator) else Position()])


def read_records(path: Path) -> object:
    """Reads all games and replays those that can be."""
    from philidor.games import known_game
    from philidor.records import RecordReader

    with RecordReader(path) as reader:
        for record in reader:
            try:
                list(record.states(known_game(reader.game)))
            except PhilidorError:
                continue
        return reader.losses


def read_pgn_games(path: Path) -> object:
    """Reads games in PGN, packed or not."""
    from philidor.records import read_pgn

    return [record.uci_moves() for record in read_pgn(path)]


def read_sgf_games(path: Path) -> object:
    """Reads games of Go and writes each again."""
    from philidor.records import SgfSource, write_sgf

    source, written = SgfSource([path]), []
    for record in source:
        assert source.game is not None, "the first game has said its size"
        written.append(write_sgf(record, source.game))
    return written


def read_patterns(path: Path) -> object:
    """Loads a linear policy of Go, lets it judge a board and play it out."""
    from philidor.core.random import SplitMix64
    from philidor.evaluators.patterns import PatternEvaluator
    from philidor.games.go import Go

    policy, state = PatternEvaluator.load(path), Go(5, 5).state().play("c3")
    result = policy.play_out(state, SplitMix64(1)) if policy.net.kind == "rollout" else None
    return policy.evaluate([state]), result


def read_fens(path: Path) -> object:
    """Reads positions, one a line."""
    from philidor.games.chess import Position

    lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    found = []
    for line in lines:
        try:
            found.append(Position(line).legal_moves())
        except PhilidorError as error:
            check_line(error)
    return found


def read_epd_lines(path: Path) -> object:
    """Reads positions with operations and writes them again."""
    from philidor.games.chess import read_epd_file

    return [(str(line), line.moves("bm")) for line in read_epd_file(path)]


def read_book(path: Path) -> object:
    """Reads openings and sets all of them up."""
    from philidor.records.openings import read_openings

    found = []
    for opening in read_openings(path):
        try:
            found.append(opening.position())
        except PhilidorError as error:
            check_line(error)
    return found


def read_pack(path: Path) -> object:
    """Unpacks games."""
    from philidor.records.packing import unpack

    output = path.with_name("unpacked.rec")
    try:
        return unpack(path, output)
    finally:
        output.unlink(missing_ok=True)


def read_positions(path: Path) -> object:
    """Makes batches of training positions."""
    from philidor.nets.nnue import ARCHITECTURES
    from philidor.train.nnue_data import Batches, TrainingPositions
    from philidor.train.position_files import borrow_positions

    found = TrainingPositions()
    borrow_positions(path, found.train, found.held_out)
    batches = (Batches(each, ARCHITECTURES["mirrored-256"], 64).in_order() for each in (found.train, found.held_out))
    return [len(batch) for part in batches for batch in part]


def read_manifest(path: Path) -> object:
    """Compares a store with its manifest; nothing but the manifest lies there."""
    from philidor.records.store import Store

    store = Store(path.with_name("store"))
    store.folder.mkdir(exist_ok=True)
    shutil.copyfile(path, store.manifest)
    return list(store.verify())


def read_recipe_file(path: Path) -> object:
    """Reads a recipe for training."""
    from philidor.pipelines.recipes import load_recipe

    return load_recipe(str(path))


def read_saved_game(path: Path) -> object:
    """Takes up a saved game, as the terminal does; it is put where that looks for it."""
    from philidor.frontends.terminal import unfinished

    place = Path(os.environ["XDG_DATA_HOME"], "philidor", "unfinished", "tictactoe.json")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(path.read_bytes())
    found = unfinished.find("tictactoe")
    if found is None:
        raise RefusedError("there is no game to go on with")
    return found


def check_line(error: PhilidorError) -> None:
    """Raises ValueError unless the message is one printable line of fewer than 300 characters."""
    text = str(error)
    if not text.isprintable() or len(text) >= 300:
        raise ValueError("a long message")


# --- Repairs: what a file with consistent checksums looks like --------------------------------------------------------


def repair_records(data: bytearray) -> bytes:
    """Makes the checksums of the header and of the first block right."""
    body = int.from_bytes(data[12:16], "little")
    end = 20 + body
    if end + 36 > len(data):
        return bytes(data)
    data[16:20] = zlib.crc32(data[20:end], zlib.crc32(data[:16])).to_bytes(4, "little")
    strings, directory, games = struct.unpack_from("<III", data, end + 12)
    tables, rows = end + 36, end + 36 + strings
    first, last = rows + directory, rows + directory + games
    if last > len(data):
        return bytes(data)
    _repair_directory(data, rows, first, last)
    struct.pack_into("<II", data, end + 24, zlib.crc32(data[tables:first]), zlib.crc32(data[first:last]))
    struct.pack_into("<I", data, end + 32, zlib.crc32(data[end : end + 32]))
    return bytes(data)


def _repair_directory(data: bytearray, at: int, first: int, last: int) -> None:
    """Makes the checksum of each game right, as far as the directory makes sense."""
    game, end = first, first
    while at < end and game <= last:
        size = shift = 0
        while at < end:
            size |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 0x80:
                break
        if at + 2 > end:
            return
        data[at : at + 2] = binascii.crc_hqx(bytes(data[game : game + size]), 0xFFFF).to_bytes(2, "little")
        game, at = game + size, at + 2


def repair_sha256(data: bytearray) -> bytes:
    """Makes the SHA-256 in the header of one of our own networks right."""
    end = 12 + int.from_bytes(data[8:12], "little")
    at = data.find(_SHA256, 0, end) + len(_SHA256)
    if at >= len(_SHA256):
        data[at : at + 64] = hashlib.sha256(data[end:]).hexdigest().encode()
    return bytes(data)


def repair_pack(data: bytearray) -> bytes:
    """Makes the checksums of the header and of all sections right, as far as these make sense."""
    if len(data) < 28:
        return bytes(data)
    struct.pack_into("<I", data, 24, zlib.crc32(data[:24]))
    at = 28
    while at + 16 <= len(data):
        end = at + 16 + int.from_bytes(data[at + 8 : at + 12], "little")
        struct.pack_into("<I", data, at + 12, zlib.crc32(data[at + 16 : end], zlib.crc32(data[at : at + 12])))
        at = end
    return bytes(data)


def repair_crc(data: bytearray) -> bytes:
    """Makes the CRC-32 at the end right, over all that comes before it."""
    return bytes(data[:-4]) + zlib.crc32(data[:-4]).to_bytes(4, "little")


# --- The files --------------------------------------------------------------------------------------------------------


def make_sources(folder: Path, canary: str) -> dict[str, Kind]:
    """Returns a small file of each format by its name; `canary` is the game that some name, which is code."""
    pgn = _records(folder)
    fens = "\n".join(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"])
    epd = '8/8/8/4k3/8/8/3QK3/8 w - - bm Qd7 Qg5+; id "one; two";\n8/8/8/4k3/8/8/3QK3/8 w - - 3 9 ce +900; hmvc 3;\n'
    recipe = 'game = "tictactoe"\ngenerations = 2\n[network]\npreset = "mlp"\nfilters = 8\n[rating]\npairs = 2\n'
    saved: dict[str, Any] = {"version": 1, "game": "tictactoe", "start": ".../.../...", "chess960": False}
    saved |= {"moves": ["b2"], "person": 0, "opponent": {"name": "uct", "config": {"iterations": 5}}}
    named = saved | {"game": canary, "opponent": {"name": "net", "config": {"game": canary}}}
    return {
        "rec": Kind(".rec", (folder / "games.rec").read_bytes(), read_records, repair_records),
        "pack": Kind(".pack", (folder / "games-000.pack").read_bytes(), read_pack, repair_pack),
        "positions": Kind(".pos", (folder / "positions.pos").read_bytes(), read_positions),
        "manifest": Kind(".jsonl", (folder / "store" / "manifest.jsonl").read_bytes(), read_manifest),
        "pgn": Kind(".pgn", pgn, read_pgn_games),
        "sgf": Kind(".sgf", _SGF.encode(), read_sgf_games),
        "pgn.gz": Kind(".pgn.gz", gzip.compress(pgn), read_pgn_games),
        "fen": Kind(".fen", fens.encode(), read_fens),
        "epd": Kind(".epd", epd.encode(), read_epd_lines),
        "book, epd": Kind(".epd", epd.encode(), read_book),
        "book, pgn": Kind(".pgn", pgn, read_book),
        "recipe": Kind(".toml", recipe.encode(), read_recipe_file),
        "recipe, code": Kind(".toml", recipe.replace("tictactoe", canary).encode(), read_recipe_file),
        "saved game": Kind(".json", json.dumps(saved).encode(), read_saved_game),
        "saved game, code": Kind(".json", json.dumps(named).encode(), read_saved_game),
        **_networks(folder, canary),
        **_nnue(folder),
        **_patterns(folder),
    }


def _records(folder: Path) -> bytes:
    """Writes games as records, packed, as positions, and into a store; returns them in PGN."""
    from philidor.games.chess import Chess
    from philidor.records import GameRecord, RecordWriter
    from philidor.records.packing import pack
    from philidor.records.store import Store
    from philidor.train.nnue_data import PositionFilter, TrainingPositions
    from philidor.train.position_files import write_positions

    chess = Chess()
    game = GameRecord.from_moves(chess, ["f3", "e5", "g4", "Qh4#"], ratings=(900, 1100), source="Café")
    with RecordWriter(folder / "games.rec", chess, starts=["8/8/8/4k3/8/8/3QK3/8 w - - 0 1"]) as writer:
        for _ in range(3):
            writer.add(game)
    scored = GameRecord.from_moves(chess, ["f3", "e5", "g4", "Qh4#"], source="Café", scores=[-40, 80, -900, 31999])
    with RecordWriter(folder / "scored.rec", chess) as writer:
        for _ in range(3):
            writer.add(scored)
    positions = TrainingPositions(PositionFilter(skip_plies=0, max_score=30_000, only_quiet=False, held_out=0.0))
    list(positions.read([folder / "scored.rec"]))
    write_positions(folder / "positions.pos", positions.train, positions.train)
    for old in folder.glob("games-*.pack"):
        old.unlink()
    pack([folder / "scored.rec"], folder / "games.pack", part_bytes=1 << 20)
    shutil.rmtree(folder / "store", ignore_errors=True)
    store = Store(folder / "store")
    store.add(folder / "games.rec")
    store.add(folder / "games-000.pack")
    return (game.to_pgn() * 3).encode()


def _networks(folder: Path, canary: str) -> dict[str, Kind]:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from philidor.nets.dense.files import save_dense
    from philidor.nets.leela.files import save_leela
    from philidor.nets.network_files import save_stored
    from tests.nets.dense_networks import made_up_giraffe
    from tests.nets.leela_nets import residual_net
    from tests.nets.onnx_nets import tictactoe_net
    from tests.nets.stored_nets import own_net

    own = own_net("tictactoe", "2x32")
    save_stored(folder / "net.safetensors", own)
    save_stored(folder / "code.safetensors", replace(own, config=replace(own.config, game=canary)))
    save_dense(made_up_giraffe(), folder / "net.phfl")
    save_leela(residual_net(), folder / "net.pb.gz")
    return {
        "safetensors": Kind(".safetensors", (folder / "net.safetensors").read_bytes(), read_net),
        "safetensors, code": Kind(".safetensors", (folder / "code.safetensors").read_bytes(), read_net),
        "phfl": Kind(".phfl", (folder / "net.phfl").read_bytes(), read_net, repair_sha256),
        "pb.gz": Kind(".pb.gz", (folder / "net.pb.gz").read_bytes(), read_net),
        "onnx": Kind(".onnx", tictactoe_net(), read_net),
        "onnx, code": Kind(".onnx", tictactoe_net(canary), read_net),
    }


def _nnue(folder: Path) -> dict[str, Kind]:
    from philidor.nets.nnue import ARCHITECTURES, Architecture, save_network
    from philidor.nets.nnue.architecture import HALFKP
    from tests.nets.networks import SHAPES, made_up

    # Stockfish's format knows shapes by their hashes, and of those it ever had the smallest takes twenty megabytes:
    # this process knows a smaller one too, a fourth as wide.
    small = ARCHITECTURES["halfkp-64"] = Architecture(features=HALFKP, width=64, hidden=(8,))
    save_network(made_up(SHAPES["tiny"]), folder / "net.phnn")
    save_network(made_up(small), folder / "net.nnue")
    whole = (folder / "net.nnue").read_bytes()
    return {
        "phnn": Kind(".phnn", (folder / "net.phnn").read_bytes(), read_net, repair_sha256),
        "nnue": Kind(".nnue", whole, read_net),
        "nnue, cut": Kind(".nnue", whole[: 1 << 16], read_net),
    }


def _patterns(folder: Path) -> dict[str, Kind]:
    import numpy as np

    from philidor.nets.patterns import FIXED_FEATURES, PatternNet, save_patterns

    shapes, none = np.arange(1, 9, dtype=np.uint64), np.zeros(0, np.uint64)
    weights = np.linspace(-1, 1, FIXED_FEATURES + len(shapes), dtype=np.float32)
    save_patterns(folder / "net.phpt", PatternNet("rollout", shapes, none, none, weights, {"games": "made up"}))
    return {"phpt": Kind(".phpt", (folder / "net.phpt").read_bytes(), read_patterns, repair_crc)}
