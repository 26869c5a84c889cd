"""Pictures without a plotting library: what stands where."""

import re
import struct
import xml.etree.ElementTree as ET
import zlib
from base64 import b64decode

import pytest

from philidor.core.charts import (
    PANEL_HEIGHT,
    Chart,
    Drawing,
    Image,
    Panel,
    Series,
    draw_charts,
    gray_levels,
    share_of,
    y_range,
)
from philidor.core.svg import round_up


def _chart(*heights: float, **settings: object) -> Chart:
    points = tuple((float(x), y) for x, y in enumerate(heights))
    return Chart("title", "x", (Series("a", points),), **settings)  # type: ignore[arg-type]


def _circles(picture: str) -> list[float]:
    return [float(y) for y in re.findall(r'cy="([-\d.]+)"', picture)]


def test_an_axis_begins_at_zero_and_goes_below_it_only_for_negative_numbers() -> None:
    assert y_range(_chart(0.2, 7.0)) == (0.0, 8.0)
    assert y_range(_chart(-3.0, 7.0)) == (-3.0, 8.0)
    assert y_range(_chart(-3.0, -1.0)) == (-3.0, 0.0)


def test_a_logarithmic_axis_ends_at_powers_of_ten() -> None:
    assert y_range(_chart(0.02, 30.0, is_logarithmic=True)) == pytest.approx((0.01, 100.0))
    assert share_of(1.0, 0.01, 100.0, True) == pytest.approx(0.5)


def test_higher_numbers_stand_higher() -> None:
    low, high = _circles(draw_charts("t", "s", [_chart(-1.0, 1.0)]))
    assert low - high == pytest.approx(PANEL_HEIGHT)


def test_an_image_goes_from_black_to_white() -> None:
    image = Image("i", ((0.0, 5.0), (10.0, 20.0)), high=10.0)
    assert gray_levels(image) == [[0.0, 0.5], [1.0, 1.0]]
    data = b64decode(re.findall('base64,([^"]+)', draw_charts("t", "s", [image]))[0])
    (length,) = struct.unpack(">I", data[33:37])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (2, 2)
    assert zlib.decompress(data[41 : 41 + length]) == bytes([0, 0, 128, 0, 255, 255])


def test_every_kind_of_panel_is_well_formed_and_names_are_escaped() -> None:
    panels: list[Panel] = [
        _chart(1.0, 2.0),
        Image("<i>", ((1.0,),), has_numbers=True),
        Drawing("d", ('<path d="M0 0h3"/>',)),
    ]
    root = ET.fromstring(draw_charts("a < b", "s", [*panels, Chart("empty", "x", ())]))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert "<i>" in texts
    assert "empty" not in texts


@pytest.mark.parametrize(("value", "end"), [(0.0, 1.0), (1.0, 1.0), (1.2, 1.5), (0.0021, 0.003), (81.0, 100.0)])
def test_axes_end_at_round_numbers(value: float, end: float) -> None:
    assert round_up(value) == pytest.approx(end)


def test_large_numbers_on_an_axis_are_written_out() -> None:
    drawn = draw_charts("title", "", (_chart(0.0, 2000.0),))
    assert ">2,000<" in drawn
    assert ">500<" in drawn
    assert "e+0" not in drawn
