// NNUE networks for Python: made of the arrays that the file reader hands down.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "bindings/position.h"
#include "evaluators/nnue/choice.h"
#include "evaluators/nnue/evaluator.h"
#include "games/chess/movegen.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using evaluators::NnueEvaluator;
using namespace evaluators::nnue;

namespace {

template <class T, int Dimensions>
using Array = nb::ndarray<const T, nb::ro, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
using LayerArrays = std::pair<Array<std::int32_t, 1>, Array<std::int8_t, 2>>;

Activation activation_of(const std::string& name) {
    if (name == "clipped") return Activation::kClipped;
    if (name == "squared") return Activation::kSquared;
    if (name == "pairwise") return Activation::kPairwise;
    throw std::invalid_argument("no activation '" + name + "'");
}

void demand(bool is_fine, const char* words) {
    if (!is_fine) throw std::invalid_argument(words);
}

Weights weights_of(const Architecture& architecture, const Array<std::int16_t, 1>& biases,
                   const Array<std::int16_t, 2>& columns, const std::vector<std::vector<LayerArrays>>& stacks) {
    const std::size_t width = std::size_t(architecture.width);
    demand(biases.shape(0) == width, "feature biases of the wrong size");
    demand(columns.shape(0) == std::size_t(architecture.features.count()) && columns.shape(1) == width,
           "feature weights of the wrong size");
    demand(stacks.size() == std::size_t(architecture.output_buckets), "layers for another number of output buckets");
    std::vector<int> sizes = architecture.hidden;
    sizes.push_back(1);
    Weights weights{biases.data(), columns.data(), {}};
    for (const std::vector<LayerArrays>& stack : stacks) {
        demand(stack.size() == sizes.size(), "the wrong number of layers");
        weights.stacks.emplace_back();
        std::size_t inputs = std::size_t(architecture.first_inputs());
        for (std::size_t i = 0; i < stack.size(); ++i) {
            const auto& [layer_biases, rows] = stack[i];
            const std::size_t outputs = std::size_t(sizes[i]);
            demand(layer_biases.shape(0) == outputs && rows.shape(0) == outputs && rows.shape(1) == inputs,
                   "a layer of the wrong size");
            weights.stacks.back().push_back({layer_biases.data(), rows.data()});
            inputs = outputs;
        }
    }
    return weights;
}

std::shared_ptr<Network> make_network(const std::array<int, 64>& buckets, int black_mask, bool is_mirrored,
                                      bool has_kings, int spare, int width, const std::string& activation,
                                      const std::vector<int>& hidden, int output_buckets, std::pair<int, int> scale,
                                      const Array<std::int16_t, 1>& feature_biases,
                                      const Array<std::int16_t, 2>& feature_weights,
                                      const std::vector<std::vector<LayerArrays>>& stacks, const std::string& kernels) {
    const Architecture architecture{{buckets, black_mask, is_mirrored, has_kings, spare},
                                    width,
                                    activation_of(activation),
                                    hidden,
                                    output_buckets,
                                    scale.first,
                                    scale.second};
    architecture.check();
    const Weights weights = weights_of(architecture, feature_biases, feature_weights, stacks);
    return std::make_shared<Network>(architecture, weights, choose_kernels(kernels));
}

std::int32_t fresh_raw(const std::shared_ptr<const Network>& network, const chess::Board& board) {
    NnueEvaluator evaluator;
    evaluator.set_network(network);
    evaluator.reset(board);
    return evaluator.raw(board);
}

std::vector<std::int32_t> raw_of_all(const std::shared_ptr<Network>& network,
                                     const std::vector<PyPosition>& positions) {
    nb::gil_scoped_release release;
    NnueEvaluator evaluator;
    evaluator.set_network(network);
    std::vector<std::int32_t> found;
    for (const PyPosition& position : positions) {
        evaluator.reset(position.board());
        found.push_back(evaluator.raw(position.board()));
    }
    return found;
}

// What the network says with a piece taken off, legal or not; a king has to stay.
std::int32_t raw_without(const std::shared_ptr<Network>& network, const PyPosition& position, int square) {
    demand(square >= 0 && square < 64, "a square must be 0 to 63");
    const chess::Square where = chess::Square(square);
    const chess::Piece piece = position.board().piece_on(where);
    demand(piece != chess::kNoPiece && chess::type_of(piece) != chess::kKing, "no piece there that could leave");
    chess::Board board = position.board();
    board.remove(where);
    return fresh_raw(network, board);
}

// A board that can be walked on, with sums kept from move to move.
class NnueBoard {
  public:
    NnueBoard(const std::shared_ptr<Network>& network, const PyPosition& position)
        : network_(network), position_(position) {
        states_.push_back(std::make_unique<chess::State>());
        board_ = position.ptr->copy_board(*states_[0]);
        evaluator_.set_network(network);
        evaluator_.reset(board_);
    }
    void push(chess::Move move) {
        demand(board_.is_legal(move), "the move is not legal");
        enter(move);
        evaluator_.push(board_, board_.make(move, *states_.back()));
    }
    void push_null() {
        demand(!board_.in_check(), "no null move in check");
        enter(chess::kNoMove);
        board_.make_null(*states_.back());
        evaluator_.push(board_, {});
    }
    void pop() {
        demand(!moves_.empty(), "there is no move to take back");
        evaluator_.pop();
        moves_.back() ? board_.unmake(moves_.back()) : board_.unmake_null();
        moves_.pop_back(), states_.pop_back();
    }
    std::vector<chess::Move> legal_moves() const {
        const chess::MoveList moves = chess::legal_moves(board_);
        return {moves.begin(), moves.end()};
    }
    std::int32_t raw() { return evaluator_.raw(board_); }
    std::int32_t fresh() const { return fresh_raw(network_, board_); }

  private:
    void enter(chess::Move move) {
        moves_.push_back(move);
        states_.push_back(std::make_unique<chess::State>());
    }
    std::shared_ptr<const Network> network_;
    PyPosition position_;  // keeps alive what the board's first state points at
    std::vector<std::unique_ptr<chess::State>> states_;
    std::vector<chess::Move> moves_;
    chess::Board board_;
    NnueEvaluator evaluator_;
};

// Nanoseconds of: making and taking back a move; the same with an evaluation between, sums kept; an evaluation from
// refreshed sums. Every legal move of every position, `rounds` times; a position's quickest round counts, as another
// program may have had the CPU during the others.
std::array<double, 3> time_evaluations(const std::shared_ptr<Network>& network,
                                       const std::vector<PyPosition>& positions, int rounds) {
    using Clock = std::chrono::steady_clock;
    nb::gil_scoped_release release;
    NnueEvaluator evaluator;
    evaluator.set_network(network);
    std::vector<std::array<double, 3>> best(positions.size(), {1e12, 1e12, 1e12});
    volatile std::int32_t sink = 0;
    std::size_t count = 0;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < positions.size(); ++i) {
            chess::State states[2];
            chess::Board board = positions[i].ptr->copy_board(states[0]);
            const chess::MoveList moves = chess::legal_moves(board);
            count += round == 0 ? std::size_t(moves.size()) : 0;
            for (std::size_t kind = 0; kind < 3; ++kind) {
                evaluator.reset(board);
                sink = sink + evaluator.raw(board);
                const Clock::time_point start = Clock::now();
                for (chess::Move move : moves) {
                    const chess::DirtyPieces dirty = board.make(move, states[1]);
                    if (kind == 1) evaluator.push(board, dirty);
                    if (kind == 2) evaluator.reset(board);
                    if (kind > 0) sink = sink + evaluator.raw(board);
                    if (kind == 1) evaluator.pop();
                    board.unmake(move);
                }
                const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
                best[i][kind] = std::min(best[i][kind], elapsed.count());
            }
        }
    std::array<double, 3> means{};
    for (const std::array<double, 3>& times : best)
        for (std::size_t kind = 0; kind < 3; ++kind)
            means[kind] += times[kind] / double(std::max<std::size_t>(count, 1));
    return means;
}

}  // namespace

void bind_nnue(nb::module_& module) {
    nb::class_<Network>(module, "NnueNetwork", "An NNUE network ready to evaluate; see philidor.nets.nnue.")
        .def(nb::new_(&make_network), nb::kw_only(), "buckets"_a, "black_mask"_a, "is_mirrored"_a, "has_kings"_a,
             "spare"_a, "width"_a, "activation"_a, "hidden"_a, "output_buckets"_a, "scale"_a, "feature_biases"_a,
             "feature_weights"_a, "stacks"_a, "kernels"_a = "", "Copies the arrays. An empty `kernels` is the best.")
        .def_prop_ro("kernels", [](const Network& network) { return std::string(network.kernels().name); })
        .def("raw", &raw_of_all, "positions"_a, "The network's integers, in each side to move's view.")
        .def("raw_without", &raw_without, "position"_a, "square"_a, "The same with the piece on a square taken off.")
        .def("time", &time_evaluations, "positions"_a, "rounds"_a,
             "Nanoseconds per move: made and taken back; with an evaluation too; with one from refreshed sums.");
    nb::class_<NnueBoard>(module, "NnueBoard", "A board to walk on, with a network's sums kept from move to move.")
        .def(nb::init<const std::shared_ptr<Network>&, const PyPosition&>(), "network"_a, "position"_a)
        .def("push", &NnueBoard::push, "move"_a)
        .def("push_null", &NnueBoard::push_null)
        .def("pop", &NnueBoard::pop)
        .def("legal_moves", &NnueBoard::legal_moves)
        .def("raw", &NnueBoard::raw, "The network's integer.")
        .def("fresh", &NnueBoard::fresh, "The same, computed from nothing.");
    module.def(
        "nnue_kernels",
        [] {
            std::vector<std::string> names;
            for (const Kernels* kernels : runnable_kernels()) names.emplace_back(kernels->name);
            return names;
        },
        "The instruction sets that this CPU can evaluate networks with, the fastest first.");
}

}  // namespace philidor::bindings
