// Recorded games into encoded positions, whatever the game: the rules and the encoder are behind one interface.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "records/record.h"
#include "train/game_walk.h"

namespace philidor::train {

// A position of a game to encode.
struct ChosenPly {
    std::uint32_t ply = 0;
    bool has_history = true;
    float weight = 1;
    std::uint32_t form = 0;  // which of its symmetric forms is shown, the first being itself
};

// What is known of a position once it is on the board.
struct EncodedPly {
    std::span<const PolicyIndex> legal;  // places of the legal moves, in canonical order
    int to_move = 0;
    int phase = 0;
};

// Where encoded positions go.
class PlySink {
  public:
    struct Place {
        std::uint64_t* planes;
        float* scalars;
    };
    virtual ~PlySink() = default;
    virtual Place place(std::size_t number) = 0;
    virtual void finish(std::size_t number, const EncodedPly& encoded) = 0;
};

// Not thread-safe: one for each worker.
class GameReplayer {
  public:
    virtual ~GameReplayer() = default;
    virtual std::unique_ptr<GameReplayer> clone() const = 0;
    virtual int words() const = 0;
    virtual int scalars() const = 0;
    // The player who moves first; -1 if no game can start there.
    virtual int first_mover(std::string_view start) = 0;
    // Whether the moves, and those that a search visited, fit the rules, and the positions the encoding.
    virtual bool accepts(const records::Record& game) = 0;
    // Encodes positions of a game that was accepted, in the order of their plies. False if the game does not fit.
    virtual bool encode(const records::Record& game, std::span<const ChosenPly> plies, PlySink& sink) = 0;
};

template <GameWalk W>
class GameReplayerOf final : public GameReplayer {
  public:
    explicit GameReplayerOf(W walk) : walk_(std::move(walk)) {}

    std::unique_ptr<GameReplayer> clone() const override { return std::make_unique<GameReplayerOf>(walk_); }
    int words() const override { return walk_.words(); }
    int scalars() const override { return walk_.scalars(); }
    int first_mover(std::string_view start) override { return walk_.begin(start) ? walk_.to_move() : -1; }

    bool accepts(const records::Record& game) override {
        if (!walk_.begin(game.start)) return false;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const int count = walk_.find_moves();
            if (game.moves[ply] >= count) return false;
            if (!game.visits.empty())
                for (const records::Visit visit : game.visits[ply])
                    if (visit.index >= count) return false;
            walk_.play(game.moves[ply]);
        }
        return true;
    }

    bool encode(const records::Record& game, std::span<const ChosenPly> plies, PlySink& sink) override {
        if (!walk_.begin(game.start)) return false;
        std::size_t next = 0;
        for (std::size_t ply = 0; next < plies.size(); ++ply) {
            if (ply == game.moves.size()) return false;
            const int count = walk_.find_moves();
            if (game.moves[ply] >= count) return false;
            for (; next < plies.size() && plies[next].ply == ply; ++next) {
                const PlySink::Place place = sink.place(next);
                legal_.resize(std::size_t(count));
                walk_.encode(plies[next].has_history, place.planes, place.scalars, legal_.data());
                sink.finish(next, {legal_, walk_.to_move(), walk_.phase()});
            }
            if (next < plies.size()) walk_.play(game.moves[ply]);
        }
        return true;
    }

  private:
    W walk_;
    std::vector<PolicyIndex> legal_;  // of the position at hand
};

}  // namespace philidor::train
