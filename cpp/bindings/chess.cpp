// Chess rules for Python: Move and Position.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/position.h"
#include "bindings/signals.h"
#include "games/chess/fen.h"
#include "games/chess/movegen.h"
#include "games/chess/notation.h"
#include "games/chess/outcome.h"
#include "games/chess/position.h"
#include "games/chess/see.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using namespace philidor::chess;

namespace {

Square checked_square(int square) {
    if (square < 0 || square > 63) throw std::invalid_argument("square must be 0 to 63, got " + std::to_string(square));
    return Square(square);
}

void check_legal(const PyPosition& position, Move move) {
    if (!position.board().is_legal(move))
        throw std::invalid_argument("no legal move '" + to_uci(position.board(), move) + "' in '" +
                                    to_fen(position.board()) + "'");
}

// No perft ends at a depth of three digits, and the recursion must not exhaust the stack.
void check_depth(int depth, int least) {
    if (depth < least || depth > 99)
        throw std::invalid_argument("depth must be " + std::to_string(least) + " to 99, got " + std::to_string(depth));
}

// UCI text without a board: castling is told by the move's kind.
std::string move_text(Move move, bool chess960) {
    Board board;
    board.set_chess960(chess960);
    return to_uci(board, move);
}

std::optional<int> promotion_of(Move move) {
    return move.is_promotion() ? std::optional<int>(move.promotion()) : std::nullopt;
}

std::vector<Move> sorted_moves(const PyPosition& position) {
    MoveList list = legal_moves(position.board());
    sort_canonical(list);
    return {list.begin(), list.end()};
}

std::vector<std::pair<Move, std::uint64_t>> divide(const PyPosition& position, int depth) {
    State state, next;
    Board board = position.ptr->copy_board(state);
    std::vector<std::pair<Move, std::uint64_t>> counts;
    SignalWatch watch;
    for (Move move : sorted_moves(position)) {
        board.make(move, next);
        counts.emplace_back(move, perft(board, depth - 1, true, std::ref(watch)));
        board.unmake(move);
    }
    return counts;
}

// (reason, winner): winner is 0, 1 or -1 for a draw.
std::optional<std::pair<std::string, int>> ending(const PyPosition& position) {
    const Board& board = position.board();
    const Termination reason = termination(board);
    if (reason == Termination::kNone) return std::nullopt;
    return std::pair<std::string, int>(termination_text(reason),
                                       reason == Termination::kCheckmate ? int(~board.to_move()) : -1);
}

std::vector<std::tuple<int, int, int>> dirty_pieces(const PyPosition& position, Move move) {
    check_legal(position, move);
    State state, next;
    Board board = position.ptr->copy_board(state);
    const DirtyPieces dirty = board.make(move, next);
    std::vector<std::tuple<int, int, int>> changes;
    for (int i = 0; i < dirty.count; ++i)
        changes.emplace_back(dirty.changes[i].piece, dirty.changes[i].from, dirty.changes[i].to);
    return changes;
}

// Raises one of the errors that Python's users know; other functions have wrappers in Python that do, classes have not.
template <typename... Arguments>
[[noreturn]] void raise_error(const char* name, const Arguments&... arguments) {
    const nb::object error = nb::module_::import_("philidor.core.errors").attr(name)(arguments...);
    PyErr_SetObject(error.type().ptr(), error.ptr());
    nb::raise_python_error();
}

void bind_move(nb::module_& module) {
    nb::class_<Move>(module, "Move", "A chess move in 16 bits: from, to, kind. Castling is king takes own rook.")
        .def(
            "__init__",
            // Any object, as what nanobind says of a wrong one takes several lines.
            [](Move* self, const nb::object& raw) {
                int bits = -1;
                if (!nb::try_cast<int>(raw, bits))
                    raise_error("ArgumentError", "the 16 bits of a move (`Position.parse_move` reads text)", raw);
                if (bits < 0 || bits > 0xFFFF || Move(std::uint16_t(bits)).kind() > kPromoteQueen)
                    raise_error("IllegalMoveError", "no move has the bits " + std::to_string(bits));
                new (self) Move(std::uint16_t(bits));
            },
            nb::sig("def __init__(self, raw: int) -> None"), "raw"_a.none(),
            "From its 16 bits; it need not be legal anywhere.")
        .def_prop_ro(
            "from_square", [](Move m) { return int(m.from()); }, "0 (a1) to 63 (h8).")
        .def_prop_ro(
            "to_square", [](Move m) { return int(m.to()); }, "0 (a1) to 63 (h8); the rook's square when castling.")
        .def_prop_ro("promotion", &promotion_of, "The new piece (2 knight ... 5 queen), or None.")
        .def_prop_ro("is_castling", [](Move m) { return m.kind() == kCastling; })
        .def_prop_ro("is_en_passant", [](Move m) { return m.kind() == kEnPassant; })
        .def_prop_ro(
            "raw", [](Move m) { return int(m.raw()); }, "The 16 bits; their order is the canonical order of moves.")
        .def("uci", &move_text, "chess960"_a = false, "UCI text, such as e2e4, e7e8q or e1g1 (e1h1 in Chess960).")
        .def("__hash__", [](Move m) { return int(m.raw()); })
        .def(
            "__eq__",
            [](Move m, nb::object other) { return nb::isinstance<Move>(other) && nb::cast<Move>(other) == m; },
            "other"_a.none())
        .def("__lt__", [](Move a, Move b) { return a < b; })
        .def("__le__", [](Move a, Move b) { return a <= b; })
        .def("__gt__", [](Move a, Move b) { return a > b; })
        .def("__ge__", [](Move a, Move b) { return a >= b; })
        .def("__str__", [](Move m) { return move_text(m, false); })
        .def("__repr__", [](Move m) { return "<Move " + move_text(m, false) + ">"; })
        .def(
            "__reduce__", [](Move m) { return nb::make_tuple(nb::type<Move>(), nb::make_tuple(int(m.raw()))); },
            nb::sig("def __reduce__(self) -> tuple[type[Move], tuple[int]]"));
}

void bind_position_moves(nb::class_<PyPosition>& c) {
    c.def("legal_moves", &sorted_moves, "All legal moves in canonical order.")
        .def("count_legal_moves", [](const PyPosition& p) { return legal_moves(p.board()).size(); })
        .def(
            "is_legal", [](const PyPosition& p, Move m) { return p.board().is_legal(m); }, "move"_a)
        .def(
            "play",
            [](const PyPosition& p, Move m) {
                check_legal(p, m);
                return PyPosition{Position::play(p.ptr, m)};
            },
            "move"_a, "The position after a legal move.")
        .def(
            "parse_uci",
            [](const PyPosition& p, std::string_view text) -> std::optional<Move> {
                const Move move = parse_uci(p.board(), text);
                return move ? std::optional<Move>(move) : std::nullopt;
            },
            "text"_a, "The legal move that the text names, or None.")
        .def(
            "parse_san",
            [](const PyPosition& p, std::string_view text) -> std::pair<std::optional<Move>, std::string> {
                static constexpr const char* kNames[] = {"", "syntax", "illegal", "ambiguous"};
                const SanResult result = parse_san(p.board(), text);
                return {result.move ? std::optional<Move>(result.move) : std::nullopt, kNames[int(result.error)]};
            },
            "text"_a, "The move, and '' or what was wrong: 'syntax', 'illegal', 'ambiguous'.")
        .def(
            "uci", [](const PyPosition& p, Move m) { return to_uci(p.board(), m); }, "move"_a)
        .def(
            "san",
            [](const PyPosition& p, Move m) {
                check_legal(p, m);
                return to_san(p.board(), m);
            },
            "move"_a)
        .def(
            "gives_check",
            [](const PyPosition& p, Move m) {
                check_legal(p, m);
                return p.board().gives_check(m);
            },
            "move"_a)
        .def(
            "is_capture", [](const PyPosition& p, Move m) { return p.board().is_capture(m); }, "move"_a)
        .def(
            "see",
            [](const PyPosition& p, Move m) {
                check_legal(p, m);
                return see(p.board(), m);
            },
            "move"_a, "Static exchange evaluation in centipawns.")
        .def(
            "see_at_least",
            [](const PyPosition& p, Move m, int threshold) {
                check_legal(p, m);
                return see_at_least(p.board(), m, threshold);
            },
            "move"_a, "threshold"_a)
        .def("dirty_pieces", &dirty_pieces, "move"_a,
             "(piece code, from, to) of each piece the move changes; 64 is off the board.")
        .def(
            "perft",
            [](const PyPosition& p, int depth, bool bulk) {
                check_depth(depth, 0);
                State state;
                Board board = p.ptr->copy_board(state);
                nb::gil_scoped_release release;
                return perft(board, depth, bulk, SignalWatch());
            },
            "depth"_a, "bulk"_a = true, "Leaves of the tree of legal moves.")
        .def(
            "divide",
            [](const PyPosition& p, int depth) {
                check_depth(depth, 1);
                nb::gil_scoped_release release;
                return divide(p, depth);
            },
            "depth"_a, "Perft of each legal move.");
}

void bind_position_state(nb::class_<PyPosition>& c) {
    c.def_prop_ro(
         "to_move", [](const PyPosition& p) { return int(p.board().to_move()); }, "0 for White, 1 for Black.")
        .def_prop_ro("key", [](const PyPosition& p) { return p.board().key(); })
        .def_prop_ro("pawn_key", [](const PyPosition& p) { return p.board().pawn_key(); })
        .def("polyglot_key", [](const PyPosition& p) { return p.board().polyglot_key(); })
        .def_prop_ro("ply", [](const PyPosition& p) { return p.board().ply(); })
        .def_prop_ro("halfmove_clock", [](const PyPosition& p) { return p.board().halfmove_clock(); })
        .def_prop_ro("is_chess960", [](const PyPosition& p) { return p.board().is_chess960(); })
        .def_prop_ro(
            "castling_rights", [](const PyPosition& p) { return int(p.board().castling()); },
            "Bits: 1 White short, 2 White long, 4 Black short, 8 Black long.")
        .def_prop_ro(
            "en_passant",
            [](const PyPosition& p) -> std::optional<int> {
                const Square square = p.board().en_passant();
                return square == kNoSquare ? std::nullopt : std::optional<int>(square);
            },
            "The target square where a capture en passant is legal.")
        .def_prop_ro(
            "en_passant_raw",
            [](const PyPosition& p) -> std::optional<int> {
                const Square square = p.board().en_passant_raw();
                return square == kNoSquare ? std::nullopt : std::optional<int>(square);
            },
            "The square behind a pawn that has just made a double step.")
        .def_prop_ro("parent",
                     [](const PyPosition& p) -> std::optional<PyPosition> {
                         return p.ptr->parent() ? std::optional<PyPosition>(PyPosition{p.ptr->parent()}) : std::nullopt;
                     })
        .def_prop_ro("last_move",
                     [](const PyPosition& p) -> std::optional<Move> {
                         return p.ptr->last_move() ? std::optional<Move>(p.ptr->last_move()) : std::nullopt;
                     })
        .def(
            "piece_at", [](const PyPosition& p, int square) { return int(p.board().piece_on(checked_square(square))); },
            "square"_a, "8 * color + type (1 pawn ... 6 king), 0 for an empty square.")
        .def(
            "pieces",
            [](const PyPosition& p, int color, int type) {
                if (color < 0 || color > 1 || type < 1 || type > 6)
                    throw std::invalid_argument("color is 0 or 1, type 1 to 6");
                return p.board().pieces(Color(color), PieceType(type));
            },
            "color"_a, "type"_a, "A bitboard; bit 0 is a1.")
        .def(
            "attackers_to",
            [](const PyPosition& p, int square) {
                return p.board().attackers_to(checked_square(square), p.board().occupied());
            },
            "square"_a, "A bitboard of the pieces of both colors that attack the square.")
        .def("is_check", [](const PyPosition& p) { return p.board().in_check(); })
        .def(
            "count_repetitions", [](const PyPosition& p, int limit) { return p.board().count_repetitions(limit); },
            "limit"_a, "How often this position occurred before in its history, at most `limit`.")
        .def("is_insufficient_material", [](const PyPosition& p) { return p.board().is_insufficient_material(); })
        .def(
            "has_insufficient_material",
            [](const PyPosition& p, int color) {
                if (color < 0 || color > 1) throw std::invalid_argument("color is 0 or 1");
                return p.board().has_insufficient_material(Color(color));
            },
            "color"_a)
        .def("ending", &ending, "(reason, winner) if the game is over; winner is 0, 1, or -1 for a draw.")
        .def(
            "is_consistent", [](const PyPosition& p) { return p.board().is_consistent(); },
            "Whether all that is kept incrementally equals what a fresh board computes (for tests).")
        .def(
            "fen",
            [](const PyPosition& p, bool shredder, bool raw_en_passant) {
                return to_fen(p.board(), shredder ? FenCastling::kShredder : FenCastling::kXFen,
                              raw_en_passant ? FenEnPassant::kRaw : FenEnPassant::kLegal);
            },
            "shredder"_a = false, "raw_en_passant"_a = false);
}

}  // namespace

void bind_chess(nb::module_& module) {
    bind_move(module);
    nb::class_<PyPosition> position(module, "Position", "An immutable chess position that shares its history.");
    position.def(
        "__init__",
        [](PyPosition* self, std::string_view fen, std::optional<bool> chess960) {
            const Chess960 variant = !chess960 ? Chess960::kAuto : *chess960 ? Chess960::kYes : Chess960::kNo;
            new (self) PyPosition{Position::from_fen(fen, variant)};
        },
        "fen"_a, "chess960"_a = nb::none());
    bind_position_moves(position);
    bind_position_state(position);
}

}  // namespace philidor::bindings
