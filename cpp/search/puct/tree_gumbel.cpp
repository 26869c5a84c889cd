// Gumbel search on PUCT's tree. The twin of src/philidor/search/gumbel.py.
#include <algorithm>
#include <cmath>
#include <limits>

#include "search/dirichlet.h"
#include "search/puct/tree.h"

namespace philidor::search {

namespace {

// So that a prior that was rounded to 0 still has a logarithm.
constexpr double kSmallest = 1e-30;

// For each simulation how many visits the moves have whose turn it is: sequential halving.
std::vector<std::uint32_t> visit_schedule(int considered, int simulations) {
    std::vector<std::uint32_t> schedule;
    if (considered <= 1) {
        for (int i = 0; i < simulations; ++i) schedule.push_back(std::uint32_t(i));
        return schedule;
    }
    const int rounds = int(std::ceil(std::log2(double(considered))));
    std::vector<std::uint32_t> visits(std::size_t(considered), 0);
    for (int left = considered; int(schedule.size()) < simulations; left = std::max(2, left / 2))
        for (int extra = std::max(1, simulations / (rounds * left)); extra > 0; --extra) {
            schedule.insert(schedule.end(), visits.begin(), visits.begin() + left);
            for (int place = 0; place < left; ++place) ++visits[std::size_t(place)];
        }
    schedule.resize(std::size_t(std::max(simulations, 0)));
    return schedule;
}

}  // namespace

void PuctTree::draw() {
    SplitMix64 random(settings_.seed);
    gumbel_.clear();
    for (int place = 0; place < root().edge_count; ++place)
        gumbel_.push_back(settings_.gumbel_scale * -std::log(-std::log(uniform(random))));
    schedule_ = visit_schedule(std::min<int>(settings_.considered, root().edge_count), settings_.simulations - 1);
}

// The root's move to visit next: of those with the visits whose turn it is, the best draw plus value.
int PuctTree::choose() const {
    const PuctNode& node = root();
    // This walk is counted as under way already, and a root that was kept has visits from before.
    std::uint64_t done = 0;
    for (int place = 0; place < node.edge_count; ++place) done += started(edge(node, place));
    const std::vector<double> logits = improved_logits(node, settings_.c_scale);
    for (const bool only_in_turn : {true, false}) {
        if (only_in_turn && done >= schedule_.size()) continue;
        int best = -1;
        double best_score = -std::numeric_limits<double>::infinity();
        for (int place = 0; place < node.edge_count; ++place) {
            if (only_in_turn && started(edge(node, place)) != schedule_[done]) continue;
            const double score = gumbel_[std::size_t(place)] + logits[std::size_t(place)];
            if (best < 0 || score > best_score) best = place, best_score = score;
        }
        if (best >= 0) return best;
    }
    return 0;
}

// The move to play: of the most visited, the one with the best score; without the draw, the likeliest of the improved
// policy. The shortest proven win comes before all, and where everything loses the longest loss.
int PuctTree::gumbel_best(const PuctNode& node, bool is_drawn) const {
    const std::vector<double> logits = improved_logits(node, settings_.c_scale);
    int best = -1;
    bool best_wins = false, best_holds = false;
    std::uint32_t best_visits = 0;
    double best_delay = 0, best_score = 0;
    for (int place = 0; place < node.edge_count; ++place) {
        const NodeId id = edge(node, place).child;
        const PuctNode* child = id == kNoNode ? nullptr : &nodes_[id];
        const bool wins = child && child->proven == 1, holds = !child || child->proven != -1;
        const double delay = delay_of(child);
        // Wins of the same length are equal: the first is played, whatever its visits.
        const std::uint32_t visits = is_drawn && child && !wins ? child->visits : 0;
        const double draw = is_drawn ? gumbel_[std::size_t(place)] : 0;
        const double score = wins ? 0 : draw + logits[std::size_t(place)];
        const bool is_better = wins != best_wins       ? wins
                               : holds != best_holds   ? holds
                               : delay != best_delay   ? delay > best_delay
                               : visits != best_visits ? visits > best_visits
                                                       : score > best_score;
        if (best < 0 || is_better) {
            best = place, best_wins = wins, best_holds = holds;
            best_delay = delay, best_visits = visits, best_score = score;
        }
    }
    return best;
}

// The move whose visits lag most behind the improved policy, the first of equals.
int PuctTree::select_improved(const PuctNode& node) const {
    const std::vector<double> policy = improved_policy(node);
    std::uint64_t total = 0;
    for (int place = 0; place < node.edge_count; ++place) total += started(edge(node, place));
    int best = -1;
    double best_score = -std::numeric_limits<double>::infinity();
    for (int place = 0; place < node.edge_count; ++place) {
        const PuctEdge& edge = this->edge(node, place);
        if (edge.child != kNoNode && nodes_[edge.child].proven == -1) continue;
        const double score = policy[std::size_t(place)] - double(started(edge)) / double(1 + total);
        if (score > best_score) best = place, best_score = score;
    }
    return std::max(best, 0);
}

std::vector<double> PuctTree::improved_policy(const PuctNode& node, double c_scale) const {
    std::vector<double> weights = improved_logits(node, c_scale);
    const double highest = *std::max_element(weights.begin(), weights.end());
    double total = 0;
    for (double& weight : weights) weight = std::exp(weight - highest), total += weight;
    for (double& weight : weights) weight /= total;
    return weights;
}

// Logit + sigma(completed Q) of each move; Q is turned from -1..1 to 0..1 first.
std::vector<double> PuctTree::improved_logits(const PuctNode& node, double c_scale) const {
    std::uint32_t most = 0;
    for (int place = 0; place < node.edge_count; ++place) most = std::max(most, started(edge(node, place)));
    const double scale = (settings_.c_visit + most) * c_scale;
    const double unvisited = mixed_value(node);
    std::vector<double> logits;
    for (int place = 0; place < node.edge_count; ++place) {
        const PuctEdge& edge = this->edge(node, place);
        const bool is_visited = edge.child != kNoNode && nodes_[edge.child].visits > 0;
        const double q = is_visited ? nodes_[edge.child].value() : unvisited;
        logits.push_back(std::log(std::max(own_prior(node, place), kSmallest)) + scale * ((q + 1) / 2));
    }
    return logits;
}

// What the evaluator said of a move: noise makes a search look at it, and is nothing to learn.
double PuctTree::own_prior(const PuctNode& node, int place) const {
    const bool has_noise = &node == &root() && !own_priors_.empty();
    return double(has_noise ? own_priors_[std::size_t(place)] : edge(node, place).prior);
}

// The guess for moves not visited: the node's own value mixed with those of the visited, by priors.
double PuctTree::mixed_value(const PuctNode& node) const {
    std::uint64_t visits = 0;
    double seen = 0, weighted = 0;
    for (int place = 0; place < node.edge_count; ++place) {
        const PuctEdge& edge = this->edge(node, place);
        if (edge.child == kNoNode || nodes_[edge.child].visits == 0) continue;
        visits += nodes_[edge.child].visits;
        const double prior = own_prior(node, place);
        seen += prior;
        weighted += prior * nodes_[edge.child].value();
    }
    if (seen <= 0) return node.own_value;
    return (double(node.own_value) + double(visits) * (weighted / seen)) / double(1 + visits);
}

}  // namespace philidor::search
