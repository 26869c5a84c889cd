// The text of game files as UTF-8, which is what records hold.
#pragma once

#include <string>
#include <string_view>

namespace philidor::records {

// Whether the bytes are UTF-8; only then may they be stored as they are.
inline bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const unsigned lead = static_cast<unsigned char>(text[i]);
        const std::size_t more = lead < 0x80   ? 0
                                 : lead < 0xC2 ? 9
                                 : lead < 0xE0 ? 1
                                 : lead < 0xF0 ? 2
                                 : lead < 0xF5 ? 3
                                               : 9;
        if (more > 3 || text.size() - i <= more) return false;
        for (std::size_t k = 1; k <= more; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
        const unsigned second = more > 0 ? static_cast<unsigned char>(text[i + 1]) : 0;
        // Overlong forms, surrogates and numbers above U+10FFFF.
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
            (lead == 0xF4 && second > 0x8F))
            return false;
        i += more + 1;
    }
    return true;
}

// The standards of PGN and SGF say Latin-1, today's files are UTF-8: what is not the latter is read as the former.
inline std::string to_utf8(std::string_view text) {
    if (is_utf8(text)) return std::string(text);
    std::string out;
    for (const char c : text) {
        const unsigned byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            out.push_back(c);
        } else {
            out.push_back(char(0xC0 | byte >> 6));
            out.push_back(char(0x80 | (byte & 0x3F)));
        }
    }
    return out;
}

}  // namespace philidor::records
