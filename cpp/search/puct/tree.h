// The tree of PUCT, whatever the game: nodes with N and W, edges with P. The twin of src/philidor/search/puct.py.
//
// The tree does not know positions. `descend` walks to a leaf; who owns the game plays the moves of `moves_to` and
// answers with `settle` if the game is over there, or else, once the network has spoken, with `expand` and `back_up`.
// Between the two, other leaves may be collected: unfinished visits count as losses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games/game.h"
#include "search/puct/segments.h"
#include "search/puct/settings.h"

namespace philidor::search {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

struct PuctEdge {
    float prior = 0;
    NodeId child = kNoNode;
    games::MoveCode move = 0;
};

// N and W are in the view of the player who moved here, as the book's belong to the edge.
struct PuctNode {
    static constexpr std::int8_t kOpen = 2;

    double value_sum = 0;
    double draw_sum = 0;
    double moves_left_sum = 0;  // plies from here to the end of the game, as far as the judge knows them
    std::uint32_t visits = 0;
    std::uint32_t in_flight = 0;
    NodeId parent = kNoNode;
    std::uint32_t edges = 0;
    std::uint16_t edge_count = 0;
    std::uint16_t place = 0;     // of the edge that leads here
    std::int8_t proven = kOpen;  // -1, 0, 1 for the mover
    std::uint8_t mover = 0;
    std::uint8_t to_move = 0;
    float own_value = 0;  // what the network said of this very position, for the player to move
    bool is_pending = false;
    bool is_repetition = false;

    double value() const { return proven == kOpen ? value_sum / visits : double(proven); }
    double moves_left() const { return moves_left_sum / visits; }
};
static_assert(sizeof(PuctNode) <= 64 && sizeof(PuctEdge) <= 16);

// What tells two moves apart that are proven to win, or to lose: the sooner or the later, the higher. 0 for others.
inline double delay_of(const PuctNode* child) {
    if (!child || (child->proven != 1 && child->proven != -1)) return 0;
    return child->proven == 1 ? -child->moves_left() : child->moves_left();
}

// What the search compares of a move: Q, or what stands for it while it was not visited; U; M.
struct PuctScore {
    double value;
    double bonus;
    double moves_left;
};

class PuctTree {
  public:
    enum class Arrival { kNew, kPending, kSettled };
    struct Visit {
        Arrival arrival;
        NodeId node;
    };
    static constexpr NodeId kRoot = 0;

    PuctTree(const PuctSettings& settings, int to_move);

    // Walks from the root to a node that was never evaluated (kNew; it is now the caller's to answer for), to one
    // that waits for its evaluation (kPending; `cancel` it) or to one whose result is known (kSettled; it has been
    // backed up). The root itself comes first.
    Visit descend();
    // Begins a visit of a root move that was never tried; the node is kNew.
    NodeId descend_to(int place);
    // The root's moves that were never tried, if the root is won but not by a move that ends the game: one of these
    // may. Else none.
    std::vector<int> untried_if_won_late() const;
    std::vector<games::MoveCode> moves_to(NodeId node) const;

    // Answers to kNew. The game is over at the node, by the rules or because a position came twice.
    void settle(NodeId node, int to_move, int result_for_mover, bool is_repetition = false);
    // Or: `priors` belong to `moves`, `value` and `draw` are the view of the player to move there.
    void expand(NodeId node, int to_move, std::span<const games::MoveCode> moves, std::span<const float> priors);
    // `moves_left` are the plies that the network expects until the end; without `know_moves_left` they mean nothing.
    void back_up(NodeId node, double value, double draw, double moves_left = 0);
    void know_moves_left() { knows_moves_left_ = true; }
    bool knows_moves_left() const { return knows_moves_left_; }
    // Or neither: the visit never happened.
    void cancel(NodeId node);

    // The tree below one of the root's moves, as a tree of its own with these settings. Without it if a repetition was
    // scored there: what came twice in the old tree may come once in the new.
    // `origins`, if given, tells for each of its nodes which one it was.
    PuctTree subtree(int place, const PuctSettings& settings, std::vector<NodeId>* origins = nullptr) const;

    const PuctNode& node(NodeId id) const { return nodes_[id]; }
    const PuctNode& root() const { return nodes_[kRoot]; }
    const PuctEdge& edge(const PuctNode& node, int place) const { return edges_[node.edges + std::uint32_t(place)]; }
    // The move to play: the shortest proven win, else the most visited that does not lose for certain, else the
    // longest proven loss; the first of equals.
    int best_place(const PuctNode& node) const;
    // The root's move by Gumbel search without its draw: the likeliest of the improved policy.
    int likeliest_place() const { return gumbel_best(root(), false); }
    // Of each of the root's moves, as if no visit were under way.
    std::vector<PuctScore> scores() const;
    std::uint32_t size() const { return nodes_.size(); }
    std::uint32_t edge_count() const { return edges_.size(); }
    std::size_t bytes() const { return nodes_.bytes() + edges_.bytes(); }
    bool is_full() const {
        return bytes() >= std::size_t(settings_.memory_mb) << 20 || nodes_.is_full() || edges_.is_full();
    }
    const PuctSettings& settings() const { return settings_; }

    // The improved policy of Gumbel search, by the settings' c_scale or another: what to train priors towards.
    std::vector<double> improved_policy(const PuctNode& node) const { return improved_policy(node, settings_.c_scale); }
    std::vector<double> improved_policy(const PuctNode& node, double c_scale) const;

  private:
    int select(const PuctNode& node, bool is_root) const;
    // Gumbel search, in tree_gumbel.cpp.
    void draw();
    int choose() const;
    int gumbel_best(const PuctNode& root, bool is_drawn) const;
    int select_improved(const PuctNode& node) const;
    std::vector<double> improved_logits(const PuctNode& node, double c_scale) const;
    double mixed_value(const PuctNode& node) const;
    double own_prior(const PuctNode& node, int place) const;
    std::uint32_t started(const PuctEdge& edge) const {
        return edge.child == kNoNode ? 0 : nodes_[edge.child].visits + nodes_[edge.child].in_flight;
    }
    double first_play_urgency(const PuctNode& node) const;
    bool counts_moves_left(const PuctNode& node) const;
    double moves_left_utility(const PuctNode& node, const PuctNode& child) const;
    double longest_loss(const PuctNode& node) const;
    bool is_turned(int mover, int other) const { return mover != other && !settings_.is_fixed_perspective; }
    std::int8_t proof(const PuctNode& node) const;
    void add_noise();
    NodeId make_child(NodeId parent, int place);
    bool has_repetition(NodeId node) const;
    void copy(const PuctTree& from, NodeId source, std::vector<NodeId>* origins);

    PuctSettings settings_;
    Segments<PuctNode, 64> nodes_;
    Segments<PuctEdge, 512> edges_;
    bool knows_moves_left_ = false;
    std::vector<float> own_priors_;        // of the root's moves, before noise; empty where there was none
    std::vector<double> gumbel_;           // by root move
    std::vector<std::uint32_t> schedule_;  // by simulation: the visits of the root moves whose turn it is
};

}  // namespace philidor::search
