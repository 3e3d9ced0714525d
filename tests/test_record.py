"""What recorded traces become: fixed parts, parts per image and per pixel, and the moments that can be the peak."""

import numpy as np
import pytest
from record.moments import Figures, Trace, Traces, ends, envelope, extrapolated, solved

PIXELS = (0.25, 1.0)


def trace(images: int, megapixels: float) -> Trace:
    """A network that keeps 5 and, per image, 2 + 8 per million pixels; later 20 of gradients and half the images."""
    each = 2 + 8 * megapixels
    live = np.array([5 + images * each, 25 + images * each / 2])
    return Trace(live, np.array([0.0, 20.0]), saved=5 + images * each, parameters=20, trained=20)


def traces() -> Traces:
    return Traces(trace(2, PIXELS[0]), trace(3, PIXELS[0]), trace(2, PIXELS[1]), PIXELS)


def test_three_traces_part_what_is_fixed_from_what_grows():
    assert solved(traces()).tolist() == [[0, 5, 2, 8], [20, 5, 1, 4]]
    assert traces().saved.tolist() == [5, 2, 8]


def test_moments_that_are_the_peak_for_no_number_of_images_are_dropped():
    rows = np.array([[0, 5, 2, 8], [0, 4, 1, 4], [20, 5, 1, 4]], dtype=float)
    assert envelope(rows, edges=[500]).tolist() == [[0, 5, 2, 8], [20, 5, 1, 4]]
    assert ends(rows, megapixels=1).tolist() == [[0, 5, 2, 8], [20, 5, 1, 4]]


def test_runs_of_different_operations_are_refused():
    shorter = Trace(np.array([1.0]), np.array([0.0]), saved=1, parameters=1, trained=0)
    with pytest.raises(ValueError, match="2 1 2"):
        solved(traces()._replace(three=shorter))


def test_equal_layers_add_equal_amounts():
    two = Figures(np.array([[0.0, 10, 4, 6]]), np.array([1.0, 2, 3]), parameters=100, trained=10)
    three = Figures(np.array([[0.0, 13, 5, 8]]), np.array([1.0, 3, 4]), parameters=140, trained=14)
    whole = extrapolated(two, [three], [12])
    assert whole.moments.tolist() == [[0, 40, 14, 26]]
    assert whole.parameters == 500
