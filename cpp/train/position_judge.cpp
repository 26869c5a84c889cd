#include "train/position_judge.h"

#include <algorithm>
#include <functional>
#include <string>
#include <thread>

#include "games/chess/fen.h"

namespace philidor::train {

using namespace philidor::chess;

namespace {

constexpr std::size_t kBlock = 256;
constexpr char kRightLetters[] = "KQkq";
constexpr Square kRookSquares[] = {kH1, kA1, kH8, kA8};

std::string castling_text(const Board& board, std::uint8_t rights) {
    std::string found;
    for (int right = 0; right < 4; ++right) {
        const Color side = right < 2 ? kWhite : kBlack;
        if (rights >> right & 1 && board.king(side) == (side == kWhite ? kE1 : kE8) &&
            board.piece_on(kRookSquares[right]) == make_piece(side, kRook))
            found += kRightLetters[right];
    }
    return found.empty() ? "-" : found;
}

}  // namespace

PositionPtr to_position(const PackedPosition& packed) {
    State state;
    const Board board = unpack(packed, state);
    const std::string rights = castling_text(board, packed.castling);
    state.castling = 0;  // to write them takes the rooks' squares, which the board does not know
    std::string fen = to_fen(board);
    return Position::from_fen(fen.replace(fen.find(" - "), 3, " " + rights + " "));
}

bool PositionJudge::judge(PositionSet& set) {
    const std::size_t first = set.borrowed(), blocks = (set.size() - first + kBlock - 1) / kBlock;
    std::atomic<std::size_t> next{0};
    const auto work = [&](search::AlphaBetaEngine& engine) {
        for (std::size_t block; (block = next++) < blocks && !is_stopped_.load(std::memory_order_relaxed);)
            judge_block(engine, set, first + block * kBlock, std::min(first + (block + 1) * kBlock, set.size()));
    };
    std::vector<std::thread> threads;
    for (search::AlphaBetaEngine* engine : engines_) threads.emplace_back(work, std::ref(*engine));
    for (std::thread& thread : threads) thread.join();
    return !is_stopped_.load(std::memory_order_relaxed);
}

void PositionJudge::judge_block(search::AlphaBetaEngine& engine, PositionSet& set, std::size_t first,
                                std::size_t end) const {
    engine.new_game();
    for (std::size_t place = first; place < end; ++place) {
        if (set[place].score != records::kNoScore) continue;
        const int found = engine.search(to_position(set[place]), limits_).score;
        if (is_stopped_.load(std::memory_order_relaxed)) return;
        const auto score = std::int16_t(std::clamp(found, -largest_, largest_));
        set.set_scores(place, {&score, 1});
    }
}

void PositionJudge::stop() {
    is_stopped_.store(true, std::memory_order_relaxed);
    for (search::AlphaBetaEngine* engine : engines_) engine->stop();
}

}  // namespace philidor::train
