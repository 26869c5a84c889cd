#include "selfplay/pool/choice.h"

#include <algorithm>
#include <cmath>

#include "search/dirichlet.h"

namespace philidor::selfplay {

namespace {

// A root move: its prior, and what is known of the node it leads to, if it was visited.
struct RootMove {
    double prior = 0;
    std::uint32_t visits = 0;
    double value = 0;
    std::int8_t proven = search::PuctNode::kOpen;
};

std::vector<RootMove> root_moves(const search::PuctTree& tree) {
    std::vector<RootMove> moves;
    const search::PuctNode& root = tree.root();
    moves.reserve(root.edge_count);
    for (int place = 0; place < root.edge_count; ++place) {
        const search::PuctEdge& edge = tree.edge(root, place);
        RootMove& move = moves.emplace_back();
        move.prior = edge.prior;
        if (edge.child == search::kNoNode) continue;
        const search::PuctNode& child = tree.node(edge.child);
        move.visits = child.visits;
        move.value = child.visits ? child.value() : 0;
        move.proven = child.proven;
    }
    return moves;
}

std::vector<std::uint32_t> policy_parts(const std::vector<double>& policy) {
    std::vector<std::uint32_t> parts;
    for (const double share : policy) parts.push_back(std::uint32_t(std::floor(share * kPolicyParts + 0.5)));
    return parts;
}

// Takes off visits that were forced, as long as PUCT would not have made them itself.
void take_off_forced(const std::vector<RootMove>& moves, const search::PuctSettings& settings,
                     std::vector<std::uint32_t>& counts) {
    std::uint64_t visits = 0;
    std::size_t best = 0;
    for (std::size_t place = 0; place < moves.size(); ++place) {
        visits += moves[place].visits;
        if (moves[place].visits > moves[best].visits) best = place;
    }
    const double scale = search::exploration_scale(settings, visits);
    const double limit = moves[best].value + scale * moves[best].prior / double(1 + moves[best].visits);
    for (std::size_t place = 0; place < moves.size(); ++place) {
        const RootMove& move = moves[place];
        if (place == best || move.visits == 0) continue;
        const double forced = std::floor(std::sqrt(settings.forced_playouts * move.prior * double(visits)));
        const std::int64_t fewest = std::max<std::int64_t>(std::int64_t(move.visits) - std::int64_t(forced), 0);
        std::uint32_t& left = counts[place];
        while (left > fewest && move.value + scale * move.prior / double(left) <= limit) --left;
        if (left == 1) left = 0;
    }
}

bool has_win(const std::vector<RootMove>& moves) {
    return std::any_of(moves.begin(), moves.end(), [](const RootMove& move) { return move.proven == 1; });
}

// The search ended when it found the win: what it had visited till then is no opinion on the moves.
std::vector<std::uint32_t> of_wins(const std::vector<RootMove>& moves, std::uint32_t count) {
    std::vector<std::uint32_t> counts;
    for (const RootMove& move : moves) counts.push_back(move.proven == 1 ? count : 0);
    return counts;
}

// Unless everything loses, or all counts are for moves that do, as the search ended early.
std::vector<std::uint32_t> without_losses(const std::vector<RootMove>& moves, std::vector<std::uint32_t> counts) {
    std::vector<std::uint32_t> held = counts;
    for (std::size_t place = 0; place < moves.size(); ++place)
        if (moves[place].proven == -1) held[place] = 0;
    return std::any_of(held.begin(), held.end(), [](std::uint32_t count) { return count > 0; }) ? held : counts;
}

}  // namespace

std::vector<std::uint32_t> target_counts(const search::PuctTree& tree, bool prune) {
    const search::PuctSettings& settings = tree.settings();
    if (settings.is_gumbel) return policy_parts(tree.improved_policy(tree.root()));
    const std::vector<RootMove> moves = root_moves(tree);
    std::vector<std::uint32_t> counts;
    std::uint32_t total = 0;
    for (const RootMove& move : moves) counts.push_back(move.visits), total += move.visits;
    if (has_win(moves)) return of_wins(moves, total);
    if (prune && settings.forced_playouts > 0) take_off_forced(moves, settings, counts);
    return without_losses(moves, std::move(counts));
}

std::vector<std::uint32_t> improved_counts(const search::PuctTree& tree, double c_scale) {
    const std::vector<RootMove> moves = root_moves(tree);
    if (has_win(moves)) return of_wins(moves, kPolicyParts);
    return without_losses(moves, policy_parts(tree.improved_policy(tree.root(), c_scale)));
}

int draw_place(std::span<const std::uint32_t> counts, double temperature, search::SplitMix64& random) {
    const double most = *std::max_element(counts.begin(), counts.end());
    std::vector<double> weights;
    double total = 0;
    // Divided first, or a low temperature would leave the range of numbers.
    for (const std::uint32_t count : counts) {
        weights.push_back(count ? std::pow(double(count) / most, 1 / temperature) : 0.0);
        total += weights.back();
    }
    double left = search::uniform(random) * total;
    int last = 0;
    for (std::size_t place = 0; place < weights.size(); ++place) {
        if (weights[place] <= 0) continue;
        last = int(place);
        left -= weights[place];
        if (left < 0) break;
    }
    return last;
}

void softmax(std::span<const float> logits, std::vector<double>& weights, std::vector<float>& priors) {
    const double highest = *std::max_element(logits.begin(), logits.end());
    weights.clear();
    priors.clear();
    double total = 0;
    for (const float logit : logits) total += weights.emplace_back(std::exp(double(logit) - highest));
    for (const double weight : weights) priors.push_back(float(weight / total));
}

}  // namespace philidor::selfplay
