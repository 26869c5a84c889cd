// The search's numbers, each with a name and a range, so that they can be tuned by games without a new build.
#pragma once

#include <string_view>

namespace philidor::search {

// name, value, lowest and highest sensible value, meaning. Margins are centipawns, histories are out of 16384.
#define PHILIDOR_SEARCH_PARAMETERS(PARAMETER)                                                                         \
    PARAMETER(aspiration_window, 14, 4, 60, "half the first window around the last score")                            \
    PARAMETER(razoring_base, 150, 50, 500, "razoring: margin below alpha")                                            \
    PARAMETER(razoring_slope, 150, 50, 400, "razoring: further margin by squared depth")                              \
    PARAMETER(reverse_futility_slope, 64, 30, 150, "reverse futility: margin above beta a ply")                       \
    PARAMETER(null_margin, 80, 0, 300, "null move: how far above beta the evaluation must be, at depth 0")            \
    PARAMETER(null_slope, 15, 0, 40, "null move: how much less a ply")                                                \
    PARAMETER(null_reduction, 400, 200, 600, "null move: reduction, in hundredths of a ply")                          \
    PARAMETER(null_depth_share, 25, 10, 45, "null move: further reduction, in hundredths of the depth")               \
    PARAMETER(null_evaluation_step, 180, 80, 400, "null move: a ply less for each such excess over beta")             \
    PARAMETER(probcut_margin, 170, 80, 350, "probcut: how much beta is raised")                                       \
    PARAMETER(late_moves_base, 6, 2, 20, "late move pruning: quiet moves at depth 0, doubled")                        \
    PARAMETER(late_moves_slope, 120, 60, 400, "late move pruning: more by squared depth, in hundredths, doubled")     \
    PARAMETER(history_pruning_slope, 5500, 1500, 8000, "history pruning: how bad the history must be, a ply")         \
    PARAMETER(futility_base, 75, 20, 250, "futility: margin below alpha at depth 0")                                  \
    PARAMETER(futility_slope, 80, 30, 180, "futility: further margin a ply")                                          \
    PARAMETER(quiet_exchange_slope, 30, 8, 60, "exchange pruning: what a quiet move may lose, by squared depth")      \
    PARAMETER(capture_exchange_slope, 90, 30, 200, "exchange pruning: what a capture may lose, a ply")                \
    PARAMETER(reduction_base, 90, 0, 130, "late move reduction: constant, in hundredths of a ply")                    \
    PARAMETER(reduction_divisor, 230, 150, 350, "late move reduction: divides the logarithms' product, hundredths")   \
    PARAMETER(reduction_history, 7000, 3000, 16000, "late move reduction: a ply for each such history")               \
    PARAMETER(deeper_margin, 60, 20, 150, "a reduced move that beats the best by this is searched a ply deeper")      \
    PARAMETER(check_extension_depth, 4, 0, 99, "check extension: the depths up to which checks are extended")         \
    PARAMETER(singular_slope, 100, 60, 400, "singular extension: margin a ply, in hundredths")                        \
    PARAMETER(double_margin, 18, 4, 60, "singular extension: further margin for a second ply")                        \
    PARAMETER(quiescence_futility, 110, 40, 250, "quiescence: what a capture that wins nothing may add")              \
    PARAMETER(bonus_slope, 150, 60, 350, "history bonus of a refutation, a ply")                                      \
    PARAMETER(malus_slope, 180, 60, 350, "history malus of the moves tried before it, a ply")                         \
    PARAMETER(late_moves_history, 65536, -16384, 65536, "late move pruning: only once a history is below this")       \
    PARAMETER(cold_nodes, 1000, 0, 1000000, "late move pruning: nodes of a game that prune only after a bad history") \
    PARAMETER(evasion_pruning, 1, 0, 1, "late move pruning: 1 prunes in check too")                                   \
    PARAMETER(improving_unknown, 0, 0, 1, "what `improving` is where no earlier evaluation is known")                 \
    PARAMETER(table_pv_kept, 0, 0, 1, "1 keeps the table's mark of a principal variation where others store")         \
    PARAMETER(root_repetition, 1, 0, 1, "1 takes a repetition of the root for a draw, 0 the next one")                \
    PARAMETER(cut_reduction, 1, 0, 3, "late move reduction: plies more where a cutoff is expected")                   \
    PARAMETER(capture_reduction, 0, 0, 2, "late move reduction: plies more where the table's move is a capture")      \
    PARAMETER(table_pv_reduction, 1, 0, 3, "late move reduction: plies less on a former principal variation")         \
    PARAMETER(cutoff_reduction, 1, 0, 2, "late move reduction: plies more where the next ply was cut often")          \
    PARAMETER(cutoff_count, 3, 1, 8, "late move reduction: more cutoffs than this are often")                         \
    PARAMETER(capture_reduction_history, 12000, 0, 32000,                                                             \
              "late move reduction: a ply for such a capture history; 0: none")                                       \
    PARAMETER(hindsight, 0, 0, 1, "1 corrects the depth where the last reduction was wrong by the evaluation")        \
    PARAMETER(evaluation_history, 0, 0, 80, "history bonus of a move, for a centipawn of evaluation gained")          \
    PARAMETER(evaluation_history_limit, 1200, 200, 6000, "history bonus by evaluation: at most this")                 \
    PARAMETER(evaluation_history_offset, 0, -50, 150, "history bonus by evaluation: centipawns that a move may lose") \
    PARAMETER(fail_low_bonus, 0, 0, 350, "history bonus of a move that left no good answer, a ply")                   \
    PARAMETER(pawn_history, 0, 0, 384, "weight of the history by pawns, in 128ths")                                   \
    PARAMETER(order_threats, 7000, 0, 16384,                                                                          \
              "quiet order: for leaving an attacked square, twice for a rook, thrice for a queen")                    \
    PARAMETER(order_checks, 10000, 0, 32768, "quiet order: for giving check")                                         \
    PARAMETER(piece_correction, 140, 0, 384, "weight of the evaluation's correction by pieces, in 128ths")            \
    PARAMETER(continuation_correction, 96, 0, 384, "weight of its correction by the last two moves, in 128ths")       \
    PARAMETER(fifty_move_damping, 0, 0, 800, "the evaluation fades to zero after this many half moves; 0: never")     \
    PARAMETER(quiescence_victims, 0, 0, 1, "quiescence: 1 leaves out captures whose victim cannot help")              \
    PARAMETER(quiescence_evasions, 1, 1, 99, "quiescence: moves out of check after which quiet ones are left out")    \
    PARAMETER(quiescence_moves, 99, 1, 99, "quiescence: captures looked at, recaptures aside")                        \
    PARAMETER(capture_futility, 0, 0, 600, "futility of captures: margin below alpha at depth 0; 0: off")             \
    PARAMETER(capture_futility_slope, 200, 50, 400, "futility of captures: further margin a ply")                     \
    PARAMETER(singular_depth, 6, 4, 12, "singular extension: least depth")                                            \
    PARAMETER(probcut_depth, 5, 3, 12, "probcut: least depth")                                                        \
    PARAMETER(reduction_depth, 3, 2, 6, "late move reduction: least depth")                                           \
    PARAMETER(shallower_margin, 8, 0, 40,                                                                             \
              "a reduced move that beats the best by less than this is searched a ply less deep")                     \
    PARAMETER(null_cut, 0, 0, 1, "null move: 1 tries it only where a cutoff is expected")                             \
    PARAMETER(reverse_futility_depth, 8, 4, 14, "reverse futility: greatest depth")                                   \
    PARAMETER(correction_margin, 100, 0, 300,                                                                         \
              "reverse futility: further margin, percent of the evaluation's correction")                             \
    PARAMETER(negative_extension, 2, 1, 4, "singular extension: plies less where others also beat beta")              \
    PARAMETER(internal_pv_reduction, 1, 1, 3, "internal reduction: plies on the principal variation")                 \
    PARAMETER(continuation_sixth, 1, 0, 1, "1 has the history of moves after the sixth last move too")                \
    PARAMETER(early_malus, 100, 0, 300,                                                                               \
              "history malus of the first quiet move that was refuted, percent of the bonus")                         \
    PARAMETER(upcoming_repetition, 1, 0, 1, "1 counts a position that can be repeated at once as a draw at least")

struct Parameters {
#define PHILIDOR_NUMBER(name, value, low, high, meaning) int name = value;
    PHILIDOR_SEARCH_PARAMETERS(PHILIDOR_NUMBER)
#undef PHILIDOR_NUMBER
};

struct ParameterInfo {
    std::string_view name;
    int Parameters::* number;
    int standard, low, high;
    std::string_view meaning;
};

inline constexpr ParameterInfo kParameters[] = {
#define PHILIDOR_INFO(name, value, low, high, meaning) {#name, &Parameters::name, value, low, high, meaning},
    PHILIDOR_SEARCH_PARAMETERS(PHILIDOR_INFO)
#undef PHILIDOR_INFO
};

}  // namespace philidor::search
