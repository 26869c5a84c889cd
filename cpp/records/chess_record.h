// Chess games in records: move indices back to moves, and back to PGN.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "games/chess/fen.h"
#include "games/chess/movegen.h"
#include "records/record.h"

namespace philidor::records {

// The move with this canonical index; kNoMove if there are fewer. Counting for each candidate how many moves come
// before it is quadratic, but takes a few vector instructions each: games replay 1.4 times as fast as with
// std::nth_element (benchmarks/pgn.py).
inline chess::Move move_at(const chess::Board& board, unsigned index) {
    chess::Move list[chess::kMaxMoves];
    const auto count = std::size_t(chess::generate(board, list) - list);
    std::uint16_t raw[chess::kMaxMoves];
    for (std::size_t i = 0; i < count; ++i) raw[i] = list[i].raw();
    for (std::size_t i = 0; i < count; ++i) {
        std::uint16_t before = 0;
        for (std::size_t j = 0; j < count; ++j) before = std::uint16_t(before + (raw[j] < raw[i]));
        if (before == index) return list[i];
    }
    return chess::kNoMove;
}

// Calls `visit(board, move)` before each move. False if the start is no position or an index has no move; the
// moves before were visited. Repetitions cannot be asked for: only two states are kept.
template <typename Visit>
bool replay(const Record& record, Visit&& visit) {
    chess::Board board;
    chess::State states[2];
    try {
        chess::parse_fen(record.start.empty() ? chess::kStartFen : std::string_view(record.start), board, states[1]);
    } catch (const chess::FenError&) {
        return false;
    }
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
        const chess::Move move = move_at(board, record.moves[ply]);
        if (move == chess::kNoMove) return false;
        visit(board, move);
        board.make(move, states[ply % 2]);
    }
    return true;
}

// The indices of moves given in UCI or SAN from `start` (empty: the normal one). Throws RecordError naming the first
// that is not legal, FenError for a bad start.
std::vector<std::uint16_t> move_indices(std::string_view start, std::span<const std::string> moves);

// The moves in UCI. Throws RecordError if the record is not a chess game.
std::vector<std::string> uci_moves(const Record& record);

// The game as PGN, with scores and clocks in comments. Throws RecordError if the record is not a chess game.
std::string to_pgn(const Record& record);

}  // namespace philidor::records
