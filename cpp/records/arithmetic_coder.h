// Arithmetic coding of single bits (Witten, Neal and Cleary 1987, with 32 bits and no carry): a bit of probability p
// takes -log2 p bits. One class writes and reads, so that a model is written down once and cannot drift apart.
#pragma once

#include <cstdint>
#include <string_view>

#include "records/bytes.h"

namespace philidor::records {

class ArithmeticCoder {
  public:
    static constexpr unsigned kOne = 1 << 16;  // the probabilities' unit

    // Appends to `out`; call `finish` at the end.
    explicit ArithmeticCoder(Bytes& out) : out_(&out) {}
    // Reads; behind the end there are zeros, and `is_exhausted` says so.
    explicit ArithmeticCoder(std::string_view in) : in_(in) {
        for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next();
    }

    bool is_reading() const { return !out_; }
    // Whether more was read than there is; whole data is read to its last byte and no further.
    bool is_exhausted() const { return missing_ > 0; }
    bool is_at_end() const { return at_ == in_.size(); }

    // Writes `bit`, or ignores it and reads one; returns it. `one`: the probability of a 1, above 0 and below kOne.
    bool code(bool bit, unsigned one) {
        const std::uint32_t middle = low_ + std::uint32_t((std::uint64_t(high_ - low_) * one) >> 16);
        if (!out_) bit = code_ <= middle;
        (bit ? high_ : low_) = bit ? middle : middle + 1;
        while (((low_ ^ high_) >> 24) == 0) {
            if (out_)
                put_u8(*out_, high_ >> 24);
            else
                code_ = code_ << 8 | next();
            low_ <<= 8;
            high_ = high_ << 8 | 0xFF;
        }
        return bit;
    }

    void finish() {
        for (int shift = 24; shift >= 0; shift -= 8) put_u8(*out_, low_ >> shift);
    }

  private:
    unsigned next() {
        if (at_ < in_.size()) return static_cast<unsigned char>(in_[at_++]);
        ++missing_;
        return 0;
    }

    Bytes* out_ = nullptr;
    std::string_view in_;
    std::size_t at_ = 0;
    int missing_ = 0;
    std::uint32_t low_ = 0, high_ = 0xFFFFFFFF, code_ = 0;
};

}  // namespace philidor::records
