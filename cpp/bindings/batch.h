// Games in bulk and bytes as Python hands them over; shared by the files that bind records.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "records/record.h"

namespace philidor::bindings {

// Games pass from reader to filter to writer in bulk, without becoming Python objects.
struct Batch {
    std::vector<records::Record> games;
};

// The bytes of any Python object that has a buffer: bytes, mmap.
using Buffer =
    nanobind::ndarray<const std::uint8_t, nanobind::ro, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

inline std::string_view view(const Buffer& buffer) {
    return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

// In record_files.cpp; called by bind_records, for all of it is one room.
void bind_record_files(nanobind::module_& module);

}  // namespace philidor::bindings
