#include "train/pattern_trainer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "train/random_order.h"

namespace philidor::train {

namespace patterns = evaluators::patterns;
using games::Go;
using games::go::Point;
using patterns::Book;
using patterns::Scene;

namespace {

// So that the first step of a weight is no leap.
constexpr float kFirstSquare = 0.01F;

// The shapes at one point of a position, not canonical; 0 where there is none.
struct ShapesAt {
    std::uint64_t square = 0, response = 0, diamond = 0;

    ShapesAt(const Go& state, Point p) {
        const patterns::Cells cells(state.board(), games::go::stone_of(state.to_move()));
        const auto at = patterns::detail::spot_of(state.board(), p);
        const auto last = patterns::detail::spot_of(state.board(), state.recent(0));
        const int place = patterns::Cells::place(at.column, at.row);
        square = cells.square(place);
        diamond = cells.diamond(place);
        if (!last.is_there) return;
        const int reply = patterns::detail::place_among(patterns::kDiamond, at.column - last.column, at.row - last.row);
        if (reply >= 0)
            response = cells.diamond(patterns::Cells::place(last.column, last.row)) | std::uint64_t(reply + 1)
                                                                                          << patterns::kReplyShift;
    }
};

std::vector<std::uint64_t> frequent(const std::unordered_map<std::uint64_t, std::uint32_t>& counts,
                                    std::uint32_t least) {
    std::vector<std::uint64_t> keys;
    for (const auto& [key, count] : counts)
        if (count >= least) keys.push_back(key);
    std::ranges::sort(keys);
    return keys;
}

}  // namespace

PatternTrainer::PatternTrainer(Starts starts, bool is_tree) : starts_(std::move(starts)), is_tree_(is_tree) {
    if (!starts_.contains("")) throw std::invalid_argument("the normal start is missing");
}

const Book& PatternTrainer::book() const {
    if (!book_) throw std::invalid_argument("no patterns have been chosen yet");
    return *book_;
}

template <typename Take>
void PatternTrainer::visit(const GameIndex& games, const PatternWalk& walk, std::uint64_t number, Take&& take) {
    // 1. Which game, and which of its positions: each position once in `passes` visits to all games.
    const std::uint64_t count = games.games(), passes = std::uint64_t(walk.passes);
    const std::uint64_t pass = number / count, epoch = pass / passes;
    const std::uint64_t game =
        walk.is_shuffled ? RandomOrder(count, combine(walk.seed, pass))[number % count] : number % count;
    const std::uint64_t first = combine(combine(walk.seed, epoch), game) % passes + pass % passes;
    games.read(game, record_);
    const auto start = starts_.find(record_.start);
    if (start == starts_.end()) return;
    // 2. Replay it. A pass teaches nothing.
    Go state = start->second;
    std::vector<Point> captured;
    for (std::size_t ply = 0; ply < record_.moves.size(); ++ply) {
        if (state.result() != games::Result::kOngoing || record_.moves[ply] >= state.move_count()) return;
        const games::MoveCode move = state.nth_move(record_.moves[ply]);
        const bool is_pass = move == state.area();
        const Point p = is_pass ? games::go::kNoPoint : state.board().point_of(move);
        if (!is_pass && (first + ply) % passes == 0) take(Scene{state, captured}, p);
        captured.clear();
        if (!is_pass) captured = patterns::taken_by(state.board(), p, games::go::stone_of(state.to_move()));
        state.play(move);
    }
}

void PatternTrainer::count(const GameIndex& games, const PatternWalk& walk, std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t number = first; number < end; ++number)
        visit(games, walk, number, [&](const Scene& scene, Point played) {
            const ShapesAt found(scene.state, played);
            ++square_counts_[patterns::canonical(found.square, patterns::kSquareImages)];
            if (found.response) ++response_counts_[patterns::canonical(found.response, patterns::kDiamondImages)];
            if (is_tree_) ++diamond_counts_[patterns::canonical(found.diamond, patterns::kDiamondImages)];
        });
}

void PatternTrainer::choose(std::uint32_t squares, std::uint32_t responses, std::uint32_t diamonds) {
    patterns::Shapes shapes{frequent(square_counts_, squares), frequent(response_counts_, responses),
                            frequent(diamond_counts_, diamonds)};
    book_ = std::make_unique<const Book>(std::move(shapes), is_tree_);
    weights_.assign(book_->size(), 0.0F);
    squares_.assign(book_->size(), kFirstSquare);
    square_counts_ = response_counts_ = diamond_counts_ = {};
}

void PatternTrainer::restore(patterns::Shapes shapes, std::vector<float> weights, std::vector<float> squares) {
    auto book = std::make_unique<const Book>(std::move(shapes), is_tree_);
    if (weights.size() != book->size() || squares.size() != book->size())
        throw std::invalid_argument("there is a weight and a sum of squares for each feature");
    book_ = std::move(book);
    weights_ = std::move(weights);
    squares_ = std::move(squares);
}

PatternTally PatternTrainer::judge(const Scene& scene, Point played) {
    book().read(scene, moves_);
    chances_.clear();
    float own = 0, best = -INFINITY;
    for (const Book::Move& move : moves_) {
        float sum = 0;
        for (std::size_t i = 0; i < move.count; ++i) sum += weights_[move.features[i]];
        chances_.push_back(sum);
        if (move.point == played)
            own = sum;
        else
            best = std::max(best, sum);
    }
    patterns::softmax(chances_);
    for (std::size_t i = 0; i < moves_.size(); ++i)
        if (moves_[i].point == played) return {1, own > best, -std::log(std::max(chances_[i], 1e-30F))};
    return {};  // cannot be: what is in the index is legal
}

// The gradient of -log p: a move's features count by its probability, those of the move played by that less one.
void PatternTrainer::correct(Point played, float rate) {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const Book::Move& move = moves_[i];
        const float error = chances_[i] - (move.point == played ? 1.0F : 0.0F);
        if (std::abs(error) < 1e-5F) continue;
        for (std::size_t k = 0; k < move.count; ++k) {
            const std::uint32_t feature = move.features[k];
            squares_[feature] += error * error;
            weights_[feature] -= rate * error / std::sqrt(squares_[feature]);
        }
    }
}

PatternTally PatternTrainer::learn(const GameIndex& games, const PatternWalk& walk, std::uint64_t first,
                                   std::uint64_t end, float rate) {
    PatternTally tally;
    for (std::uint64_t number = first; number < end; ++number)
        visit(games, walk, number, [&](const Scene& scene, Point played) {
            const PatternTally one = judge(scene, played);
            correct(played, rate);
            tally = {tally.positions + one.positions, tally.hits + one.hits, tally.loss + one.loss};
        });
    return tally;
}

PatternTally PatternTrainer::measure(const GameIndex& games, const PatternWalk& walk, std::uint64_t first,
                                     std::uint64_t end) {
    PatternTally tally;
    for (std::uint64_t number = first; number < end; ++number)
        visit(games, walk, number, [&](const Scene& scene, Point played) {
            const PatternTally one = judge(scene, played);
            tally = {tally.positions + one.positions, tally.hits + one.hits, tally.loss + one.loss};
        });
    return tally;
}

}  // namespace philidor::train
