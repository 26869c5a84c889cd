"""The safetensors format: what is written is read back, by others too, and damage has a name."""

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from philidor.core.errors import NetError
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.network_config import preset
from philidor.nets.network_files import CONFIG_KEY, StoredNetwork, load_stored, save_stored
from philidor.nets.safetensors import parse_tensors, read_tensors, write_tensors

KINDS = st.sampled_from([np.float32, np.float64, np.float16, np.int64, np.int32, np.uint8, np.bool_])
ARRAYS: st.SearchStrategy[Any] = hnp.arrays(KINDS, hnp.array_shapes(min_dims=0, min_side=0, max_side=4))


@given(arrays=st.dictionaries(st.text(min_size=1).filter(lambda key: key != "__metadata__"), ARRAYS, max_size=4))
@settings(max_examples=50)
def test_arrays_are_read_back(arrays: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("tensors") / "file.safetensors"
    write_tensors(path, arrays, {"remark": "ü"})
    found = read_tensors(path)
    assert found.remarks == {"remark": "ü"}
    assert list(found.arrays) == list(arrays)
    for name, array in arrays.items():
        assert found.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(found.arrays[name], array)


def test_the_safetensors_package_reads_our_files_and_we_read_its(tmp_path: Path) -> None:
    numpy_files = pytest.importorskip("safetensors.numpy")
    arrays: dict[str, Any] = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.zeros((0, 2), np.int64)}
    write_tensors(tmp_path / "ours", arrays, {"remark": "yes"})
    for name, array in numpy_files.load_file(tmp_path / "ours").items():
        np.testing.assert_array_equal(array, arrays[name])
    numpy_files.save_file(arrays, tmp_path / "theirs", {"remark": "no"})
    found = read_tensors(tmp_path / "theirs")
    assert found.remarks == {"remark": "no"}
    np.testing.assert_array_equal(found.arrays["a"], arrays["a"])


@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    header = json.dumps({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    for damaged in (data, len(header).to_bytes(8, "little") + header + data, len(data).to_bytes(8, "little") + data):
        with contextlib.suppress(NetError):
            parse_tensors(damaged)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}, "should have 8 bytes"),
        ({"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}, "should have 8 bytes"),
        ({"dtype": "F32", "shape": [2], "data_offsets": [-8, 0]}, "should have 8 bytes"),
        ({"dtype": "F8", "shape": [2], "data_offsets": [0, 8]}, "the type F8"),
        ({"dtype": "F32", "shape": [-1], "data_offsets": [0, 8]}, "no shape of numbers"),
        ({"dtype": "F32", "shape": [10**30], "data_offsets": [0, 8]}, "within the file"),
        ({"dtype": "F32", "shape": [0] + [1 << 31] * 7, "data_offsets": [0, 0]}, "no array can have"),
        ({"dtype": "F32", "shape": [0] * 99, "data_offsets": [0, 0]}, "no array can have"),
        ({"dtype": "F32", "shape": 2, "data_offsets": [0, 8]}, "no type, shape and place"),
        ([], "no type, shape and place"),
    ],
)
def test_an_array_that_is_not_in_the_file_is_refused(entry: object, message: str) -> None:
    header = json.dumps({"a": entry}).encode()
    with pytest.raises(NetError, match=message):
        parse_tensors(len(header).to_bytes(8, "little") + header + bytes(8))


def test_a_network_file_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    write_tensors(path, {"a": np.zeros(3, np.float32)}, {})
    assert net_format(path) is NetFormat.OWN
    with pytest.raises(NetError, match="does not say of what network"):
        load_stored(path)
    for config, message in [("[]", "no JSON object"), ("{", "cannot be read"), ('{"blokcs": 3}', "blocks")]:
        write_tensors(path, {}, {CONFIG_KEY: config})
        with pytest.raises(NetError, match=message):
            load_stored(path)
    save_stored(path, StoredNetwork(preset("mlp", "tictactoe"), {"a": np.zeros(999, np.float32)}, {}))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(NetError, match="array 'a'"):
        load_stored(path)
    with pytest.raises(NetError, match="cannot read"):
        load_stored(tmp_path / "missing")
    with pytest.raises(NetError, match="cannot write"):
        write_tensors(tmp_path / "missing" / "net", {}, {})
