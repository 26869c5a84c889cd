// The reader's frame: buffering, one game after the other, and the game's end. Tags are in pgn_tags.cpp, moves
// in pgn_moves.cpp.
#include "records/pgn.h"

#include <algorithm>

#include "games/chess/fen.h"
#include "games/chess/movegen.h"

namespace philidor::records {

using namespace philidor::chess;

std::string_view pgn_problem_name(PgnProblem problem) {
    constexpr std::string_view kNames[] = {"none",
                                           "syntax",
                                           "illegal move",
                                           "ambiguous move",
                                           "null move",
                                           "bad FEN",
                                           "other variant",
                                           "contradicting results",
                                           "unclosed comment or variation",
                                           "too long"};
    static_assert(std::size(kNames) == std::size_t(PgnProblem::kCount));
    return kNames[std::size_t(problem)];
}

PgnReader::PgnReader(PgnOptions options) : options_(std::move(options)) {
    parse_fen(kStartFen, start_board_, start_state_);
}

void PgnReader::feed(std::string_view text) {
    if (read_ > 0) before_ = buffer_[read_ - 1];
    buffer_.erase(0, read_);
    read_ = 0;
    buffer_.append(text);
}

bool PgnReader::next(Record& record) {
    for (;;) {
        if (is_skipping_ && !skip_to_next_event()) return false;
        const std::size_t unread = buffer_.size() - read_;
        if (!is_final_ && unread < retry_size_) return false;
        retry_size_ = 0;
        if (read_game(record) == Step::kNeedMore) {
            if (is_final_) return false;
            // Trying only after the text has doubled keeps the work linear, however small the pieces.
            retry_size_ = 2 * (buffer_.size() - read_);
            if (buffer_.size() - read_ <= kMaxGameBytes) return false;
            reject(PgnProblem::kTooLong, "");
            is_skipping_ = true;
            retry_size_ = 0;
        }
        if (draft_.problem == PgnProblem::kNone) {
            ++counts_.games;
            counts_.plies += record.moves.size();
            return true;
        }
        if (counts_.first_problem.empty())
            counts_.first_problem = "game " + std::to_string(counts_.total() + 1) + ": " +
                                    std::string(pgn_problem_name(draft_.problem)) + " " + draft_.detail;
        ++counts_.skipped[std::size_t(draft_.problem)];
    }
}

std::uint64_t PgnCounts::total() const {
    std::uint64_t sum = games;
    for (const std::uint64_t count : skipped) sum += count;
    return sum;
}

bool PgnReader::skip_to_next_event() {
    const std::size_t found = buffer_.find(kEventLine, read_);
    is_skipping_ = found == std::string::npos && !is_final_;
    if (found != std::string::npos) {
        read_ = found + 1;
        return true;
    }
    // The line may have been cut in two by the end of the buffer.
    read_ = is_final_ ? buffer_.size() : std::max(read_, buffer_.size() - std::min(buffer_.size(), kEventLine.size()));
    return is_final_;
}

PgnReader::Step PgnReader::read_game(Record& record) {
    at_ = buffer_.data() + read_;
    end_ = buffer_.data() + buffer_.size();
    for (;;) {
        draft_.clear();
        record.clear();
        const bool has_start = skip_space();
        read_ = std::size_t(at_ - buffer_.data());
        if (!has_start) return Step::kNeedMore;
        const std::size_t begin = read_;
        const bool has_tags = read_tags(record);
        if (has_tags || is_final_) set_up(record);
        const bool is_complete = has_tags && read_moves(record);
        if (!is_complete && !is_final_) return Step::kNeedMore;
        read_ = std::size_t(at_ - buffer_.data());
        // The same games are too long however the text is cut.
        if (read_ - begin > kMaxGameBytes) reject(PgnProblem::kTooLong, "");
        // A stray comment or bracket between games is not a game.
        if (draft_.has_tags || draft_.has_text) break;
    }
    conclude(record);
    return Step::kGame;
}

void PgnReader::conclude(Record& record) {
    if (draft_.tag_result != Result::kUnknown && draft_.text_result != Result::kUnknown &&
        draft_.tag_result != draft_.text_result)
        reject(PgnProblem::kResult, "");
    if (draft_.problem != PgnProblem::kNone) return;
    record.result = draft_.text_result != Result::kUnknown ? draft_.text_result : draft_.tag_result;
    // A comment after the last move may judge the final position, which has no move of its own.
    const std::size_t plies = record.moves.size();
    if (record.scores.size() > plies) record.final_score = record.scores.back();
    if (!record.scores.empty()) record.scores.resize(plies, kNoScore);
    if (std::ranges::all_of(record.scores, [](std::int16_t score) { return score == kNoScore; })) record.scores.clear();
    if (!record.clocks_ms.empty()) record.clocks_ms.resize(plies, kNoClock);
    if ((record.termination.empty() || record.termination == "normal") && plies > 0 && !has_legal_move(board_))
        record.termination = board_.in_check() ? "checkmate" : "stalemate";
}

void PgnReader::reject(PgnProblem problem, std::string_view detail) {
    if (draft_.problem != PgnProblem::kNone) return;
    draft_.problem = problem;
    if (!counts_.first_problem.empty()) return;
    // The text may be anything, and the message is for a terminal.
    draft_.detail = detail.substr(0, 200);
    for (char& c : draft_.detail)
        if (c < ' ' || c > '~') c = '?';
}

bool PgnReader::skip_line() {
    at_ = std::find_if(at_, end_, [](char c) { return c == '\n' || c == '\r'; });
    return at_ != end_;
}

// Passes white space, control characters, byte order marks and '%' lines; false when the text ends. What may be cut
// off in the middle is not passed.
bool PgnReader::skip_space() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    while (at_ != end_) {
        const std::string_view rest(at_, std::min(std::size_t(end_ - at_), kByteOrderMark.size()));
        if (static_cast<unsigned char>(*at_) <= ' ') {
            ++at_;
        } else if (*at_ == '%' && at_line_start()) {
            const char* const line = at_;
            if (!skip_line() && !is_final_) return at_ = line, false;
        } else if (rest == kByteOrderMark) {
            at_ += rest.size();
        } else {
            return is_final_ || !kByteOrderMark.starts_with(rest);
        }
    }
    return false;
}

}  // namespace philidor::records
