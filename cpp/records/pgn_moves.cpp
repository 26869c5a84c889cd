// The movetext of a PGN game: numbers, moves, comments, variations, annotations and the result.
#include <algorithm>
#include <array>
#include <cstring>

#include "games/chess/movegen.h"
#include "games/chess/notation.h"
#include "records/pgn.h"
#include "records/pgn_comment.h"

namespace philidor::records {

using namespace philidor::chess;

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::array<bool, 256> make_delimiters() {
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c <= ' '; ++c) table[c] = true;
    for (const char c : std::string_view("{}()[]<>;$*")) table[static_cast<unsigned char>(c)] = true;
    return table;
}
constexpr std::array<bool, 256> kDelimiters = make_delimiters();

bool is_delimiter(char c) { return kDelimiters[static_cast<unsigned char>(c)]; }

bool is_null_move(std::string_view word) {
    return word == "--" || word == "Z0" || word == "0000" || word == "@@@@" || word == "null" || word == "pass";
}

// "=", "+-", a novelty's "N": annotations that are not moves.
bool is_remark(std::string_view word) {
    if (word == "N" || word == "e.p." || word == "ep") return true;
    return std::ranges::none_of(word, [](char c) { return is_digit(c) || is_letter(c); });
}

// The move in "12.e4", "12...e5" or "e4"; empty if the word is only a number.
std::string_view without_number(std::string_view word) {
    std::size_t digits = 0;
    while (digits < word.size() && is_digit(word[digits])) ++digits;
    std::size_t dots = digits;
    while (dots < word.size() && word[dots] == '.') ++dots;
    // "0-0" is castling written with digits.
    return dots == digits && digits < word.size() ? word : word.substr(dots);
}

template <typename T>
void put_at(std::vector<T>& column, std::size_t index, T value, T missing) {
    if (column.size() <= index) column.resize(index + 1, missing);
    column[index] = value;
}

}  // namespace

// Reads to the game's end; false when the text ends first.
bool PgnReader::read_moves(Record& record) {
    for (;;) {
        int newlines = 0;
        for (; at_ != end_ && static_cast<unsigned char>(*at_) <= ' '; ++at_) newlines += *at_ == '\n';
        if (at_ == end_) return false;
        if (at_line_start()) {
            if (*at_ == '%') {
                if (!skip_line()) return false;
                continue;
            }
            bool is_known = true;
            if (is_next_game(newlines >= 2 && !record.moves.empty(), is_known)) return true;
            if (!is_known) return false;
        }
        bool is_end = false;
        switch (*at_) {
            case '{':
                if (!read_comment(record)) return false;
                break;
            case '(':
                if (!skip_variation()) return false;
                break;
            case ';':
                if (!skip_line()) return false;
                break;
            case '$': at_ = std::find_if_not(at_ + 1, end_, is_digit); break;
            case '*':
                draft_.has_text = true;
                ++at_;
                return true;
            case ')':
            case '}':
            case '[':
            case ']':
            case '<':
            case '>': ++at_; break;
            default:
                if (!read_word(record, is_end)) return false;
                if (is_end) return true;
        }
    }
}

// Whether a game without a result ends here: the next one's tags follow, or, after an empty line, its first move.
// `is_known` is false when the text ends before that can be said.
bool PgnReader::is_next_game(bool is_after_blank_line, bool& is_known) const {
    const auto left = std::size_t(end_ - at_);
    if (*at_ == '[') {
        const char* at = at_ + 1;
        while (at != end_ && (is_letter(*at) || is_digit(*at) || *at == '_')) ++at;
        const char* const name_end = at;
        while (at != end_ && *at == ' ') ++at;
        if (at == end_) is_known = is_final_;
        return at != end_ && name_end != at_ + 1 && *at == '"';
    }
    if (!is_after_blank_line || *at_ != '1') return false;
    if (left < 2) is_known = is_final_;
    return left >= 2 && at_[1] == '.';
}

bool PgnReader::read_word(Record& record, bool& is_end) {
    const char* const begin = at_;
    while (at_ != end_ && !is_delimiter(*at_)) ++at_;
    // A promotion may be written "e8(Q)".
    if (end_ - at_ >= 3 && *at_ == '(' && at_[2] == ')' && std::strchr("QRBN", at_[1])) at_ += 3;
    if (end_ - at_ < 3 && !is_final_) return false;
    draft_.has_text = true;
    std::string_view word(begin, std::size_t(at_ - begin));
    if (is_digit(word.front())) {
        is_end = true;
        if (word == "1-0") return draft_.text_result = Result::kFirstWins, true;
        if (word == "0-1") return draft_.text_result = Result::kSecondWins, true;
        if (word == "1/2-1/2" || word == "1/2") return draft_.text_result = Result::kDraw, true;
        is_end = false;
        if (!is_null_move(word)) word = without_number(word);
    } else if (word.front() == '.') {
        word = without_number(word);
    }
    if (word.empty() || draft_.problem != PgnProblem::kNone) return true;
    if (is_null_move(word))
        reject(PgnProblem::kNullMove, word);
    else if (!is_remark(word))
        play(word, record);
    return true;
}

void PgnReader::play(std::string_view san, Record& record) {
    const SanResult parsed = parse_san(board_, san);
    switch (parsed.error) {
        case SanError::kNone: break;
        case SanError::kSyntax: return reject(PgnProblem::kSyntax, san);
        case SanError::kIllegal: return reject(PgnProblem::kIllegalMove, san);
        case SanError::kAmbiguous: return reject(PgnProblem::kAmbiguousMove, san);
    }
    if (record.moves.size() >= kMaxPlies) return reject(PgnProblem::kTooLong, "");
    legal_.set_end(generate(board_, legal_.begin()));
    const int index = canonical_index(legal_, parsed.move);
    if (index < 0) return reject(PgnProblem::kIllegalMove, san);
    record.moves.push_back(std::uint16_t(index));
    // Two states in turn are enough: nothing here asks for repetitions.
    board_.make(parsed.move, states_[record.moves.size() % 2]);
}

// Moves behind the comment that begins here; false when the text ends inside it.
bool PgnReader::skip_comment(std::string_view& comment) {
    const std::string_view rest(at_ + 1, std::size_t(end_ - at_ - 1));
    const std::size_t close = rest.find('}');
    comment = rest.substr(0, close);
    // A comment that someone forgot to close ends where the next game begins.
    if (const std::size_t event = comment.find(kEventLine); event != std::string_view::npos) {
        reject(PgnProblem::kUnclosed, "");
        at_ = comment.data() + event;
        return true;
    }
    if (close == std::string_view::npos) {
        at_ = end_;
        if (is_final_) reject(PgnProblem::kUnclosed, "");
        return false;
    }
    at_ += close + 2;
    return true;
}

bool PgnReader::read_comment(Record& record) {
    std::string_view comment;
    if (!skip_comment(comment)) return false;
    if (options_.annotations && draft_.problem == PgnProblem::kNone) use_comment(comment, record);
    return true;
}

void PgnReader::use_comment(std::string_view comment, Record& record) {
    const std::size_t plies = record.moves.size();
    const auto mover = [this](std::size_t ply) { return Color(first_to_move_ ^ (ply & 1)); };
    if (comment.find("[%") != std::string_view::npos) {
        // "[%eval]" judges the position after the move, hence the next one's column entry.
        if (const auto score = find_eval(comment))
            put_at(record.scores, plies, to_record_score(*score, mover(plies) == kWhite), kNoScore);
        if (const auto clock = find_clock_ms(comment); clock && plies > 0)
            put_at(record.clocks_ms, plies - 1, *clock, kNoClock);
    } else if (plies > 0) {
        // "{score/depth}" is what the search for this move found.
        const bool is_mover = options_.eval_view == EvalView::kMover || mover(plies - 1) == kWhite;
        if (const auto score = find_eval_depth(comment))
            put_at(record.scores, plies - 1, to_record_score(*score, is_mover), kNoScore);
    }
}

bool PgnReader::skip_variation() {
    std::string_view comment;
    for (int depth = 0; at_ != end_;) {
        if (*at_ == '{') {
            if (!skip_comment(comment)) return false;
            continue;
        }
        if (*at_ == ';') {
            skip_line();
            continue;
        }
        if (*at_ == '\n' && std::string_view(at_, std::size_t(end_ - at_)).starts_with(kEventLine)) {
            reject(PgnProblem::kUnclosed, "");
            return true;
        }
        depth += (*at_ == '(') - (*at_ == ')');
        ++at_;
        if (depth == 0) return true;
    }
    if (is_final_) reject(PgnProblem::kUnclosed, "");
    return false;
}

}  // namespace philidor::records
