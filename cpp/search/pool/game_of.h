// One game of a pool: search, choose, play, search again. The twin of src/philidor/search/pool/game.py: with the same
// judge it plays the same game, draw for draw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/game.h"
#include "search/dirichlet.h"
#include "search/pool/choice.h"
#include "search/pool/settings.h"
#include "search/puct/search_of.h"

namespace philidor::search {

struct PlayedPly {
    int place = 0;
    std::vector<std::pair<int, std::uint32_t>> visits;  // (place, count), without zeros
    bool is_full = false;
    bool is_sampled = true;
    bool is_searched = false;  // or else a random move of the opening, and `wdl` says nothing
    double wdl[3] = {0, 0, 0};
};

// A game that ended, or one up to the move that is being searched.
struct PoolRecord {
    std::int64_t number = 0;
    int root = 0;  // which of the pool's roots it began at
    std::vector<PlayedPly> plies;
    games::Result result = games::Result::kOngoing;
    std::string ending;
    std::uint64_t random_state = 0;  // of an unfinished game, before the move at hand
};

inline constexpr const char* kCapped = "max plies";

template <games::Game G>
class PoolGame {
  public:
    // A new game at one of `roots` from the second on, which are the chosen starts, or else at the first.
    PoolGame(const PoolSettings& settings, std::span<const G> roots, std::uint64_t seed, std::int64_t number)
        : settings_(settings), random_(game_random(seed, number)) {
        record_.number = number;
        open(roots);
        begin_move(-1);
    }
    // A game to go on with.
    PoolGame(const PoolSettings& settings, const G& root, int root_number, std::int64_t number,
             std::span<const int> places, std::uint64_t random_state)
        : settings_(settings), random_(random_state), state_(root) {
        record_.number = number;
        record_.root = root_number;
        for (const int place : places) {
            if (state_->result() != games::Result::kOngoing || place < 0 || place >= state_->move_count())
                throw std::invalid_argument("an unfinished game has a move that its position does not have");
            record_.plies.emplace_back().place = place;
            state_->play(state_->nth_move(place));
        }
        begin_move(-1);
    }

    bool is_over() const {
        return state_->result() != games::Result::kOngoing ||
               (settings_.max_plies > 0 && int(record_.plies.size()) >= settings_.max_plies);
    }

    // Goes on until an evaluation is needed, and returns of what; null when the game is over.
    const G* walk() {
        while (!is_over()) {
            leaf_ = search_->next(search_->tree().settings().simulations);
            if (leaf_) return &leaf_->state;
            move();
        }
        return nullptr;
    }

    // What `walk` asked for: logits of the moves in canonical order; win, draw and loss of the player to move; plies
    // left, if they are known and not negative.
    void answer(std::span<const float> logits, const float* wdl, double moves_left) {
        softmax(logits, weights_, priors_);
        search_->apply(*leaf_, priors_, double(wdl[0] - wdl[2]), double(wdl[1]), moves_left);
        leaf_.reset();
    }
    // Gives up what `walk` asked for; it will ask again.
    void cancel() {
        search_->cancel(*leaf_);
        leaf_.reset();
    }

    // The game so far. To be asked when it is over.
    PoolRecord take_finished() {
        record_.result = state_->result();
        if (record_.result == games::Result::kOngoing) {
            record_.result = games::Result::kDraw;
            record_.ending = kCapped;
        } else {
            record_.ending = state_->ending();
        }
        return std::move(record_);
    }
    const PoolRecord& unfinished() const { return record_; }

  private:
    // Random moves that do not end the game.
    void open(std::span<const G> roots) {
        for (;;) {
            record_.root = roots.size() > 1 ? 1 + random_.below(int(roots.size()) - 1) : 0;
            record_.plies.clear();
            state_ = roots[std::size_t(record_.root)];
            for (int left = random_.below(settings_.opening_plies + 1); left > 0; --left) {
                const int place = random_.below(state_->move_count());
                record_.plies.emplace_back().place = place;
                state_->play(state_->nth_move(place));
                if (state_->result() != games::Result::kOngoing) break;
            }
            if (state_->result() == games::Result::kOngoing) return;
        }
    }

    // Decides how the next move is searched, after the one at `place` was played, if any. Two draws for every move
    // keep the twins in step.
    void begin_move(int place) {
        record_.random_state = random_.state();
        is_full_ = !(uniform(random_) >= settings_.full_share && settings_.cheap_simulations > 0);
        const PuctSettings search = settings_.search_settings(is_full_, random_.next() >> 1);
        if (is_over()) return;
        if (place >= 0 && settings_.keeps_tree)
            search_->advance(place, search);
        else
            search_.emplace(*state_, search);
    }

    // Chooses by the finished search and plays.
    void move() {
        const PuctTree& tree = search_->tree();
        const std::vector<std::uint32_t> counts = target_counts(tree, settings_.prune_targets);
        const double temperature = settings_.temperature_at(int(record_.plies.size()));
        const int place = temperature > 0 ? draw_place(counts, temperature, random_) : tree.best_place(tree.root());
        PlayedPly& ply = record_.plies.emplace_back();
        ply.place = place;
        for (std::size_t at = 0; at < counts.size(); ++at)
            if (counts[at]) ply.visits.emplace_back(int(at), counts[at]);
        ply.is_full = is_full_;
        ply.is_sampled = temperature > 0 || settings_.search.is_gumbel;
        ply.is_searched = true;
        write_wdl(tree.root(), ply.wdl);
        state_->play(state_->nth_move(place));
        begin_move(place);
    }

    // In the view of the player to move at the root, without what rounding left below nothing.
    static void write_wdl(const PuctNode& root, double* wdl) {
        const bool is_proven = root.proven != PuctNode::kOpen;
        const double value = is_proven ? -double(root.proven) : -root.value_sum / root.visits;
        const double draw = is_proven ? (root.proven == 0 ? 1.0 : 0.0) : root.draw_sum / root.visits;
        wdl[0] = std::max((1 - draw + value) / 2, 0.0);
        wdl[1] = std::max(draw, 0.0);
        wdl[2] = std::max((1 - draw - value) / 2, 0.0);
    }

    const PoolSettings& settings_;  // the pool's
    SplitMix64 random_;
    std::optional<G> state_;  // never empty after construction
    PoolRecord record_;
    bool is_full_ = true;
    std::optional<PuctSearchOf<G>> search_;
    std::optional<typename PuctSearchOf<G>::Leaf> leaf_;
    std::vector<double> weights_;
    std::vector<float> priors_;
};

}  // namespace philidor::search
