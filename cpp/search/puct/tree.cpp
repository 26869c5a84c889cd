#include "search/puct/tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "search/dirichlet.h"

namespace philidor::search {

PuctTree::PuctTree(const PuctSettings& settings, int to_move) : settings_(settings) {
    PuctNode& root = nodes_[nodes_.add()];
    root.to_move = std::uint8_t(to_move);
    root.mover = std::uint8_t(1 - to_move);
}

PuctTree::Visit PuctTree::descend() {
    NodeId id = kRoot;
    for (;;) {
        PuctNode& node = nodes_[id];
        ++node.in_flight;
        if (node.proven != PuctNode::kOpen && (id != kRoot || node.edge_count == 0)) {
            back_up(id, node.mover == node.to_move ? node.proven : -node.proven, node.proven == 0 ? 1 : 0,
                    node.moves_left());
            return {Arrival::kSettled, id};
        }
        if (node.edge_count == 0) {
            if (std::exchange(node.is_pending, true)) return {Arrival::kPending, id};
            return {Arrival::kNew, id};
        }
        const int place = !settings_.is_gumbel ? select(node, id == kRoot)
                          : id == kRoot        ? choose()
                                               : select_improved(node);
        const NodeId child = edge(node, place).child;
        id = child == kNoNode ? make_child(id, place) : child;
    }
}

NodeId PuctTree::make_child(NodeId parent, int place) {
    const NodeId id = nodes_.add();
    PuctNode& child = nodes_[id];
    child.parent = parent;
    child.place = std::uint16_t(place);
    child.mover = nodes_[parent].to_move;
    edges_[nodes_[parent].edges + std::uint32_t(place)].child = id;
    return id;
}

NodeId PuctTree::descend_to(int place) {
    const NodeId id = make_child(kRoot, place);
    ++nodes_[kRoot].in_flight;
    ++nodes_[id].in_flight;
    nodes_[id].is_pending = true;
    return id;
}

std::vector<int> PuctTree::untried_if_won_late() const {
    std::vector<int> places;
    const PuctNode& node = root();
    const bool is_won = node.proven == (node.mover == node.to_move ? 1 : -1);
    if (!is_won || node.visits == 0 || node.moves_left() <= 1 || is_full()) return places;
    for (int place = 0; place < node.edge_count; ++place)
        if (edge(node, place).child == kNoNode) places.push_back(place);
    return places;
}

std::vector<games::MoveCode> PuctTree::moves_to(NodeId id) const {
    std::vector<games::MoveCode> moves;
    for (; nodes_[id].parent != kNoNode; id = nodes_[id].parent)
        moves.push_back(edge(nodes_[nodes_[id].parent], nodes_[id].place).move);
    std::reverse(moves.begin(), moves.end());
    return moves;
}

void PuctTree::settle(NodeId id, int to_move, int result_for_mover, bool is_repetition) {
    PuctNode& node = nodes_[id];
    node.is_pending = false;
    node.to_move = std::uint8_t(to_move);
    node.proven = std::int8_t(result_for_mover);
    node.is_repetition = is_repetition;
    back_up(id, node.mover == node.to_move ? node.proven : -node.proven, node.proven == 0 ? 1 : 0);
}

void PuctTree::expand(NodeId id, int to_move, std::span<const games::MoveCode> moves, std::span<const float> priors) {
    PuctNode& node = nodes_[id];
    node.is_pending = false;
    node.to_move = std::uint8_t(to_move);
    node.edges = edges_.add(std::uint32_t(moves.size()));
    node.edge_count = std::uint16_t(moves.size());
    for (std::uint32_t i = 0; i < moves.size(); ++i) edges_[node.edges + i] = {priors[i], kNoNode, moves[i]};
    if (id != kRoot) return;
    if (settings_.noise > 0) add_noise();
    if (settings_.is_gumbel) draw();
}

void PuctTree::add_noise() {
    const PuctNode& root = nodes_[kRoot];
    SplitMix64 random(settings_.seed);
    const std::vector<double> noise = dirichlet(settings_.noise_alpha, root.edge_count, random);
    own_priors_.clear();
    for (std::uint32_t i = 0; i < root.edge_count; ++i) {
        float& prior = edges_[root.edges + i].prior;
        own_priors_.push_back(prior);
        prior = float(prior * (1 - settings_.noise) + noise[i] * settings_.noise);
    }
}

// Adds the leaf's value along the path; a node whose result it proves adds that instead, and so on up.
void PuctTree::back_up(NodeId id, double value, double draw, double moves_left) {
    int viewer = nodes_[id].to_move;
    if (nodes_[id].visits == 0) nodes_[id].own_value = float(value);
    bool is_below_proven = false;
    for (; id != kNoNode; id = nodes_[id].parent, ++moves_left) {
        PuctNode& node = nodes_[id];
        // A node can only be decided by the child whose result has just become known, or is known.
        if (settings_.prove && node.proven == PuctNode::kOpen && is_below_proven) {
            node.proven = proof(node);
            if (node.proven != PuctNode::kOpen) {
                value = node.proven, draw = node.proven == 0 ? 1 : 0, viewer = node.mover;
                // Who loses chooses the longest way; who wins has just found one, and ends its search here.
                const bool is_lost = node.proven == (node.mover == node.to_move ? -1 : 1);
                if (is_lost) moves_left = 1 + longest_loss(node);
                node.moves_left_sum = moves_left * node.visits;
            }
        } else if (node.proven != PuctNode::kOpen && node.visits > 0) {
            moves_left = node.moves_left();
        }
        is_below_proven = node.proven != PuctNode::kOpen;
        ++node.visits;
        --node.in_flight;
        node.value_sum += is_turned(node.mover, viewer) ? -value : value;
        node.draw_sum += draw;
        node.moves_left_sum += moves_left;
    }
}

void PuctTree::cancel(NodeId id) {
    nodes_[id].is_pending = nodes_[id].in_flight > 1;
    for (; id != kNoNode; id = nodes_[id].parent) --nodes_[id].in_flight;
}

// The result for the mover if the children decide it: one that wins, or all of them known.
std::int8_t PuctTree::proof(const PuctNode& node) const {
    int best = -1;
    bool is_open = false;
    for (int place = 0; place < node.edge_count; ++place) {
        const NodeId child = edge(node, place).child;
        const std::int8_t proven = child == kNoNode ? PuctNode::kOpen : nodes_[child].proven;
        if (proven == 1) {
            best = 1, is_open = false;
            break;
        }
        if (proven == PuctNode::kOpen)
            is_open = true;
        else
            best = std::max(best, int(proven));
    }
    if (is_open) return PuctNode::kOpen;
    return std::int8_t(node.mover == node.to_move ? best : -best);
}

double PuctTree::longest_loss(const PuctNode& node) const {
    double longest = 0;
    for (int place = 0; place < node.edge_count; ++place)
        if (const NodeId id = edge(node, place).child; id != kNoNode && nodes_[id].visits > 0)
            longest = std::max(longest, nodes_[id].moves_left());
    return longest;
}

// The place of the move with the highest Q + U + M, the first of equals. A move that is proven to lose is only taken
// when there is no other.
int PuctTree::select(const PuctNode& node, bool is_root) const {
    std::uint64_t visits = 0;
    for (int place = 0; place < node.edge_count; ++place)
        if (const NodeId id = edge(node, place).child; id != kNoNode)
            visits += nodes_[id].visits + nodes_[id].in_flight;
    const double scale = exploration_scale(settings_, visits);
    const double unvisited = first_play_urgency(node);
    const bool counts_moves_left = this->counts_moves_left(node);
    int best = -1;
    double best_score = -std::numeric_limits<double>::infinity();
    for (int place = 0; place < node.edge_count; ++place) {
        const PuctEdge& edge = this->edge(node, place);
        const PuctNode* child = edge.child == kNoNode ? nullptr : &nodes_[edge.child];
        if (child && child->proven == -1) continue;
        const std::uint32_t in_flight = child ? child->in_flight : 0;
        const std::uint32_t n = child ? child->visits + in_flight : 0;
        double q = child && child->visits ? child->value() : unvisited;
        if (in_flight && child->proven == PuctNode::kOpen) {
            const double known = std::max<std::uint32_t>(child->visits, 1);
            q = (q * known - settings_.virtual_loss * in_flight) / (known + in_flight);
        }
        double score = q + scale * double(edge.prior) / double(1 + n);
        if (counts_moves_left && child && child->visits) score += moves_left_utility(node, *child);
        if (is_root && n > 0 && n < std::sqrt(settings_.forced_playouts * double(edge.prior) * double(visits)))
            score = std::numeric_limits<double>::infinity();
        if (score > best_score) best = place, best_score = score;
    }
    return std::max(best, 0);
}

std::vector<PuctScore> PuctTree::scores() const {
    std::vector<PuctScore> scores;
    const PuctNode& node = root();
    const double scale = exploration_scale(settings_, node.visits > 0 ? node.visits - 1 : 0);
    const double unvisited = first_play_urgency(node);
    for (int place = 0; place < node.edge_count; ++place) {
        const PuctEdge& edge = this->edge(node, place);
        const PuctNode* child = edge.child == kNoNode || nodes_[edge.child].visits == 0 ? nullptr : &nodes_[edge.child];
        const double bonus = scale * double(edge.prior) / double(1 + (child ? child->visits : 0));
        const double moves_left = child && counts_moves_left(node) ? moves_left_utility(node, *child) : 0;
        scores.push_back({child ? child->value() : unvisited, bonus, moves_left});
    }
    return scores;
}

bool PuctTree::counts_moves_left(const PuctNode& node) const {
    return knows_moves_left_ && settings_.moves_left_max_effect > 0 && node.visits > 0 &&
           std::abs(node.value_sum / node.visits) > settings_.moves_left_threshold;
}

// What a shorter win or a longer loss adds to a move's score where the game is nearly decided: M of lc0.
double PuctTree::moves_left_utility(const PuctNode& node, const PuctNode& child) const {
    const double most = settings_.moves_left_max_effect, threshold = settings_.moves_left_threshold;
    const double effect =
        std::clamp(settings_.moves_left_slope * (child.moves_left() - node.moves_left()), -most, most);
    const double value = child.value(), size = std::abs(value);
    const double x = threshold > 0 && threshold < 1 ? std::max(0.0, size - threshold) / (1 - threshold) : size;
    const double weight =
        settings_.moves_left_constant + settings_.moves_left_linear * x + settings_.moves_left_quadratic * x * x;
    return effect * std::copysign(1.0, -value) * weight;
}

// The Q of moves that were not visited.
double PuctTree::first_play_urgency(const PuctNode& node) const {
    if (settings_.fpu_is_absolute) return settings_.fpu_value;
    double seen = 0;
    for (int place = 0; place < node.edge_count; ++place) {
        const PuctEdge& edge = this->edge(node, place);
        if (edge.child != kNoNode && nodes_[edge.child].visits > 0) seen += double(edge.prior);
    }
    double mean = node.visits ? node.value_sum / node.visits : 0.0;
    if (is_turned(node.mover, node.to_move)) mean = -mean;
    return mean - settings_.fpu_value * std::sqrt(seen);
}

int PuctTree::best_place(const PuctNode& node) const {
    if (settings_.is_gumbel && &node == &root() && !gumbel_.empty()) return gumbel_best(node, true);
    int best = 0;
    bool best_wins = false, best_holds = true;
    std::uint32_t best_visits = 0;
    double best_delay = 0, best_value = -std::numeric_limits<double>::infinity();
    for (int place = 0; place < node.edge_count; ++place) {
        const NodeId id = edge(node, place).child;
        const PuctNode* child = id == kNoNode ? nullptr : &nodes_[id];
        const bool wins = child && child->proven == 1, holds = !child || child->proven != -1;
        const std::uint32_t visits = child ? child->visits : 0;
        const double value = visits ? child->value() : 0.0;
        const double delay = delay_of(child);
        const bool is_better = wins != best_wins       ? wins
                               : holds != best_holds   ? holds
                               : delay != best_delay   ? delay > best_delay
                               : visits != best_visits ? visits > best_visits
                                                       : value > best_value;
        if (place == 0 || is_better) {
            best = place, best_wins = wins, best_holds = holds;
            best_delay = delay, best_visits = visits, best_value = value;
        }
    }
    return best;
}

bool PuctTree::has_repetition(NodeId id) const {
    std::vector<NodeId> todo{id};
    while (!todo.empty()) {
        const PuctNode& node = nodes_[todo.back()];
        todo.pop_back();
        if (node.is_repetition) return true;
        for (int place = 0; place < node.edge_count; ++place)
            if (const NodeId child = edge(node, place).child; child != kNoNode) todo.push_back(child);
    }
    return false;
}

PuctTree PuctTree::subtree(int place, const PuctSettings& settings, std::vector<NodeId>* origins) const {
    const NodeId child = place < root().edge_count ? edge(root(), place).child : kNoNode;
    PuctTree tree(settings, 1 - root().to_move);
    tree.knows_moves_left_ = knows_moves_left_;
    if (child == kNoNode || has_repetition(child) || nodes_[child].edge_count == 0) return tree;
    tree.copy(*this, child, origins);
    if (settings.noise > 0) tree.add_noise();
    if (settings.is_gumbel) tree.draw();
    return tree;
}

void PuctTree::copy(const PuctTree& from, NodeId source, std::vector<NodeId>* origins) {
    std::vector<std::pair<NodeId, NodeId>> todo{{source, kRoot}};
    while (!todo.empty()) {
        const auto [old_id, new_id] = todo.back();
        todo.pop_back();
        if (origins) {
            origins->resize(std::max<std::size_t>(origins->size(), new_id + 1), kNoNode);
            (*origins)[new_id] = old_id;
        }
        const PuctNode& old = from.nodes_[old_id];
        PuctNode& node = nodes_[new_id];
        const NodeId parent = node.parent;
        node = old;
        node.parent = parent;
        node.in_flight = 0;
        node.is_pending = false;
        if (old.edge_count == 0) continue;
        node.edges = edges_.add(old.edge_count);
        for (std::uint32_t i = 0; i < old.edge_count; ++i) {
            PuctEdge& edge = edges_[node.edges + i];
            edge = from.edges_[old.edges + i];
            if (edge.child == kNoNode) continue;
            const NodeId copied = nodes_.add();
            nodes_[copied].parent = new_id;
            todo.emplace_back(edge.child, copied);
            edge.child = copied;
        }
    }
}

}  // namespace philidor::search
