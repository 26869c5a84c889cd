// A PGN reader that checks every move: text in pieces of any size goes in, records come out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/chess/board.h"
#include "records/record.h"

namespace philidor::records {

// Why a game was skipped.
enum class PgnProblem : std::uint8_t {
    kNone,
    kSyntax,
    kIllegalMove,
    kAmbiguousMove,
    kNullMove,
    kFen,
    kVariant,
    kResult,
    kUnclosed,
    kTooLong,
    kCount
};
std::string_view pgn_problem_name(PgnProblem problem);

// Whose view a comment "{0.60/33}" takes: TCEC and CCC write White's, cutechess the mover's.
enum class EvalView : std::uint8_t { kWhite, kMover };

struct PgnOptions {
    EvalView eval_view = EvalView::kWhite;
    bool annotations = true;        // read scores and clocks from comments
    std::vector<std::string> tags;  // which tags to keep beside result, ratings, source and start; "*": all
};

struct PgnCounts {
    std::uint64_t games = 0;  // read without a problem
    std::uint64_t plies = 0;
    std::array<std::uint64_t, std::size_t(PgnProblem::kCount)> skipped{};
    std::string first_problem;  // the first skipped game, in words

    std::uint64_t total() const;
};

// Where another game begins, whatever state this one is in.
inline constexpr std::string_view kEventLine = "\n[Event \"";

// Not thread-safe. Feed text, take games until there is none, feed on; after `finish` the last game comes out.
class PgnReader {
  public:
    // Nothing a person writes comes near; longer games are skipped, so that memory stays bounded.
    static constexpr std::size_t kMaxGameBytes = 4 * 1024 * 1024;
    static constexpr std::size_t kMaxPlies = 16384;

    explicit PgnReader(PgnOptions options = {});
    // The boards point into the reader.
    PgnReader(const PgnReader&) = delete;
    PgnReader& operator=(const PgnReader&) = delete;

    void feed(std::string_view text);
    void finish() {
        is_final_ = true;
        retry_size_ = 0;
    }
    // The next good game; false when more text is needed or, after `finish`, at the end.
    bool next(Record& record);

    const PgnCounts& counts() const { return counts_; }

  private:
    enum class Step { kGame, kNeedMore };
    // What a game's text said, until its end is reached.
    struct Draft {
        PgnProblem problem = PgnProblem::kNone;
        std::string detail;
        std::string fen;
        Result tag_result = Result::kUnknown, text_result = Result::kUnknown;
        bool has_tags = false, has_event = false, has_text = false, is_chess960 = false, ignores_fen = false;

        void clear() {
            detail.clear();
            fen.clear();
            problem = PgnProblem::kNone;
            tag_result = text_result = Result::kUnknown;
            has_tags = has_event = has_text = is_chess960 = ignores_fen = false;
        }
    };

    Step read_game(Record& record);
    void conclude(Record& record);
    void reject(PgnProblem problem, std::string_view detail);

    bool read_tags(Record& record);
    bool read_tag(Record& record);
    void use_tag(std::string_view name, std::string_view value, Record& record);
    void set_up(Record& record);

    bool read_moves(Record& record);
    bool is_next_game(bool is_after_blank_line, bool& is_known) const;
    bool read_word(Record& record, bool& is_end);
    void play(std::string_view san, Record& record);
    bool skip_comment(std::string_view& comment);
    bool read_comment(Record& record);
    void use_comment(std::string_view comment, Record& record);
    bool skip_variation();

    bool skip_space();
    bool skip_line();
    bool skip_to_next_event();
    bool at_line_start() const {
        const char before = at_ == buffer_.data() ? before_ : at_[-1];
        return before == '\n' || before == '\r';
    }

    PgnOptions options_;
    PgnCounts counts_;
    std::string buffer_;
    char before_ = '\n';          // the byte before the buffer's first
    std::size_t read_ = 0;        // bytes of the buffer that belong to finished games
    std::size_t retry_size_ = 0;  // wait for so many unread bytes before trying the same game again
    bool is_final_ = false;
    bool is_skipping_ = false;  // a game was too long: nothing counts before the next Event

    // While reading one game.
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    Draft draft_;
    std::string value_;  // of the tag at hand
    chess::Board board_, start_board_;
    chess::State start_state_;
    chess::State states_[2];
    chess::MoveList legal_;
    chess::Color first_to_move_ = chess::kWhite;
};

}  // namespace philidor::records
