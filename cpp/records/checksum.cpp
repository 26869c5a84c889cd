#include "records/checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace philidor::records {
namespace {

using Table32 = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b] is the effect of byte b with k further bytes behind it ("slicing by eight").
constexpr Table32 make_crc32_tables() {
    Table32 tables{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t crc = b;
        for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0u);
        tables[0][b] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t b = 0; b < 256; ++b) {
            const std::uint32_t before = tables[k - 1][b];
            tables[k][b] = (before >> 8) ^ tables[0][before & 0xFF];
        }
    return tables;
}

constexpr std::array<std::uint16_t, 256> make_crc16_table() {
    std::array<std::uint16_t, 256> table{};
    for (unsigned b = 0; b < 256; ++b) {
        unsigned crc = b << 8;
        for (int i = 0; i < 8; ++i) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021u : 0u);
        table[b] = std::uint16_t(crc);
    }
    return table;
}

constexpr Table32 kCrc32 = make_crc32_tables();
constexpr std::array<std::uint16_t, 256> kCrc16 = make_crc16_table();

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t seed) {
    std::uint32_t crc = ~seed;
    const char* next = bytes.data();
    std::size_t left = bytes.size();
    if constexpr (std::endian::native == std::endian::little) {
        for (; left >= 8; left -= 8, next += 8) {
            std::uint32_t low, high;
            std::memcpy(&low, next, 4);
            std::memcpy(&high, next + 4, 4);
            low ^= crc;
            crc = kCrc32[7][low & 0xFF] ^ kCrc32[6][(low >> 8) & 0xFF] ^ kCrc32[5][(low >> 16) & 0xFF] ^
                  kCrc32[4][low >> 24] ^ kCrc32[3][high & 0xFF] ^ kCrc32[2][(high >> 8) & 0xFF] ^
                  kCrc32[1][(high >> 16) & 0xFF] ^ kCrc32[0][high >> 24];
        }
    }
    for (; left > 0; --left, ++next) crc = (crc >> 8) ^ kCrc32[0][(crc ^ static_cast<unsigned char>(*next)) & 0xFF];
    return ~crc;
}

std::uint16_t crc16(std::string_view bytes) {
    std::uint16_t crc = 0xFFFF;
    for (const char c : bytes) crc = std::uint16_t((crc << 8) ^ kCrc16[(crc >> 8) ^ static_cast<unsigned char>(c)]);
    return crc;
}

}  // namespace philidor::records
