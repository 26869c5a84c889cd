// PUCT for Python: the tree finds leaves, Python asks a network about them and hands the answers back.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/position.h"
#include "games/chess/line.h"
#include "search/puct/search_of.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using search::kNoNode;
using search::NodeId;
using search::PuctEdge;
using search::PuctNode;
using search::PuctSearchOf;
using search::PuctSettings;
using search::PuctTree;

using Priors = nb::ndarray<const float, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::optional<int> proven_of(const PuctNode& node) {
    return node.proven == PuctNode::kOpen ? std::nullopt : std::optional<int>(node.proven);
}

// (prior, visits, value sum, draw sum, proven, own value, moves left sum) of each of the root's moves, in canonical
// order.
using MoveRow = std::tuple<float, std::uint32_t, double, double, std::optional<int>, float, double>;
std::vector<MoveRow> root_moves(const PuctTree& tree) {
    std::vector<MoveRow> rows;
    const PuctNode& root = tree.root();
    for (int place = 0; place < root.edge_count; ++place) {
        const PuctEdge& edge = tree.edge(root, place);
        if (edge.child == kNoNode) {
            rows.emplace_back(edge.prior, 0, 0.0, 0.0, std::nullopt, 0.0f, 0.0);
            continue;
        }
        const PuctNode& child = tree.node(edge.child);
        const float own_value = child.mover == child.to_move ? child.own_value : -child.own_value;
        rows.emplace_back(edge.prior, child.visits, child.value_sum, child.draw_sum, proven_of(child), own_value,
                          child.moves_left_sum);
    }
    return rows;
}

// The places of the best moves below a node, as long as they were visited.
std::vector<int> best_line(const PuctTree& tree, NodeId id = PuctTree::kRoot) {
    std::vector<int> line;
    while (id != kNoNode && tree.node(id).visits > 0 && tree.node(id).edge_count > 0) {
        const int place = tree.best_place(tree.node(id));
        const NodeId child = tree.edge(tree.node(id), place).child;
        if (child == kNoNode || tree.node(child).visits == 0) break;
        line.push_back(place);
        id = child;
    }
    return line;
}

// What the searches of all games show of their trees.
template <typename Search, typename TreeOf>
void bind_tree_view(nb::class_<Search>& c, TreeOf tree) {
    c.def_prop_ro(
         "visits", [tree](const Search& s) { return tree(s).root().visits; }, "Finished simulations.")
        .def_prop_ro(
            "value_sum", [tree](const Search& s) { return tree(s).root().value_sum; },
            "W of the root, in the view of the player who moved there.")
        .def_prop_ro("draw_sum", [tree](const Search& s) { return tree(s).root().draw_sum; })
        .def_prop_ro(
            "proven", [tree](const Search& s) { return proven_of(tree(s).root()); },
            "The result for the player who moved to the root, once it is known.")
        .def_prop_ro("nodes", [tree](const Search& s) { return tree(s).size(); })
        .def_prop_ro("bytes", [tree](const Search& s) { return tree(s).bytes(); })
        .def_prop_ro("is_full", [tree](const Search& s) { return tree(s).is_full(); })
        .def_prop_ro(
            "best", [tree](const Search& s) { return tree(s).best_place(tree(s).root()); },
            "The place of the move to play.")
        .def_prop_ro(
            "line", [tree](const Search& s) { return best_line(tree(s)); }, "Places of the best moves, one a ply.")
        .def(
            "line_after",
            [tree](const Search& s, int place) {
                const PuctTree& seen = tree(s);
                if (place < 0 || place >= seen.root().edge_count) throw std::invalid_argument("no such move");
                return best_line(seen, seen.edge(seen.root(), place).child);
            },
            "place"_a, "The same after a move of the root.")
        .def_prop_ro(
            "own_value", [tree](const Search& s) { return tree(s).root().own_value; },
            "What the network said of the root, in the view of the player to move.")
        .def(
            "scores",
            [tree](const Search& s) {
                std::vector<std::tuple<double, double, double>> rows;
                for (const search::PuctScore& score : tree(s).scores())
                    rows.emplace_back(score.value, score.bonus, score.moves_left);
                return rows;
            },
            "(Q or what stands for it, U, M) of each root move: the search takes the highest sum.")
        .def_prop_ro("moves_left_sum", [tree](const Search& s) { return tree(s).root().moves_left_sum; })
        .def_prop_ro(
            "knows_moves_left", [tree](const Search& s) { return tree(s).knows_moves_left(); },
            "Whether the network tells how many plies are left.")
        .def_prop_ro(
            "likeliest", [tree](const Search& s) { return tree(s).root().edge_count ? tree(s).likeliest_place() : -1; },
            "The place of the root's move by Gumbel search without its draw.")
        .def(
            "improved_policy",
            [tree](const Search& s, std::optional<double> c_scale) {
                const PuctTree& seen = tree(s);
                const double scale = c_scale.value_or(seen.settings().c_scale);
                return seen.root().edge_count ? seen.improved_policy(seen.root(), scale) : std::vector<double>();
            },
            "c_scale"_a = nb::none(), "Gumbel search's target for the root's priors, by its own c_scale or another.")
        .def(
            "moves", [tree](const Search& s) { return root_moves(tree(s)); },
            "(prior, visits, value sum, draw sum, proven, own value, moves left sum) of each root move, in canonical "
            "order; all in the view of the player to move.");
}

void bind_chess_search(nb::module_& module) {
    using Search = PuctSearchOf<chess::Line>;
    using Leaf = Search::Leaf;
    nb::class_<Leaf>(module, "PuctLeaf", "A position that waits for its evaluation.")
        .def_prop_ro("position", [](const Leaf& leaf) { return PyPosition{leaf.state.position()}; });
    nb::class_<Search> c(module, "ChessPuct", "PUCT over chess.");
    c.def(
         "__init__",
         [](Search* self, const PyPosition& root, const PuctSettings& settings, std::vector<int> root_places) {
             new (self) Search(chess::Line(root.ptr), settings, std::move(root_places));
         },
         "root"_a, "settings"_a, "root_places"_a = std::vector<int>())
        .def("collect", &Search::collect, "count"_a, "simulations"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Leaves that wait for their evaluation, at most `count`, of at most `simulations` more visits.")
        .def(
            "apply",
            [](Search& search, const Leaf& leaf, const Priors& priors, double value, double draw, double moves_left) {
                search.apply(leaf, {priors.data(), priors.size()}, value, draw, moves_left);
            },
            "leaf"_a, "priors"_a, "value"_a, "draw"_a, "moves_left"_a = -1.0,
            "Hands over the evaluation of a leaf, in its mover's view; negative plies left are unknown.")
        .def("cancel", &Search::cancel, "leaf"_a, "Gives a leaf up; its visit never happened.")
        .def("advance", nb::overload_cast<int, const PuctSettings&>(&Search::advance), "place"_a, "settings"_a,
             "Plays a root move and keeps the tree below it; from now on with these settings.");
    bind_tree_view(c, [](const Search& s) -> const PuctTree& { return s.tree(); });
}

// The bare tree, for games whose rules are written in Python.
void bind_tree(nb::module_& module) {
    nb::class_<PuctTree> c(module, "PuctTree", "The tree alone, for a game that Python plays.");
    c.def(nb::init<const PuctSettings&, int>(), "settings"_a, "to_move"_a)
        .def(
            "descend",
            [](PuctTree& tree) {
                const PuctTree::Visit visit = tree.descend();
                return std::tuple(int(visit.arrival), visit.node);
            },
            "(0 new, 1 waiting or 2 settled; the node) at the end of a walk.")
        .def("descend_to", &PuctTree::descend_to, "place"_a, "Begins a visit of a root move that was never tried.")
        .def("untried_if_won_late", &PuctTree::untried_if_won_late,
             "The root's untried moves, if it is won but not by a move that ends the game.")
        .def(
            "path",
            [](const PuctTree& tree, NodeId node) {
                const std::vector<games::MoveCode> moves = tree.moves_to(node);
                return std::tuple(tree.node(node).parent == kNoNode ? std::optional<NodeId>()
                                                                    : std::optional<NodeId>(tree.node(node).parent),
                                  moves.empty() ? 0 : int(moves.back()));
            },
            "node"_a, "(parent, place of the move that leads from there); no parent at the root.")
        .def("settle", &PuctTree::settle, "node"_a, "to_move"_a, "result_for_mover"_a, "is_repetition"_a = false)
        .def(
            "expand",
            [](PuctTree& tree, NodeId node, int to_move, const Priors& priors, double value, double draw,
               double moves_left) {
                if (priors.size() == 0 || priors.size() > 65535)
                    throw std::invalid_argument("a position has 1 to 65535 moves, got " +
                                                std::to_string(priors.size()));
                std::vector<games::MoveCode> places(priors.size());
                for (std::size_t i = 0; i < places.size(); ++i) places[i] = games::MoveCode(i);
                tree.expand(node, to_move, places, {priors.data(), priors.size()});
                if (moves_left >= 0) tree.know_moves_left();
                tree.back_up(node, value, draw, std::max(moves_left, 0.0));
            },
            "node"_a, "to_move"_a, "priors"_a, "value"_a, "draw"_a, "moves_left"_a = -1.0)
        .def("cancel", &PuctTree::cancel, "node"_a)
        .def(
            "subtree",
            [](const PuctTree& tree, int place, const PuctSettings& settings) {
                std::vector<NodeId> origins;
                PuctTree below = tree.subtree(place, settings, &origins);
                return std::tuple(std::move(below), std::move(origins));
            },
            "place"_a, "settings"_a,
            "The tree below a root move as a tree of its own, and which node each of its nodes was.");
    bind_tree_view(c, [](const PuctTree& tree) -> const PuctTree& { return tree; });
}

}  // namespace

void bind_puct(nb::module_& module) {
    nb::class_<PuctSettings>(module, "PuctSettings", "Knobs of PUCT; philidor.search.puct explains them.")
        .def(nb::init<>())
        .def_rw("c_puct", &PuctSettings::c_puct)
        .def_rw("c_factor", &PuctSettings::c_factor)
        .def_rw("c_base", &PuctSettings::c_base)
        .def_rw("fpu_is_absolute", &PuctSettings::fpu_is_absolute)
        .def_rw("fpu_value", &PuctSettings::fpu_value)
        .def_rw("noise", &PuctSettings::noise)
        .def_rw("noise_alpha", &PuctSettings::noise_alpha)
        .def_rw("forced_playouts", &PuctSettings::forced_playouts)
        .def_rw("two_fold", &PuctSettings::two_fold)
        .def_rw("prove", &PuctSettings::prove)
        .def_rw("is_fixed_perspective", &PuctSettings::is_fixed_perspective)
        .def_rw("seed", &PuctSettings::seed)
        .def_rw("is_gumbel", &PuctSettings::is_gumbel)
        .def_rw("simulations", &PuctSettings::simulations)
        .def_rw("considered", &PuctSettings::considered)
        .def_rw("gumbel_scale", &PuctSettings::gumbel_scale)
        .def_rw("c_visit", &PuctSettings::c_visit)
        .def_rw("c_scale", &PuctSettings::c_scale)
        .def_rw("moves_left_max_effect", &PuctSettings::moves_left_max_effect)
        .def_rw("moves_left_slope", &PuctSettings::moves_left_slope)
        .def_rw("moves_left_threshold", &PuctSettings::moves_left_threshold)
        .def_rw("moves_left_constant", &PuctSettings::moves_left_constant)
        .def_rw("moves_left_linear", &PuctSettings::moves_left_linear)
        .def_rw("moves_left_quadratic", &PuctSettings::moves_left_quadratic)
        .def_rw("virtual_loss", &PuctSettings::virtual_loss)
        .def_rw("memory_mb", &PuctSettings::memory_mb);
    bind_tree(module);
    bind_chess_search(module);
}

}  // namespace philidor::bindings
