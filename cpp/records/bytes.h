// Little-endian numbers, varints and strings in and out of byte buffers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace philidor::records {

// A byte string; std::string because it moves to Python and to files without a copy.
using Bytes = std::string;

inline void put_u8(Bytes& out, unsigned value) { out.push_back(char(value)); }
inline void put_u16(Bytes& out, unsigned value) {
    const char bytes[] = {char(value), char(value >> 8)};
    out.append(bytes, 2);
}
inline void put_u32(Bytes& out, std::uint32_t value) {
    const char bytes[] = {char(value), char(value >> 8), char(value >> 16), char(value >> 24)};
    out.append(bytes, 4);
}
// LEB128: seven bits a byte, lowest first, the high bit says that more follow.
inline void put_varint(Bytes& out, std::uint64_t value) {
    while (value >= 0x80) {
        put_u8(out, unsigned(value & 0x7F) | 0x80);
        value >>= 7;
    }
    put_u8(out, unsigned(value));
}
inline void put_string(Bytes& out, std::string_view text) {
    put_varint(out, text.size());
    out.append(text);
}

// Reads what the functions above write. Never reads past the end: once something was missing, `ok` is false
// for good and every further read yields zero, so callers check once at the end.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    bool ok() const { return ok_; }
    bool at_end() const { return next_ == end_; }
    std::size_t remaining() const { return std::size_t(end_ - next_); }
    void fail() {
        ok_ = false;
        next_ = end_;
    }

    unsigned u8() { return need(1) ? byte() : 0; }
    unsigned u16() {
        if (!need(2)) return 0;
        const unsigned low = byte();
        return low | byte() << 8;
    }
    std::uint32_t u32() {
        const std::uint32_t low = u16();
        return low | std::uint32_t(u16()) << 16;
    }
    // Rejects more than 63 bits: no count, size or reference is that large.
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            if (!need(1)) return 0;
            const unsigned part = byte();
            value |= std::uint64_t(part & 0x7F) << shift;
            if (part < 0x80) return value;
        }
        fail();
        return 0;
    }
    std::string_view bytes(std::uint64_t count) {
        if (!need(count)) return {};
        const std::string_view view(next_, std::size_t(count));
        next_ += count;
        return view;
    }
    std::string_view string() { return bytes(varint()); }

  private:
    bool need(std::uint64_t count) {
        if (remaining() >= count) return true;
        fail();
        return false;
    }
    unsigned byte() { return static_cast<unsigned char>(*next_++); }

    const char* next_;
    const char* end_;
    bool ok_ = true;
};

}  // namespace philidor::records
