#include "records/pgn_comment.h"

#include <algorithm>

#include "records/record.h"

namespace philidor::records {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr int kLargest = 1'000'000;  // where reading stops counting; far above any score

// Reads digits off the front, saturating.
int take_number(std::string_view& text) {
    int value = 0;
    while (!text.empty() && is_digit(text.front())) {
        value = std::min(kLargest, value * 10 + (text.front() - '0'));
        text.remove_prefix(1);
    }
    return value;
}

// Reads the digits after a point as thousandths; further digits are dropped.
int take_thousandths(std::string_view& text) {
    int value = 0, unit = 100;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), unit /= 10)
        value += unit * (text.front() - '0');
    return value;
}

// A sign may stand before or behind the '#'.
bool take_sign(std::string_view& text, bool& is_negative) {
    if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
    is_negative ^= text.front() == '-';
    text.remove_prefix(1);
    return true;
}

void skip_spaces(std::string_view& text) {
    while (!text.empty() &&
           (text.front() == ' ' || text.front() == '\n' || text.front() == '\r' || text.front() == '\t'))
        text.remove_prefix(1);
}

// Takes a score off the front.
std::optional<CommentScore> take_score(std::string_view& text) {
    CommentScore score;
    take_sign(text, score.is_negative);
    if (!text.empty() && (text.front() == '#' || text.front() == 'M')) {
        score.is_mate = true;
        text.remove_prefix(1);
        take_sign(text, score.is_negative);
    }
    if (text.empty() || !is_digit(text.front())) return std::nullopt;
    score.amount = take_number(text);
    if (score.is_mate) return score;
    int thousandths = 0;
    if (text.size() > 1 && text.front() == '.') {
        text.remove_prefix(1);
        thousandths = take_thousandths(text);
    }
    score.amount = std::min(kMaxCentipawns, score.amount * 100 + (thousandths + 5) / 10);
    return score;
}

// What follows "[%name " in a comment, or nothing.
std::string_view find_command(std::string_view comment, std::string_view opening) {
    const std::size_t at = comment.find(opening);
    if (at == std::string_view::npos) return {};
    std::string_view rest = comment.substr(at + opening.size());
    skip_spaces(rest);
    return rest;
}

}  // namespace

std::optional<CommentScore> parse_score(std::string_view text) {
    const std::optional<CommentScore> score = take_score(text);
    if (!text.empty() && std::string_view(",/ ]").find(text.front()) == std::string_view::npos) return std::nullopt;
    return score;
}

std::optional<CommentScore> find_eval(std::string_view comment) {
    const std::string_view text = find_command(comment, "[%eval ");
    return text.empty() ? std::nullopt : parse_score(text);
}

std::optional<CommentScore> find_eval_depth(std::string_view comment) {
    skip_spaces(comment);
    const std::optional<CommentScore> score = take_score(comment);
    const bool has_depth = comment.size() >= 2 && comment[0] == '/' && is_digit(comment[1]);
    return has_depth ? score : std::nullopt;
}

std::optional<std::int64_t> find_clock_ms(std::string_view comment) {
    std::string_view text = find_command(comment, "[%clk ");
    if (text.empty() || !is_digit(text.front())) return std::nullopt;
    // Hours and minutes may be missing; each colon makes what stood before it sixty times as much.
    std::int64_t seconds = take_number(text);
    for (int i = 0; i < 2 && text.size() > 1 && text[0] == ':' && is_digit(text[1]); ++i) {
        text.remove_prefix(1);
        seconds = seconds * 60 + take_number(text);
    }
    std::int64_t thousandths = 0;
    if (text.size() > 1 && text[0] == '.') {
        text.remove_prefix(1);
        thousandths = take_thousandths(text);
    }
    if (text.empty() || (text.front() != ']' && text.front() != ' ')) return std::nullopt;
    return seconds * 1000 + thousandths;
}

std::int16_t to_record_score(CommentScore score, bool is_mover) {
    const bool is_losing = score.is_negative == is_mover;
    if (!score.is_mate) return std::int16_t(is_losing ? -score.amount : score.amount);
    // The mater to move needs 2n - 1 plies, the mated to move suffers 2n.
    const int plies = std::min(kMateScore - kMateRange, 2 * std::min(score.amount, 1000));
    if (is_losing) return std::int16_t(-(kMateScore - plies));
    return std::int16_t(kMateScore - std::max(0, plies - 1));
}

}  // namespace philidor::records
