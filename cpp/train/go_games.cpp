#include "train/go_games.h"

#include <stdexcept>

#include "train/parallel.h"

namespace philidor::train {

GoGames::GoGames(const games::Go& root, int count, int planes, int threads)
    : encoder_(encodings::AlphaGoEncoder::of(root, planes)), threads_(threads) {
    if (count < 1 || threads < 1) throw std::invalid_argument("there is at least one game, and one thread");
    if (encoder_.scalars() != 0) throw std::invalid_argument("games show AlphaGo's planes, and no scalars");
    games_.assign(std::size_t(count), root);
}

std::vector<std::int64_t> GoGames::ongoing() const {
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < games_.size(); ++i)
        if (games_[i].result() == games::Result::kOngoing) found.push_back(std::int64_t(i));
    return found;
}

void GoGames::check(std::span<const std::int64_t> numbers) const {
    for (const std::int64_t number : numbers) {
        if (number < 0 || number >= std::int64_t(games_.size())) throw std::invalid_argument("no such game");
        if (game(number).result() != games::Result::kOngoing) throw std::invalid_argument("the game is over");
    }
}

void GoGames::encode(std::span<const std::int64_t> numbers, std::uint64_t* planes) const {
    check(numbers);
    in_parallel(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
        std::vector<encodings::PolicyIndex> legal(std::size_t(games_[0].area()) + 1);
        for (std::size_t i = begin; i < end; ++i)
            encoder_.encode(game(numbers[i]), planes + i * std::size_t(words()), nullptr, legal.data());
    });
}

void GoGames::play(std::span<const std::int64_t> numbers, std::span<const std::int64_t> moves) {
    if (numbers.size() != moves.size()) throw std::invalid_argument("one move for each game");
    check(numbers);
    std::vector<bool> is_named(games_.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const games::Go& state = game(numbers[i]);
        if (moves[i] < 0 || moves[i] > state.area() || !state.is_legal(games::MoveCode(moves[i])))
            throw std::invalid_argument("the move is not legal");
        if (is_named[std::size_t(numbers[i])]) throw std::invalid_argument("one move at a time");
        is_named[std::size_t(numbers[i])] = true;
    }
    in_parallel(numbers.size(), threads_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) games_[std::size_t(numbers[i])].play(games::MoveCode(moves[i]));
    });
}

}  // namespace philidor::train
