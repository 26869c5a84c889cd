// PUCT over a native game: the tree, the root's state, and the leaves that wait for a network.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "games/game.h"
#include "search/puct/tree.h"

namespace philidor::search {

// What a game must offer beside games::Game, if its positions can repeat: a key that tells them apart.
template <typename G>
concept Repeating = requires(const G& state) {
    { state.key() } -> std::same_as<std::uint64_t>;
};

template <games::Game G>
class PuctSearchOf {
  public:
    struct Leaf {
        NodeId node;
        G state;
    };

    // With `root_places` only these moves of the root are looked at; such a search cannot be carried along.
    PuctSearchOf(const G& root, const PuctSettings& settings, std::vector<int> root_places = {})
        : root_(root), tree_(settings, root.to_move()), root_places_(std::move(root_places)) {
        if (root.result() != games::Result::kOngoing)
            throw std::invalid_argument("the game is over: nothing to search");
        for (const int place : root_places_)
            if (place < 0 || place >= root.move_count()) throw std::invalid_argument("no such move");
    }

    // Walks until `count` leaves wait for their evaluation, `simulations` more visits are under way or done, the
    // root is proven or the tree is full. Ends of games are settled on the way. A walk that ends in a leaf that waits
    // already ends the collecting: more of them would follow.
    std::vector<Leaf> collect(int count, std::int64_t simulations) {
        std::vector<Leaf> leaves;
        const std::int64_t target = std::int64_t(tree_.root().visits) + waiting_ + simulations;
        while (int(leaves.size()) < count) {
            std::optional<Leaf> leaf = next(target);
            if (!leaf) break;
            leaves.push_back(std::move(*leaf));
        }
        return leaves;
    }

    // The same for one leaf; none once `target` visits of the root are under way or done.
    std::optional<Leaf> next(std::int64_t target) {
        while (tree_.root().visits + waiting_ < target && !is_settled() && !tree_.is_full()) {
            const PuctTree::Visit visit = tree_.descend();
            if (visit.arrival == PuctTree::Arrival::kSettled) continue;
            if (visit.arrival == PuctTree::Arrival::kPending) {
                tree_.cancel(visit.node);
                break;
            }
            if (std::optional<Leaf> leaf = arrive(visit.node)) {
                ++waiting_;
                return leaf;
            }
            try_to_win_at_once();
        }
        return std::nullopt;
    }

    // The evaluation of a leaf: a prior for each of its moves in canonical order, value and draw in its mover's view,
    // the plies that are left, negative if nobody knows. With `without_last` the last move is not looked at and has no
    // prior.
    void apply(const Leaf& leaf, std::span<const float> priors, double value, double draw, double moves_left = -1,
               bool without_last = false) {
        const int count = leaf.state.move_count() - int(without_last);
        if (int(priors.size()) != count)
            throw std::invalid_argument("expected " + std::to_string(count) + " priors, one for each move, got " +
                                        std::to_string(priors.size()));
        moves_.clear();
        for (int i = 0; i < count; ++i) moves_.push_back(leaf.state.nth_move(i));
        if (leaf.node == PuctTree::kRoot && !root_places_.empty()) priors = restrict_root(priors);
        tree_.expand(leaf.node, leaf.state.to_move(), moves_, priors);
        if (moves_left >= 0) tree_.know_moves_left();
        const bool was_settled = is_settled();
        tree_.back_up(leaf.node, value, draw, std::max(moves_left, 0.0));
        --waiting_;
        if (!was_settled) try_to_win_at_once();
    }
    void cancel(const Leaf& leaf) {
        tree_.cancel(leaf.node);
        --waiting_;
    }

    // Plays a move of the root and keeps what is known below it; from now on with these settings. No leaf may be
    // waiting.
    void advance(int place) { advance(place, tree_.settings()); }
    void advance(int place, const PuctSettings& settings) {
        if (waiting_ != 0) throw std::logic_error("leaves are waiting for their evaluation");
        if (!root_places_.empty()) throw std::logic_error("the root has only some of its moves");
        if (place < 0 || place >= root_.move_count()) throw std::invalid_argument("no such move");
        tree_ = tree_.subtree(place, settings);
        root_.play(root_.nth_move(place));
        try_to_win_at_once();
    }

    const PuctTree& tree() const { return tree_; }
    const G& root() const { return root_; }
    bool is_settled() const { return tree_.root().proven != PuctNode::kOpen; }

  private:
    // Gives a visit to an untried move that ends the game, if the root is won but not so soon: the search ends with
    // the first win that it has proven, and a mate in one may be where the priors saw nothing.
    void try_to_win_at_once() {
        for (const int place : tree_.untried_if_won_late()) {
            G state = root_;
            state.play(tree_.edge(tree_.root(), place).move);
            const games::Result result = state.result();
            if (result == games::Result::kOngoing || games::half_points(result, root_.to_move()) != 2) continue;
            tree_.settle(tree_.descend_to(place), state.to_move(), 1);
            return;
        }
    }

    // Plays to a new node. Settles it if the game ends there.
    std::optional<Leaf> arrive(NodeId node) {
        G state = root_;
        keys_.clear();
        for (const games::MoveCode move : tree_.moves_to(node)) {
            if constexpr (Repeating<G>) keys_.push_back(state.key());
            state.play(move);
        }
        const games::Result result = state.result();
        const int mover = tree_.node(node).mover;
        if (result != games::Result::kOngoing) {
            tree_.settle(node, state.to_move(), games::half_points(result, mover) - 1);
            return std::nullopt;
        }
        if constexpr (Repeating<G>)
            if (tree_.settings().two_fold && std::find(keys_.begin(), keys_.end(), state.key()) != keys_.end()) {
                tree_.settle(node, state.to_move(), 0, true);
                return std::nullopt;
            }
        return Leaf{node, std::move(state)};
    }

    // Leaves the allowed moves in `moves_`, and returns their priors as they are: those of the others are not theirs.
    std::span<const float> restrict_root(std::span<const float> priors) {
        std::vector<games::MoveCode> allowed;
        priors_.clear();
        for (const int place : root_places_)
            allowed.push_back(moves_[std::size_t(place)]), priors_.push_back(priors[std::size_t(place)]);
        moves_ = std::move(allowed);
        return priors_;
    }

    G root_;
    PuctTree tree_;
    std::vector<int> root_places_;
    std::int64_t waiting_ = 0;
    std::vector<games::MoveCode> moves_;
    std::vector<float> priors_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace philidor::search
