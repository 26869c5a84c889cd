// Cutting text into games.
#include <algorithm>

#include "records/sgf.h"

namespace philidor::records {
namespace {

// A line that begins like this is a new game for certain: variations have no such properties.
constexpr std::string_view kRootNames[] = {"FF[", "GM[", "CA[", "SZ[", "AP["};
constexpr std::size_t kRootBytes = 6;  // "\n(;FF["

bool is_root_line(std::string_view text) {
    return text.size() >= kRootBytes && text.starts_with("\n(;") &&
           std::ranges::find(kRootNames, text.substr(3, 3)) != std::end(kRootNames);
}

bool is_space(char c) { return static_cast<unsigned char>(c) <= ' '; }

}  // namespace

void SgfScanner::feed(std::string_view text) {
    buffer_.erase(0, read_);
    at_ -= std::min(at_, read_);
    read_ = 0;
    buffer_.append(text);
}

// Goes to the next "(" that a ";" follows; what stands before it is no game.
bool SgfScanner::find_start(bool is_final) {
    for (;;) {
        const std::size_t open = buffer_.find('(', read_);
        read_ = std::min(open, buffer_.size());
        if (open == std::string::npos) return false;
        std::size_t after = open + 1;
        while (after < buffer_.size() && is_space(buffer_[after])) ++after;
        if (after == buffer_.size()) {
            // Blanks without end are no game either.
            if (!is_final && after - open < SgfReader::kMaxGameBytes) return false;
            read_ = after;
            return false;
        }
        if (buffer_[after] == ';') {
            at_ = open + 1;
            depth_ = 1;
            is_value_ = is_escaped_ = false;
            return true;
        }
        read_ = open + 1;
    }
}

SgfScanner::Found SgfScanner::end_at(std::size_t end, Found found, std::string_view& game) {
    game = std::string_view(buffer_).substr(read_, end - read_);
    read_ = at_ = end;
    depth_ = 0;
    return game.size() > SgfReader::kMaxGameBytes ? Found::kTooLong : found;
}

SgfScanner::Found SgfScanner::next(bool is_final, std::string_view& game) {
    if (depth_ == 0 && !find_start(is_final)) return Found::kNeedMore;
    for (; at_ < buffer_.size(); ++at_) {
        const char c = buffer_[at_];
        if (c == '\n') {
            const std::string_view rest = std::string_view(buffer_).substr(at_, kRootBytes);
            if (is_root_line(rest)) return end_at(at_ + 1, Found::kUnclosed, game);
            if (rest.size() < kRootBytes && !is_final) return Found::kNeedMore;
        }
        if (is_value_) {
            if (is_escaped_)
                is_escaped_ = false;
            else if (c == '\\')
                is_escaped_ = true;
            else if (c == ']')
                is_value_ = false;
        } else if (c == '[') {
            is_value_ = true;
        } else if (c == '(') {
            ++depth_;
        } else if (c == ')' && --depth_ == 0) {
            return end_at(at_ + 1, Found::kGame, game);
        }
    }
    // Too long already: it is dropped as far as it came, and what follows is read as new.
    if (buffer_.size() - read_ > SgfReader::kMaxGameBytes) return end_at(buffer_.size(), Found::kTooLong, game);
    return is_final ? end_at(buffer_.size(), Found::kUnclosed, game) : Found::kNeedMore;
}

}  // namespace philidor::records
