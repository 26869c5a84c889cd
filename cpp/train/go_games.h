// Games of Go that policy networks play side by side: all positions of a turn are encoded and all moves played at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "encodings/alphago.h"
#include "games/go/go.h"

namespace philidor::train {

// Games are known by their numbers from 0. Not thread-safe; each call shares its own work among `threads`.
class GoGames {
  public:
    // Throws std::invalid_argument for numbers that make no sense.
    GoGames(const games::Go& root, int count, int planes, int threads);

    std::size_t size() const { return games_.size(); }
    const games::Go& game(std::int64_t number) const { return games_[std::size_t(number)]; }
    // The games that are not over, in order.
    std::vector<std::int64_t> ongoing() const;
    // Words of planes a position.
    int words() const { return encoder_.words(); }
    int board_words() const { return games_[0].words(); }
    // Writes the planes of these games, `words()` each. Throws std::invalid_argument for a number that is none and for
    // a game that is over.
    void encode(std::span<const std::int64_t> numbers, std::uint64_t* planes) const;
    // Plays one move in each of these games: a square, or the number of squares for a pass. Throws
    // std::invalid_argument, before any is played, for one that is not legal or a game that is named twice.
    void play(std::span<const std::int64_t> numbers, std::span<const std::int64_t> moves);

  private:
    void check(std::span<const std::int64_t> numbers) const;

    std::vector<games::Go> games_;
    encodings::AlphaGoEncoder encoder_;
    int threads_;
};

}  // namespace philidor::train
