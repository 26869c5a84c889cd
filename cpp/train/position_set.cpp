#include "train/position_set.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "games/chess/see.h"
#include "records/chess_record.h"
#include "train/random_order.h"

namespace philidor::train {

namespace {

constexpr double kHashes = 0x1p64;
constexpr int kMaxStrayPlies = 16;

// Nothing is to be won at once, so that a judgment without a search means something.
bool is_quiet(const chess::Board& board) {
    if (board.in_check() || !chess::has_legal_move(board) || board.is_insufficient_material()) return false;
    chess::Move captures[chess::kMaxMoves];
    return std::none_of(captures, chess::generate<chess::Moves::kCaptures>(board, captures),
                        [&](chess::Move move) { return chess::see_at_least(board, move, 1); });
}

}  // namespace

PackedPosition pack(const chess::Board& board, int score, int result, int ply, bool is_stray) {
    PackedPosition packed;
    packed.occupied = board.occupied();
    int count = 0;
    for (chess::Bitboard left = packed.occupied; left; ++count)
        packed.pieces[std::size_t(count / 2)] |=
            std::uint8_t(board.piece_on(chess::pop_first(left)) << (count % 2 * 4));
    packed.score = std::int16_t(score);
    packed.result = std::uint8_t(result);
    packed.to_move = std::uint8_t(board.to_move());
    packed.ply = std::uint16_t(std::min(ply, 65535));
    packed.castling = board.castling();
    packed.is_stray = std::uint8_t(is_stray);
    return packed;
}

chess::Board unpack(const PackedPosition& packed, chess::State& state) {
    chess::Board board;
    state = chess::State();
    board.clear(state);
    int count = 0;
    for (chess::Bitboard left = packed.occupied; left; ++count)
        board.put(chess::Piece(packed.pieces[std::size_t(count / 2)] >> (count % 2 * 4) & 15), chess::pop_first(left));
    board.set_to_move(chess::Color(packed.to_move));
    state.castling = packed.castling;
    return board;
}

bool is_valid(const PackedPosition& packed) {
    if (chess::popcount(packed.occupied) > kMaxInputs || packed.to_move > 1 || packed.result > 2 ||
        packed.castling > 15 || packed.is_stray > 1)
        return false;
    int kings[2] = {0, 0}, count = 0;
    for (chess::Bitboard left = packed.occupied; left; left &= left - 1, ++count) {
        const auto piece = chess::Piece(packed.pieces[std::size_t(count / 2)] >> (count % 2 * 4) & 15);
        if (chess::type_of(piece) < chess::kPawn || chess::type_of(piece) > chess::kKing) return false;
        if (chess::type_of(piece) == chess::kKing) ++kings[chess::color_of(piece)];
    }
    return kings[0] == 1 && kings[1] == 1;
}

std::size_t PositionSet::add(std::span<const records::Record> games, int threads) {
    const std::size_t parts = std::size_t(std::max(threads, 1));
    std::vector<std::vector<PackedPosition>> found(parts);
    std::atomic<std::size_t> broken{0};
    in_parallel(parts, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part)
            for (std::size_t i = games.size() * part / parts; i < games.size() * (part + 1) / parts; ++i)
                if (!take(games[i], found[part])) ++broken;
    });
    for (const std::vector<PackedPosition>& part : found) positions_.insert(positions_.end(), part.begin(), part.end());
    return broken;
}

bool PositionSet::take(const records::Record& game, std::vector<PackedPosition>& into) const {
    const bool has_scores = !game.scores.empty();
    if (game.result == records::Result::kUnknown || (filter_.needs_scores && !has_scores)) return true;
    const std::uint64_t hash = records::content_hash(game, filter_.seed);
    const double share = double(hash) / kHashes;
    if (share < filter_.from_share || share >= filter_.to_share) return true;
    const int white = game.result == records::Result::kFirstWins ? 2 : game.result == records::Result::kDraw ? 1 : 0;
    int ply = -1;
    return records::replay(game, [&](const chess::Board& board, chess::Move move) {
        ++ply;
        const int result = board.to_move() == chess::kWhite ? white : 2 - white;
        if (ply >= filter_.skip_plies && chess::popcount(board.occupied()) <= kMaxInputs)
            stray(board, hash + std::uint64_t(ply), ply, result, into);
        const int score = has_scores ? game.scores[std::size_t(ply)] : records::kNoScore;
        if (ply < filter_.skip_plies || chess::popcount(board.occupied()) > kMaxInputs) return;
        if (score == records::kNoScore ? filter_.needs_scores : std::abs(score) > filter_.max_score) return;
        if (filter_.only_quiet &&
            (board.in_check() || board.is_capture(move) || move.is_promotion() || board.gives_check(move)))
            return;
        if (filter_.keep < 1 && double(mix(hash + std::uint64_t(ply))) / kHashes >= filter_.keep) return;
        into.push_back(pack(board, score, result, ply));
    });
}

void PositionSet::stray(const chess::Board& board, std::uint64_t key, int ply, int result,
                        std::vector<PackedPosition>& into) const {
    for (int line = 0; line < filter_.strays; ++line) {
        std::uint64_t chance = combine(combine(filter_.seed, key), std::uint64_t(line));
        if (filter_.keep < 1 && double(mix(chance + 1)) / kHashes >= filter_.keep) continue;
        chess::State states[kMaxStrayPlies + 1];
        states[0] = board.state();
        chess::Board away = board;
        away.rebase(states[0]);
        const int plies = 1 + int(chance % std::uint64_t(std::min(filter_.stray_plies, kMaxStrayPlies)));
        int played = 0;
        for (; played < plies; ++played) {
            const chess::MoveList moves = chess::legal_moves(away);
            if (moves.empty()) break;
            chance = mix(chance);
            away.make(moves[int(chance % std::uint64_t(moves.size()))], states[played + 1]);
        }
        if (played == plies && is_quiet(away))
            into.push_back(pack(away, records::kNoScore, plies % 2 ? 2 - result : result, ply + plies, true));
    }
}

void PositionSet::borrow(std::span<const PackedPosition> positions, int threads) {
    std::atomic<bool> is_good{true};
    in_parallel(positions.size(), threads, [&](std::size_t begin, std::size_t end) {
        if (!std::all_of(positions.begin() + std::ptrdiff_t(begin), positions.begin() + std::ptrdiff_t(end), is_valid))
            is_good = false;
    });
    if (!is_good) throw std::invalid_argument("some bytes are no position");
    if (positions.empty()) return;
    ends_.push_back(borrowed() + positions.size());
    parts_.push_back(positions);
}

void PositionSet::set_scores(std::size_t first, std::span<const std::int16_t> scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) positions_[first - borrowed() + i].score = scores[i];
}

std::vector<PackedPosition> PositionSet::shuffled(std::uint64_t key) const {
    const RandomOrder order(size(), key);
    std::vector<PackedPosition> found(size());
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = (*this)[order[i]];
    return found;
}

void BatchMaker::fill(const PositionSet& set, std::span<const std::uint32_t> indices, const Batch& batch,
                      int threads) const {
    in_parallel(indices.size(), threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const PackedPosition& position = set[indices[i]];
            fill_one(position, batch.own + i * kMaxInputs, batch.theirs + i * kMaxInputs, batch.bucket[i]);
            batch.score[i] = position.known_score();
            batch.result[i] = position.is_stray ? kNoResult : float(position.result) / 2;
        }
    });
}

void BatchMaker::fill_one(const PackedPosition& position, std::int32_t* own, std::int32_t* theirs,
                          std::uint8_t& bucket) const {
    chess::Piece pieces[kMaxInputs];
    chess::Square squares[kMaxInputs], kings[2] = {};
    int count = 0;
    for (chess::Bitboard left = position.occupied; left; ++count) {
        pieces[count] = chess::Piece(position.pieces[std::size_t(count / 2)] >> (count % 2 * 4) & 15);
        squares[count] = chess::pop_first(left);
        if (chess::type_of(pieces[count]) == chess::kKing) kings[chess::color_of(pieces[count])] = squares[count];
    }
    const auto us = chess::Color(position.to_move), them = ~us;
    int used = 0;
    for (int i = 0; i < count; ++i) {
        if (!table_.has(pieces[i])) continue;
        own[used] = table_.index(us, kings[us], pieces[i], squares[i]);
        theirs[used++] = table_.index(them, kings[them], pieces[i], squares[i]);
    }
    std::fill(own + used, own + kMaxInputs, padding_);
    std::fill(theirs + used, theirs + kMaxInputs, padding_);
    bucket = std::uint8_t(architecture_.output_bucket(count));
}

}  // namespace philidor::train
