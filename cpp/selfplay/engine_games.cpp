#include "selfplay/engine_games.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "games/chess/movegen.h"
#include "games/chess/outcome.h"
#include "records/chess_record.h"

namespace philidor::selfplay {

using namespace philidor::chess;
using records::Record;

namespace {

// Calls games whose result is clear.
class Judge {
  public:
    explicit Judge(const GameSettings& settings) : settings_(settings) {}

    // Takes the score of the move just played, which is the game's `plies`th; says whether the game is called.
    bool call(int score, Color to_move, int plies, Record& record) {
        const bool is_won = std::abs(score) >= settings_.win_cp;
        const Color winner = score > 0 ? to_move : ~to_move;
        won_for_ = !is_won ? 0 : won_for_ > 0 && winner == winner_ ? won_for_ + 1 : 1;
        winner_ = winner;
        drawn_for_ = std::abs(score) <= settings_.draw_cp ? drawn_for_ + 1 : 0;
        if (won_for_ >= settings_.win_plies)
            return end(record, winner == kWhite ? records::Result::kFirstWins : records::Result::kSecondWins);
        if (plies >= settings_.draw_from && drawn_for_ >= settings_.draw_plies)
            return end(record, records::Result::kDraw);
        return plies >= settings_.max_plies && end(record, records::Result::kDraw, "max plies");
    }

  private:
    static bool end(Record& record, records::Result result, const char* reason = "adjudication") {
        record.result = result;
        record.termination = reason;
        return true;
    }

    const GameSettings& settings_;
    Color winner_ = kWhite;
    int won_for_ = 0, drawn_for_ = 0;
};

// The result by the rules; false while the game goes on.
bool is_over(const Board& board, Record& record) {
    const Termination reason = termination(board);
    if (reason == Termination::kNone) return false;
    record.termination = termination_text(reason);
    record.result = reason != Termination::kCheckmate ? records::Result::kDraw
                    : board.to_move() == kWhite       ? records::Result::kSecondWins
                                                      : records::Result::kFirstWins;
    return true;
}

// Records keep mates beyond what an evaluation can be.
std::int16_t label(int score) {
    const int limit = records::kMaxCentipawns;
    return std::int16_t(search::is_mate(score) ? score : std::clamp(score, -limit, limit));
}

}  // namespace

std::optional<Record> EngineGames::play(std::int64_t number) {
    search::SplitMix64 random = search::game_random(settings_.seed, number);
    while (!is_stopped_.load(std::memory_order_relaxed)) {
        Record record;
        PositionPtr position = open(number, random, record);
        engine_.new_game();
        if (play_on(std::move(position), record)) return record;
    }
    return std::nullopt;
}

void EngineGames::stop() {
    is_stopped_.store(true, std::memory_order_relaxed);
    engine_.stop();
}

// Random moves that do not end the game, half of the time after a line of the book.
PositionPtr EngineGames::open(std::int64_t number, search::SplitMix64& random, Record& record) const {
    const bool is_booked = !book_.empty() && number % 2 == 1;
    for (;;) {
        record = Record{};
        record.source = settings_.source;
        PositionPtr position = Position::start();
        if (is_booked) {
            const BookLine& line = book_[std::size_t(random.below(int(book_.size())))];
            record.start = line.start;
            if (!line.start.empty()) position = Position::from_fen(line.start);
            for (const std::uint16_t index : line.moves) {
                const Move move = records::move_at(position->board(), index);
                if (!move) throw std::invalid_argument("a line of the book has a move that its position does not have");
                record.moves.push_back(index);
                position = Position::play(std::move(position), move);
            }
        }
        int plies = is_booked                    ? settings_.book_random_plies + random.below(3)
                    : settings_.random_plies > 0 ? settings_.random_plies + random.below(2)
                                                 : 0;
        bool has_ended = termination(position->board()) != Termination::kNone;
        for (; plies > 0 && !has_ended; --plies) {
            const auto index = std::uint16_t(random.below(legal_moves(position->board()).size()));
            record.moves.push_back(index);
            const Move move = records::move_at(position->board(), index);
            position = Position::play(std::move(position), move);
            has_ended = termination(position->board()) != Termination::kNone;
        }
        record.scores.assign(record.moves.size(), records::kNoScore);
        if (!has_ended) return position;
    }
}

// False where the opening is no good, or when told to stop.
bool EngineGames::play_on(PositionPtr position, Record& record) {
    const std::size_t opening = record.moves.size();
    Judge judge(settings_);
    while (!is_over(position->board(), record)) {
        const search::Verdict found = engine_.search(position, settings_.limits);
        if (is_stopped_.load(std::memory_order_relaxed)) return false;
        const std::int16_t score = label(found.score);
        if (record.moves.size() == opening && std::abs(score) > settings_.opening_limit) return false;
        record.moves.push_back(std::uint16_t(canonical_index(legal_moves(position->board()), found.move)));
        record.scores.push_back(score);
        if (judge.call(score, position->board().to_move(), int(record.moves.size()), record)) return true;
        position = Position::play(std::move(position), found.move);
    }
    return true;
}

}  // namespace philidor::selfplay
