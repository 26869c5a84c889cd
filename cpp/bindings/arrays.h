// Arrays for numpy that own their numbers; shared by the binding files.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace philidor::bindings {

template <typename T>
using Array1 = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;
template <typename T>
using Array2 = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>>;
template <typename T>
using Array3 = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<3>>;
template <typename T>
using Array4 = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<4>>;

// Hands a vector over to numpy, which frees it.
template <typename A, typename T>
A to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return A(kept->data(), shape, owner);
}

}  // namespace philidor::bindings
