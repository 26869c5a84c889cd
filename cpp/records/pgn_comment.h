// What PGN comments say about a move: "[%eval 0.25]", "[%clk 0:01:30]", "{0.60/33}".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace philidor::records {

// A score before it is known who is to move.
struct CommentScore {
    bool is_mate = false;
    bool is_negative = false;  // "-0.00" and "#-3" lose; a mate in zero still has a loser
    int amount = 0;            // centipawns, or moves to mate
};

// "0.25", "-1.5", "+3", "#12", "#-3", "-#3", "M12", "-M5"; trailing text is allowed only after ',', '/', ' ' or ']'.
std::optional<CommentScore> parse_score(std::string_view text);
// The score of "[%eval ...]" anywhere in the comment.
std::optional<CommentScore> find_eval(std::string_view comment);
// The score of a comment that begins with score and depth: "0.60/33", "+0.25/12 0.5s".
std::optional<CommentScore> find_eval_depth(std::string_view comment);
// "[%clk h:mm:ss.fff]" in milliseconds.
std::optional<std::int64_t> find_clock_ms(std::string_view comment);

// As records store it: the side to move's view, mates as 32000 - plies. `is_mover` says whether the score is
// given from that side already.
std::int16_t to_record_score(CommentScore score, bool is_mover);

}  // namespace philidor::records
