// The native games for pools and loaders: AlphaGo Zero's planes (the twin of encodings/boards.py), which show any of
// them, and the book's vector of hexapawn (of encodings/hexapawn.py). Places of the policy are the games' own numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "encodings/alphago.h"
#include "encodings/encoder.h"
#include "games/native_games.h"

namespace philidor::encodings {

template <games::NativeGame G>
void write_actions(const G& state, PolicyIndex* legal) {
    for (int i = 0; i < state.move_count(); ++i) legal[i] = state.action_index(state.nth_move(i));
}

// Own stones and the other's, each with boards of the past; where a game's states do not know them these are empty.
class BoardEncoder {
  public:
    static constexpr const char* kName = "boards";
    using Arguments = std::tuple<int>;  // boards of history
    template <games::NativeGame G>
    static constexpr bool kShows = true;
    template <games::NativeGame G>
    static BoardEncoder of(const G& root, int history) {
        if (history < 1) throw std::invalid_argument("a history has a board, got " + std::to_string(history));
        if constexpr (games::ShowsPast<G>)
            if (history > G::kHistory) throw std::invalid_argument("so many boards of the past are not known");
        return BoardEncoder(history, root.words());
    }

    // Boards of one size, which has so many words.
    explicit BoardEncoder(int history, int board_words = 1) : history_(history), board_words_(board_words) {}
    int words() const { return 2 * history_ * board_words_; }
    int scalars() const { return 1; }
    template <games::NativeGame G>
    void encode(const G& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const {
        std::uint64_t *own = planes, *other = planes + history_ * board_words_;
        if constexpr (games::ShowsPast<G>) {
            for (int turns = 0; turns < history_; ++turns) {
                state.write_board(state.to_move(), own + turns * board_words_, turns);
                state.write_board(1 - state.to_move(), other + turns * board_words_, turns);
            }
        } else {
            std::fill_n(planes, words(), 0);
            state.write_board(state.to_move(), own);
            state.write_board(1 - state.to_move(), other);
        }
        scalars[0] = state.to_move() == 0 ? 1.0f : 0.0f;
        write_actions(state, legal);
    }

  private:
    int history_, board_words_;
};

// White's pawns from the top left, Black's, and a row of ones if White is to move: one plane of bits.
class HexapawnEncoder {
  public:
    static constexpr const char* kName = "hexapawn";
    using Arguments = std::tuple<>;
    template <games::NativeGame G>
    static constexpr bool kShows = std::is_same_v<G, games::Hexapawn>;
    static HexapawnEncoder of(const games::Hexapawn& root) { return {root.width(), root.height()}; }

    HexapawnEncoder(int width, int height) : words_((2 * width * height + width + 63) / 64) {}
    int words() const { return words_; }
    int scalars() const { return 0; }
    void encode(const games::Hexapawn& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const;

  private:
    int words_;
};

// The one list of these encoders. Python names one by `kName`, with its `Arguments` (`Encoding.twin`).
template <typename... E>
struct EncoderList {};
using NativeEncoders = EncoderList<BoardEncoder, HexapawnEncoder, AlphaGoEncoder>;

// Calls `visit.operator()<G, E>()` for each game with each encoder that shows it.
template <typename Visit, typename... E>
void for_each_pair(EncoderList<E...>, Visit&& visit) {
    games::for_each_native_game([&]<games::NativeGame G>() {
        const auto visit_pair = [&]<typename Encoder>() {
            if constexpr (Encoder::template kShows<G>) visit.template operator()<G, Encoder>();
        };
        (visit_pair.template operator()<E>(), ...);
    });
}
template <typename Visit>
void for_each_encoded_game(Visit&& visit) {
    for_each_pair(NativeEncoders{}, visit);
}

static_assert(EncoderOf<BoardEncoder, games::TicTacToe> && EncoderOf<HexapawnEncoder, games::Hexapawn> &&
              EncoderOf<AlphaGoEncoder, games::Go>);

}  // namespace philidor::encodings
