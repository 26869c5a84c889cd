// Many games at once, with the leaves of all of them in one batch; src/philidor/selfplay/pool explains it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "selfplay/pool/game_of.h"

namespace philidor::selfplay {

// Leaves that wait for their evaluation. Rows of the arrays are leaves.
struct PoolLeaves {
    std::int64_t id = 0;
    std::size_t count = 0;
    std::vector<std::uint64_t> planes;        // [count, planes, words]
    std::vector<float> scalars;               // [count, scalars]
    std::vector<std::int64_t> legal_offsets;  // [count + 1]
    std::vector<std::uint16_t> legal_index;
    // Whose search the leaf belongs to, of two players who change sides from game to game: 0 has the first move in
    // games of even numbers, 1 in the others.
    std::vector<std::uint8_t> seats;  // [count]
};

// For one caller at a time; the work is shared out among the pool's own threads.
class Pool {
  public:
    virtual ~Pool() = default;

    // New games get these numbers and then all from `next` on, if it is not negative, up to the end, likewise.
    virtual void set_numbers(std::vector<std::int64_t> gaps, std::int64_t next) = 0;
    virtual void set_end(std::int64_t end) = 0;
    // Adds numbers of games to be played, after those that were given before.
    virtual void add_numbers(std::span<const std::int64_t> numbers) = 0;
    // Adds a game to go on with. Throws std::invalid_argument if its moves are not legal.
    virtual void resume(PoolRecord past) = 0;

    // Walks on in up to `limit` games that wait for nothing; none if there is no such game.
    virtual std::optional<PoolLeaves> collect(int limit) = 0;
    // Answers for a batch: logits of the legal moves one row after the other, [count, 3] chances, and plies left, or
    // none. The sizes must fit.
    virtual void apply(std::int64_t id, std::span<const float> logits, std::span<const float> wdl,
                       std::span<const float> moves_left) = 0;
    virtual void cancel(std::int64_t id) = 0;

    // The games that ended since the last call; those that have begun and not ended. Both by number.
    virtual std::vector<PoolRecord> take_finished() = 0;
    virtual std::vector<PoolRecord> unfinished() const = 0;
    virtual int live() const = 0;
};

}  // namespace philidor::selfplay
