"""Lets an engine solve test positions: Win at Chess, ERET, STS or any EPD file with `bm`, `am` or points.

    python benchmarks/tactics.py wac.epd eret.epd [--engine classic] [--movetime 1] [--concurrency N] [--json]

The engine is written as for `philidor match`. Give each position a core of its own when time is the limit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import machine

from philidor.arena.limits import Limit
from philidor.arena.suite import Answer, Problem, read_suite, solve_suite
from philidor.core.errors import PhilidorError
from philidor.games.chess import Position


def summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """Counts solutions and points."""
    return {
        "positions": len(answers),
        "solved": sum(answer.is_solved for answer in answers),
        "points": sum(answer.points for answer in answers),
        "most_points": sum(answer.problem.most for answer in answers),
        "faults": sum(bool(answer.fault) for answer in answers),
    }


def themes(answers: Sequence[Answer]) -> dict[str, dict[str, Any]]:
    """Counts by theme, where the names have one."""
    names = dict.fromkeys(answer.problem.theme for answer in answers)
    return {name: summary([answer for answer in answers if answer.problem.theme == name]) for name in names}


def failure(answer: Answer) -> dict[str, Any]:
    """Says what was played and what should have been, in SAN."""
    problem, position = answer.problem, Position(answer.problem.fen)
    wanted = {"bm": sorted(map(position.san, map(position.parse_uci, problem.best)))}
    wanted |= {"am": sorted(map(position.san, map(position.parse_uci, problem.avoid)))} if problem.avoid else {}
    played = position.san(position.parse_uci(answer.move)) if answer.move else None
    score = None if answer.score is None else str(answer.score)
    facts = {"played": played, "points": answer.points, "depth": answer.depth, "score": score}
    return {"name": problem.name, "fen": problem.fen, **wanted, **facts, "fault": answer.fault}


def line(name: str, counts: dict[str, Any]) -> str:
    """Writes one row."""
    share = 100 * counts["solved"] / counts["positions"]
    solved = f"{counts['solved']:>5} of {counts['positions']:<5} {share:5.1f} %"
    return f"{name:<44} {solved}   {counts['points']:>6} of {counts['most_points']:<6} points"


def solve(path: Path, arguments: argparse.Namespace, limit: Limit) -> dict[str, Any]:
    """Solves one file and prints what came of it."""
    problems: list[Problem] = read_suite(path)[: arguments.first]
    done = 0

    def show(_: Answer) -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            print(f"\r{path.name}: {done} of {len(problems)}", end="", file=sys.stderr, flush=True)

    answers = solve_suite(problems, arguments.engine, limit, arguments.concurrency, show)
    failures = [failure(answer) for answer in answers if not answer.is_solved]
    result = {"suite": path.name, **summary(answers), "themes": themes(answers), "unsolved": failures}
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if not arguments.json:
        print(line(path.name, result))
        by_theme = result["themes"] if 1 < len(result["themes"]) <= 40 else {}
        for name, counts in by_theme.items():
            print("  " + line(name, counts))
        for lost in failures if arguments.show else []:
            wanted = " ".join(lost["bm"] or [f"not {move}" for move in lost.get("am", [])])
            print(f"  {lost['name']}: {lost['played']} instead of {wanted}   {lost['fen']}")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Returns 1 when a file cannot be read or the engine does not start."""
    parser = argparse.ArgumentParser(description="Lets an engine solve test positions.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="EPD")
    parser.add_argument("--engine", default="classic", help="as for `philidor match`")
    parser.add_argument("--movetime", type=float, metavar="SECONDS", help="for each position (1)")
    parser.add_argument("--nodes", type=int, metavar="N", help="for each position")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="positions at a time")
    parser.add_argument("--first", type=int, metavar="N", help="only the first positions of each file")
    parser.add_argument("--show", action="store_true", help="list what was not solved")
    parser.add_argument("--json", action="store_true", help="print the answer for programs")
    arguments = parser.parse_args(argv)
    seconds = arguments.movetime if arguments.movetime or arguments.nodes else 1.0
    limit = Limit(nodes=arguments.nodes, movetime_ms=None if seconds is None else max(1, round(1000 * seconds)))
    try:
        results = [solve(path, arguments, limit) for path in arguments.files]
    except PhilidorError as error:
        print(f"tactics: {error}", file=sys.stderr)
        return 1
    if arguments.json:
        head = {"benchmark": "tactics", "engine": arguments.engine, "limit": str(limit), "machine": machine()}
        print(json.dumps({**head, "concurrency": arguments.concurrency, "suites": results}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
