// The small games for pools: AlphaGo Zero's planes (the twin of encodings/boards.py) and the book's vector of hexapawn
// (of encodings/hexapawn.py). Places of the policy are the games' own numbers of moves, their `action_index`.
#pragma once

#include <algorithm>
#include <cstdint>

#include "encodings/encoder.h"
#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/hexapawn.h"
#include "games/tictactoe.h"

namespace philidor::encodings {

// A player's stones row by row from the bottom: bit row * width + column.
inline std::uint64_t board_bits(const games::TicTacToe& state, int player) { return state.stones(player); }
inline std::uint64_t board_bits(const games::Hexapawn& state, int player) { return state.pawns(player); }
std::uint64_t board_bits(const games::Connect4& state, int player);

// The same in as many words as the board needs: square i is bit i % 64 of word i / 64.
template <games::Game G>
int board_words(const G&) {
    return 1;
}
inline int board_words(const games::Gomoku& state) { return state.words(); }
template <games::Game G>
void write_board(const G& state, int player, std::uint64_t* words) {
    *words = board_bits(state, player);
}
inline void write_board(const games::Gomoku& state, int player, std::uint64_t* words) {
    std::ranges::copy(state.stones(player), words);
}

inline PolicyIndex action_index(const games::TicTacToe&, games::MoveCode move) { return move; }
inline PolicyIndex action_index(const games::Gomoku&, games::MoveCode move) { return move; }
inline PolicyIndex action_index(const games::Connect4& state, games::MoveCode move) {
    return PolicyIndex(move / state.stride());
}
PolicyIndex action_index(const games::Hexapawn& state, games::MoveCode move);

template <games::Game G>
void write_actions(const G& state, PolicyIndex* legal) {
    for (int i = 0; i < state.move_count(); ++i) legal[i] = action_index(state, state.nth_move(i));
}

// Own stones and the other's, each with room for boards of the past, which states of these games do not know.
class BoardEncoder {
  public:
    // Boards of one size, which has so many words.
    explicit BoardEncoder(int history, int board_words = 1) : history_(history), board_words_(board_words) {}
    int words() const { return 2 * history_ * board_words_; }
    int scalars() const { return 1; }
    template <games::Game G>
    void encode(const G& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const {
        std::fill_n(planes, words(), 0);
        write_board(state, state.to_move(), planes);
        write_board(state, 1 - state.to_move(), planes + history_ * board_words_);
        scalars[0] = state.to_move() == 0 ? 1.0f : 0.0f;
        write_actions(state, legal);
    }

  private:
    int history_, board_words_;
};

// White's pawns from the top left, Black's, and a row of ones if White is to move: one plane of bits.
class HexapawnEncoder {
  public:
    HexapawnEncoder(int width, int height) : words_((2 * width * height + width + 63) / 64) {}
    int words() const { return words_; }
    int scalars() const { return 0; }
    void encode(const games::Hexapawn& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const;

  private:
    int words_;
};

static_assert(EncoderOf<BoardEncoder, games::TicTacToe> && EncoderOf<BoardEncoder, games::Connect4> &&
              EncoderOf<BoardEncoder, games::Hexapawn> && EncoderOf<BoardEncoder, games::Gomoku> &&
              EncoderOf<HexapawnEncoder, games::Hexapawn>);

}  // namespace philidor::encodings
