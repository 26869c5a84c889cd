// An SGF reader that checks every move: text in pieces of any size goes in, records of Go come out; and back to SGF.
//
// A record's moves are places among the legal ones, so they depend on the ko rule. What is read from SGF is by the
// simple ko rule without suicide: people play by that one, and a game that repeats a position later on is kept too.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/go/go.h"
#include "records/record.h"

namespace philidor::records {

// Why a game was skipped.
enum class SgfProblem : std::uint8_t {
    kNone,
    kSyntax,
    kOtherGame,
    kOtherSize,
    kSetup,
    kIllegalMove,
    kTurns,
    kAfterEnd,
    kKomi,
    kUnclosed,
    kTooLong,
    kCount
};
std::string_view sgf_problem_name(SgfProblem problem);

struct SgfOptions {
    int width = 0, height = 0;      // 0: those of the first good game
    std::vector<std::string> tags;  // properties of the root to keep; "*": all
};

struct SgfCounts {
    std::uint64_t games = 0;  // read without a problem
    std::uint64_t plies = 0;
    std::array<std::uint64_t, std::size_t(SgfProblem::kCount)> skipped{};
    std::string first_problem;  // the first skipped game, in words

    std::uint64_t total() const;
};

// What White gets on a board of this size unless a file says otherwise; as in games/go/rules.py.
constexpr double usual_komi(int width, int height) { return (width > height ? width : height) <= 9 ? 7.0 : 7.5; }

// Finds where games begin and end in text that comes in pieces. Brackets inside of values do not count.
class SgfScanner {
  public:
    enum class Found { kGame, kUnclosed, kTooLong, kNeedMore };

    void feed(std::string_view text);
    // The next game's text, which is valid until the next `feed`; `kNeedMore` at the end too.
    Found next(bool is_final, std::string_view& game);

  private:
    bool find_start(bool is_final);
    Found end_at(std::size_t end, Found found, std::string_view& game);

    std::string buffer_;
    std::size_t read_ = 0;     // bytes of the buffer that are done with
    std::size_t at_ = 0;       // where to go on inside of a game
    int depth_ = 0;            // open brackets; 0 between games
    bool is_value_ = false;    // between "[" and "]"
    bool is_escaped_ = false;  // after a backslash
};

// Not thread-safe. Feed text, take games until there is none, feed on; after `finish` the last game comes out.
//
// The main line is read: the first of several variations. Simple ko and no suicide are demanded, as on all servers, and
// nothing may follow two passes.
class SgfReader {
  public:
    // Nothing a person writes comes near; longer games are skipped, so that memory stays bounded.
    static constexpr std::size_t kMaxGameBytes = 4 * 1024 * 1024;

    explicit SgfReader(SgfOptions options = {}) : options_(std::move(options)) {}

    void feed(std::string_view text) { scanner_.feed(text); }
    void finish() { is_final_ = true; }
    // The next good game; false when more text is needed or, after `finish`, at the end.
    bool next(Record& record);

    const SgfCounts& counts() const { return counts_; }
    int width() const { return options_.width; }
    int height() const { return options_.height; }

  private:
    // A stone as the text has it: whose, and the letters of its point.
    struct Stone {
        games::go::Color color;
        std::string_view point;
    };
    // What a game's text said.
    struct Draft {
        SgfProblem problem = SgfProblem::kNone;
        std::string detail;
        std::vector<Stone> setup, moves;
        std::string_view to_move;
        std::string size, komi, result, handicap;
        bool is_go = true;

        void clear();
    };

    void reject(SgfProblem problem, std::string_view detail);
    void read_text(std::string_view game, Record& record);
    void use_property(std::string_view name, std::string_view value, bool is_root, Record& record);
    std::string* fact(std::string_view name);
    void use_fact(std::string_view name, const std::string& text, Record& record);
    void conclude(Record& record);
    bool read_size(int& width, int& height);
    bool set_up(games::go::Board& board);
    bool read_komi(double& komi);
    void take_handicap_moves();
    void play(games::go::Board& board, Record& record);

    SgfOptions options_;
    SgfCounts counts_;
    SgfScanner scanner_;
    bool is_final_ = false;
    Draft draft_;
    std::string name_;
};

// A record of Go as SGF, in one line. Tags with the names of properties are written as they are; komi that is not the
// usual one and the result are written without a tag too. Throws RecordError if the moves or the start do not fit the
// board.
std::string to_sgf(const Record& record, int width, int height, const games::go::Rules& rules);
// The squares of the moves; the pass is the number after the last. Throws RecordError.
std::vector<int> go_moves(const Record& record, int width, int height, const games::go::Rules& rules);

}  // namespace philidor::records
