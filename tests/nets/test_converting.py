"""The table of conversions: every pair in it writes a network of the new name's format, every other pair is refused."""

import re
from pathlib import Path

import pytest

from philidor.core.errors import ConfigError
from philidor.nets.converting import CONVERSIONS, convert
from philidor.nets.dense.files import save_dense
from philidor.nets.leela.convert import to_onnx
from philidor.nets.leela.files import save_leela
from philidor.nets.leela.own import from_leela
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.network_files import save_stored
from philidor.nets.nnue import ARCHITECTURES, save_network
from tests.nets.dense_networks import made_up_giraffe
from tests.nets.leela_nets import residual_net
from tests.nets.networks import made_up

WRITTEN = {".onnx": NetFormat.ONNX, ".safetensors": NetFormat.OWN, ".nnue": NetFormat.NNUE, ".phnn": NetFormat.NNUE}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[NetFormat, Path]:
    folder = tmp_path_factory.mktemp("nets")
    found = {kind: folder / kind for kind in NetFormat}
    save_leela(residual_net(), found[NetFormat.LEELA])
    save_stored(found[NetFormat.OWN], from_leela(residual_net()))
    nnue = folder / "net.nnue"
    save_network(made_up(ARCHITECTURES["halfkp-256"]), nnue)
    nnue.rename(found[NetFormat.NNUE])
    dense = folder / "net.phfl"
    save_dense(made_up_giraffe(), dense)
    dense.rename(found[NetFormat.DENSE])
    found[NetFormat.ONNX].write_bytes(to_onnx(residual_net()))
    return found


# Packing tens of megabytes takes seconds, and tests/cli does it once.
@pytest.mark.parametrize(("kind", "ending"), [pair for pair in CONVERSIONS if not pair[1].endswith(".zst")])
def test_every_pair_gives_what_the_name_says(
    sources: dict[NetFormat, Path], tmp_path: Path, kind: NetFormat, ending: str
) -> None:
    target = tmp_path / f"new{ending}"
    convert(sources[kind], target)
    assert net_format(target) is WRITTEN.get(ending, NetFormat.LEELA)


@pytest.mark.parametrize("kind", NetFormat)
def test_every_other_pair_is_refused_with_all_that_is_possible(
    sources: dict[NetFormat, Path], tmp_path: Path, kind: NetFormat
) -> None:
    for ending in {ending for _, ending in CONVERSIONS} | {".tflite", ""}:
        if (kind, ending) in CONVERSIONS:
            continue
        wanted = re.escape(f"no conversion from the format {kind} to 'new{ending}'; possible: leela to .onnx")
        with pytest.raises(ConfigError, match=wanted) as found:
            convert(sources[kind], tmp_path / f"new{ending}")
        assert all(each in str(found.value) for pair in CONVERSIONS for each in pair)
    assert not list(tmp_path.iterdir())
