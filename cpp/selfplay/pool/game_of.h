// One game of a pool: search, choose, play, search again. The twin of src/philidor/selfplay/pool/game.py: with the same
// judge it plays the same game, draw for draw. It writes the record that is kept, and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "games/game.h"
#include "records/record.h"
#include "search/dirichlet.h"
#include "search/puct/search_of.h"
#include "selfplay/pool/choice.h"
#include "selfplay/pool/settings.h"

namespace philidor::selfplay {

// A game that ended, or one up to the move that is being searched.
struct PoolRecord {
    std::int64_t number = 0;
    int root = 0;                    // which of the pool's roots it began at
    std::uint64_t random_state = 0;  // before the move at hand
    records::Record game;
};

inline constexpr const char* kCapped = "max plies";

template <games::Game G>
class PoolGame {
  public:
    // A new game at one of `roots` from the second on, which are the chosen starts, or else at the first.
    PoolGame(const PoolSettings& settings, std::span<const G> roots, std::uint64_t seed, std::int64_t number)
        : settings_(settings), random_(search::game_random(seed, number)) {
        record_.number = number;
        open(roots);
        begin_move(-1);
    }
    // A game to go on with.
    PoolGame(const PoolSettings& settings, const G& root, PoolRecord past)
        : settings_(settings), random_(past.random_state), state_(root), record_(std::move(past)) {
        const std::size_t plies = record_.game.moves.size();
        for (const std::uint16_t place : record_.game.moves) {
            if (state_->result() != games::Result::kOngoing || int(place) >= state_->move_count())
                throw std::invalid_argument("an unfinished game has a move that its position does not have");
            state_->play(state_->nth_move(place));
        }
        record_.game.visits.resize(plies);
        record_.game.wdl.resize(plies);
        record_.game.flags.resize(plies);
        begin_move(-1);
    }

    bool is_over() const {
        return state_->result() != games::Result::kOngoing ||
               (settings_.max_plies > 0 && plies() >= settings_.max_plies);
    }

    // Who is thinking about a move, if two players change sides from game to game (see PoolLeaves).
    std::uint8_t seat() const { return std::uint8_t((record_.number ^ state_->to_move()) & 1); }

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
        const int considered = considered_moves(leaf_->state);
        softmax(logits.first(std::size_t(considered)), weights_, priors_);
        search_->apply(*leaf_, priors_, double(wdl[0] - wdl[2]), double(wdl[1]), moves_left,
                       considered < leaf_->state.move_count());
        leaf_.reset();
    }
    // Gives up what `walk` asked for; it will ask again.
    void cancel() {
        search_->cancel(*leaf_);
        leaf_.reset();
    }

    // The game so far. To be asked when it is over.
    PoolRecord take_finished() {
        const games::Result result = state_->result();
        const bool is_capped = result == games::Result::kOngoing;
        record_.game.result = result == games::Result::kFirstWins    ? records::Result::kFirstWins
                              : result == games::Result::kSecondWins ? records::Result::kSecondWins
                                                                     : records::Result::kDraw;
        record_.game.termination = is_capped ? kCapped : state_->ending();
        return std::move(record_);
    }
    const PoolRecord& unfinished() const { return record_; }

  private:
    // Random moves that do not end the game.
    void open(std::span<const G> roots) {
        for (;;) {
            record_.root = roots.size() > 1 ? 1 + random_.below(int(roots.size()) - 1) : 0;
            record_.game.clear();
            state_ = roots[std::size_t(record_.root)];
            for (int left = random_.below(settings_.opening_plies + 1); left > 0; --left) {
                const int place = random_.below(considered_moves(*state_));
                add_ply(place, false, true);
                state_->play(state_->nth_move(place));
                if (state_->result() != games::Result::kOngoing) break;
            }
            if (state_->result() == games::Result::kOngoing) return;
        }
    }

    int plies() const { return int(record_.game.moves.size()); }

    // All moves, or all but the pass while nobody may pass yet.
    int considered_moves(const G& state) const {
        const int count = state.move_count();
        if constexpr (games::MayPass<G>) return count - int(count > 1 && state.ply() < settings_.first_pass_ply);
        return count;
    }

    // Whether the last searches all expected the same side to win. Asked of the record alone, so that a game that is
    // gone on with answers the same.
    bool is_decided() const {
        const std::vector<records::Wdl>& wdl = record_.game.wdl;
        const std::size_t wanted = std::size_t(settings_.decided_plies);
        if (settings_.decided_value >= 1 || wdl.size() < wanted) return false;
        int last = 0;
        for (std::size_t i = wdl.size() - wanted; i < wdl.size(); ++i) {
            if (wdl[i] == records::Wdl{}) return false;
            const int value = int(wdl[i].win) - int(wdl[i].loss);
            if (!(std::abs(value) > 255 * settings_.decided_value) || value * last > 0) return false;
            last = value;
        }
        return true;
    }

    // Decides how the next move is searched, after the one at `place` was played, if any. Two draws for every move
    // keep the twins in step.
    void begin_move(int place) {
        record_.random_state = random_.state();
        const bool is_decided = this->is_decided();
        const double full_share = (settings_.cheap_simulations > 0 ? settings_.full_share : 1.0) *
                                  (is_decided ? settings_.decided_share : 1.0);
        is_full_ = search::uniform(random_) < full_share;
        const search::PuctSettings search = settings_.search_settings(is_full_, is_decided, random_.next() >> 1);
        if (is_over()) return;
        if (place >= 0 && settings_.keeps_tree)
            search_->advance(place, search);
        else
            search_.emplace(*state_, search);
    }

    // Chooses by the finished search and plays.
    void move() {
        const search::PuctTree& tree = search_->tree();
        const std::vector<std::uint32_t> counts = target_counts(tree, settings_.prune_targets);
        const double temperature = settings_.temperature_at(plies());
        const bool is_drawn = temperature > 0 || (settings_.search.is_gumbel && plies() < settings_.drawn_plies);
        const int place = temperature > 0                           ? draw_place(counts, temperature, random_)
                          : settings_.search.is_gumbel && !is_drawn ? tree.likeliest_place()
                                                                    : tree.best_place(tree.root());
        add_ply(place, is_full_, is_drawn);
        learn(settings_.improves_targets() ? improved_counts(tree, settings_.target_scale) : counts);
        record_.game.wdl.back() = expected(tree, place);
        state_->play(state_->nth_move(place));
        begin_move(place);
    }

    // Writes down what the last ply teaches.
    void learn(const std::vector<std::uint32_t>& counts) {
        std::vector<records::Visit>& visits = record_.game.visits.back();
        for (std::size_t at = 0; at < counts.size(); ++at)
            if (counts[at]) visits.push_back({std::uint16_t(at), std::uint16_t(std::min(counts[at], kMaxVisits))});
    }

    void add_ply(int place, bool is_full, bool is_sampled) {
        record_.game.moves.push_back(std::uint16_t(place));
        record_.game.visits.emplace_back();
        record_.game.wdl.emplace_back();
        record_.game.flags.push_back(
            std::uint8_t((is_full ? 0 : records::kCheapPly) | (is_sampled ? records::kSampledPly : 0)));
    }

    // What the player to move at the root expects: the mean of all visits. Gumbel search visits every move that it has
    // drawn, however bad it turns out, so there it is what the played move is worth.
    static records::Wdl expected(const search::PuctTree& tree, int place) {
        const search::PuctNode& root = tree.root();
        if (tree.settings().is_gumbel && root.proven == search::PuctNode::kOpen) {
            const search::NodeId child = tree.edge(root, place).child;
            if (child != search::kNoNode && tree.node(child).visits > 0) return wdl_of(tree.node(child), 1);
        }
        return wdl_of(root, -1);
    }
    // `view` is -1 where the player asked for is not the one who moved to the node. Without what rounding left below
    // nothing.
    static records::Wdl wdl_of(const search::PuctNode& node, int view) {
        const bool is_proven = node.proven != search::PuctNode::kOpen;
        const double value = view * node.value();
        const double draw = is_proven ? (node.proven == 0 ? 1.0 : 0.0) : node.draw_sum / node.visits;
        return records::wdl_of(std::max((1 - draw + value) / 2, 0.0), std::max((1 - draw - value) / 2, 0.0));
    }

    static constexpr std::uint32_t kMaxVisits = 65535;

    const PoolSettings& settings_;  // the pool's
    search::SplitMix64 random_;
    std::optional<G> state_;  // never empty after construction
    PoolRecord record_;
    bool is_full_ = true;
    std::optional<search::PuctSearchOf<G>> search_;
    std::optional<typename search::PuctSearchOf<G>::Leaf> leaf_;
    std::vector<double> weights_;
    std::vector<float> priors_;
};

}  // namespace philidor::selfplay
