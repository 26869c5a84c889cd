#include "search/apv.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <utility>

namespace philidor::search {

using games::Go;
using games::MoveCode;
using games::Result;
using games::go::Point;

namespace {

// The position after a move, and the stones that it took.
std::unique_ptr<ApvPosition> played(const ApvPosition& before, MoveCode move) {
    auto after = std::make_unique<ApvPosition>(ApvPosition{before.state, {}});
    after->state.play(move);
    const games::go::Board &then = before.state.board(), &now = after->state.board();
    const games::go::Color taken = games::go::stone_of(after->state.to_move());
    for (int square = 0; square < then.area(); ++square) {
        const Point p = then.point_of(square);
        if (then.at(p) == taken && now.at(p) == games::go::kEmpty) after->captured.push_back(p);
    }
    return after;
}

double outcome_of(const Go& state) {
    if (state.result() == Result::kDraw) return 0.0;
    return state.result() == games::win_of(state.to_move()) ? 1.0 : -1.0;
}

// Takes the priors of moves that fill an own eye away, while something else can be played.
void keep_sensible(const Go& state, std::span<double> priors) {
    const games::go::Color color = games::go::stone_of(state.to_move());
    for (int i = 0; i + 1 < state.move_count(); ++i)
        if (state.board().is_eye(state.board().point_of(state.nth_move(i)), color)) priors[std::size_t(i)] = 0.0;
    // Plain additions in their order, as in the twin.
    double total = 0.0;
    for (const double prior : priors) total += prior;
    if (total > 0)
        for (double& prior : priors) prior /= total;
}

void temper(std::span<double> priors, double temperature) {
    std::vector<double> powers(priors.begin(), priors.end());
    double total = 0.0;
    for (double& power : powers) total += power = std::pow(power, 1 / temperature);
    if (total > 0)
        for (std::size_t i = 0; i < powers.size(); ++i) priors[i] = powers[i] / total;
}

}  // namespace

double ApvTree::Edge::mean(double mixing) const {
    const double values = value_count > 0 ? value_sum / value_count : 0.0;
    const double rollouts = rollout_count > 0 ? rollout_sum / rollout_count : 0.0;
    return (1 - mixing) * values + mixing * rollouts;
}

ApvTree::ApvTree(ApvPosition root, const ApvSettings& settings, ApvParts parts)
    : settings_(settings), parts_(std::move(parts)), random_(settings.seed), start_(std::move(root)) {
    if (start_.state.result() != Result::kOngoing) throw std::invalid_argument("the game is over");
    if (settings.mixing > 0 && !parts_.rollout) throw std::invalid_argument("a rollout policy is missing");
    questions_.emplace_back();
    fill(root_, start_);
}

void ApvTree::group(int simulations) {
    // 1. All go down before any of them is finished.
    std::vector<Descent> descents;
    for (int i = 0; i < simulations; ++i) descents.push_back({descend()});
    // 2. Judge where they came to: an end judges itself, anything else a rollout, by random numbers in their order.
    for (Descent& descent : descents) {
        const Go& state = descent.path.back()->position->state;
        descent.is_over = state.result() != Result::kOngoing;
        if (descent.is_over)
            descent.result = outcome_of(state);
        else if (settings_.mixing > 0)
            descent.seed = random_.next();
    }
    if (settings_.mixing > 0) judge(descents);
    // 3. Note the results, one after the other; the networks are asked later.
    questions_.emplace_back();
    for (Descent& descent : descents) finish(descent);
    simulations_ += simulations;
}

void ApvTree::judge(std::span<Descent> descents) {
    std::atomic<std::size_t> following = 0;
    const auto work = [&] {
        for (std::size_t i = following++; i < descents.size(); i = following++)
            if (!descents[i].is_over)
                descents[i].result = parts_.rollout(*descents[i].path.back()->position, descents[i].seed);
    };
    std::vector<std::thread> others;
    for (int i = 1; i < std::min(settings_.threads, int(descents.size())); ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
}

ApvTree::Path ApvTree::descend() {
    Path path;
    for (Node* node = &root_;; node = path.back()->node.get()) {
        Edge& edge = select(*node);
        edge.rollout_count += settings_.virtual_loss;
        edge.rollout_sum -= settings_.virtual_loss;
        path.push_back(&edge);
        if (edge.position == nullptr) edge.position = played(*node->position, edge.move);
        if (edge.node == nullptr) return path;
    }
}

ApvTree::Edge& ApvTree::select(Node& node) const {
    std::int64_t visits = 0;
    for (const Edge& edge : node.edges) visits += edge.rollout_count;
    const double root = std::sqrt(double(std::max<std::int64_t>(1, visits)));
    Edge* best = nullptr;
    double highest = 0.0;
    for (Edge& edge : node.edges) {
        const double bonus = settings_.c_puct * edge.prior * root / (1 + edge.rollout_count);
        const double score = edge.mean(settings_.mixing) + bonus;
        if (best == nullptr || score > highest) {
            best = &edge;
            highest = score;
        }
    }
    return *best;
}

void ApvTree::finish(Descent& descent) {
    Edge& leaf = *descent.path.back();
    if (descent.is_over) {
        leaf.has_value = true;
        leaf.value = descent.result;
    }
    ask_value(leaf, descent.path);
    double result = descent.result;
    for (auto edge = descent.path.rbegin(); edge != descent.path.rend(); ++edge) {
        result = -result;
        (*edge)->rollout_count += 1 - settings_.virtual_loss;
        (*edge)->rollout_sum += result + settings_.virtual_loss;
    }
    if (!descent.is_over && leaf.node == nullptr && leaf.rollout_count > settings_.threshold) {
        leaf.node = std::make_unique<Node>();
        fill(*leaf.node, *leaf.position);
    }
}

namespace {

void back_up_value(std::span<ApvTree::Edge* const> path, double value) {
    for (auto edge = path.rbegin(); edge != path.rend(); ++edge) {
        value = -value;
        ++(*edge)->value_count;
        (*edge)->value_sum += value;
    }
}

}  // namespace

void ApvTree::ask_value(Edge& leaf, const Path& path) {
    if (settings_.mixing == 1) return;
    if (leaf.has_value) {
        back_up_value(path, leaf.value);
        return;
    }
    if (leaf.waiting.empty()) questions_.back().values.push_back(&leaf);
    leaf.waiting.push_back(path);
}

void ApvTree::fill(Node& node, const ApvPosition& position) {
    const Go& state = position.state;
    const std::size_t moves = std::size_t(state.move_count());
    std::vector<double> priors(moves, 1.0 / double(moves));
    if (parts_.tree_policy) {
        parts_.tree_policy(position, priors);
        keep_sensible(state, priors);
    }
    node.position = &position;
    node.edges.reserve(moves);
    for (std::size_t i = 0; i < moves; ++i) node.edges.push_back({state.nth_move(int(i)), priors[i]});
    questions_.back().policies.push_back(&node);
}

void ApvTree::answer(std::span<const float> priors, std::span<const float> values) {
    if (questions_.empty()) throw std::invalid_argument("nothing was asked");
    const Questions asked = std::move(questions_.front());
    std::size_t moves = 0;
    for (const Node* node : asked.policies) moves += node->edges.size();
    if (moves != priors.size() || asked.values.size() != values.size()) {
        questions_.front() = asked;
        throw std::invalid_argument("an answer to each question");
    }
    questions_.pop_front();
    for (Node* node : asked.policies) {
        std::vector<double> sharp(priors.begin(), priors.begin() + std::ptrdiff_t(node->edges.size()));
        priors = priors.subspan(node->edges.size());
        keep_sensible(node->position->state, sharp);
        temper(sharp, settings_.policy_temperature);
        for (std::size_t i = 0; i < sharp.size(); ++i) node->edges[i].prior = sharp[i];
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        Edge& edge = *asked.values[i];
        edge.has_value = true;
        edge.value = values[i];
        for (const Path& path : edge.waiting) back_up_value(path, edge.value);
        edge.waiting.clear();
    }
}

}  // namespace philidor::search
