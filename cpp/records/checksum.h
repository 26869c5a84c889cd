// The two checksums of the record format, both in every standard library: zlib's CRC-32 and CRC-16/CCITT-FALSE.
#pragma once

#include <cstdint>
#include <string_view>

namespace philidor::records {

// Continues from `seed`, the checksum of what came before; as zlib.crc32 does.
std::uint32_t crc32(std::string_view bytes, std::uint32_t seed = 0);

// As Python's binascii.crc_hqx(bytes, 0xFFFF). Detects every damage within 16 neighboring bits.
std::uint16_t crc16(std::string_view bytes);

}  // namespace philidor::records
