// APV-MCTS, AlphaGo's search, for Go: the twin of search/apv.py, visit for visit.
//
// A group of simulations goes down the tree before any of them is finished; every edge on the way carries a virtual
// loss. Rollouts are played at once, on several threads if wanted. What the networks are asked is kept by group, to be
// answered `lag` groups later: `group`, then `waiting` and `answer` as often as the lag wants.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "games/go/go.h"
#include "search/random.h"

namespace philidor::search {

struct ApvSettings {
    double mixing = 0.5, c_puct = 5.0, policy_temperature = 0.67;
    int threshold = 8, virtual_loss = 3, threads = 1;
    std::uint64_t seed = 0;
};

// A position and the stones that the last move took, which the linear policies want to know.
struct ApvPosition {
    games::Go state;
    std::vector<games::go::Point> captured;
};

// Both may be called by several threads at a time.
struct ApvParts {
    // Plays a game out by random numbers of this seed; its result in the mover's view, from -1 to 1. May be missing
    // where `mixing` is 0.
    std::function<double(const ApvPosition&, std::uint64_t seed)> rollout;
    // Priors of the legal points, in order, and of the pass; equal ones if there is none.
    std::function<void(const ApvPosition&, std::vector<double>& priors)> tree_policy;
};

class ApvTree {
  public:
    struct Node;
    struct Edge {
        games::MoveCode move;
        double prior;
        int value_count = 0;                              // Nv
        double value_sum = 0.0;                           // Wv
        int rollout_count = 0;                            // Nr, virtual losses too
        double rollout_sum = 0.0;                         // Wr
        std::unique_ptr<ApvPosition> position = nullptr;  // behind it, once it has been looked at
        bool has_value = false;
        double value = 0.0;  // what the value network says of that position, in its mover's view
        std::vector<std::vector<Edge*>> waiting = {};  // paths of simulations that wait for this value
        std::unique_ptr<Node> node = nullptr;

        double mean(double mixing) const;
    };
    struct Node {
        const ApvPosition* position;
        std::vector<Edge> edges;
    };
    // What the networks were asked during one group.
    struct Questions {
        std::vector<Node*> policies;
        std::vector<Edge*> values;
    };

    // The root must not be over, and waits for its policy. Throws std::invalid_argument.
    ApvTree(ApvPosition root, const ApvSettings& settings, ApvParts parts);
    ApvTree(const ApvTree&) = delete;  // questions point into it
    ApvTree& operator=(const ApvTree&) = delete;

    // Runs simulations together, rollouts and all; their questions wait behind those of earlier groups.
    void group(int simulations);
    // The oldest group that has no answer yet; there must be one.
    const Questions& waiting() const { return questions_.front(); }
    std::size_t waiting_groups() const { return questions_.size(); }
    // Answers it: for each of its policies the probabilities of all legal moves one after the other, and its values.
    // Throws std::invalid_argument for another number of them.
    void answer(std::span<const float> priors, std::span<const float> values);

    const Node& root() const { return root_; }
    std::int64_t simulations() const { return simulations_; }

  private:
    using Path = std::vector<Edge*>;
    struct Descent {
        Path path;
        double result = 0.0;  // of the rollout or the end, in the view of the player to move there
        bool is_over = false;
        std::uint64_t seed = 0;
    };

    Path descend();
    Edge& select(Node& node) const;
    void judge(std::span<Descent> descents);
    void finish(Descent& descent);
    void ask_value(Edge& leaf, const Path& path);
    void fill(Node& node, const ApvPosition& position);

    ApvSettings settings_;
    ApvParts parts_;
    SplitMix64 random_;
    ApvPosition start_;
    Node root_;
    std::deque<Questions> questions_;
    std::int64_t simulations_ = 0;
};

}  // namespace philidor::search
