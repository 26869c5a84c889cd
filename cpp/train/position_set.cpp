#include "train/position_set.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "records/chess_record.h"
#include "train/parallel.h"
#include "train/random_order.h"

namespace philidor::train {

namespace {

constexpr double kHashes = 0x1p64;

}  // namespace

PackedPosition pack(const chess::Board& board, int score, int result, int ply) {
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
        const int found = has_scores ? game.scores[std::size_t(ply)] : records::kNoScore;
        const int score = found == records::kNoScore && !filter_.needs_scores ? 0 : found;
        if (ply < filter_.skip_plies || score == records::kNoScore || std::abs(score) > filter_.max_score ||
            chess::popcount(board.occupied()) > kMaxInputs)
            return;
        if (filter_.only_quiet &&
            (board.in_check() || board.is_capture(move) || move.is_promotion() || board.gives_check(move)))
            return;
        if (filter_.keep < 1 && double(mix(hash + std::uint64_t(ply))) / kHashes >= filter_.keep) return;
        into.push_back(pack(board, score, board.to_move() == chess::kWhite ? white : 2 - white, ply));
    });
}

void BatchMaker::fill(const PositionSet& set, std::span<const std::uint32_t> indices, const Batch& batch,
                      int threads) const {
    in_parallel(indices.size(), threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const PackedPosition& position = set[indices[i]];
            fill_one(position, batch.own + i * kMaxInputs, batch.theirs + i * kMaxInputs, batch.bucket[i]);
            batch.score[i] = float(position.score);
            batch.result[i] = float(position.result) / 2;
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
