// The search's parts, each with a name and a switch, so that its worth can be measured by leaving it out.
#pragma once

#include <string_view>

namespace philidor::search {

// name, whether leaving it out changes only speed and never the value of a fixed-depth search, meaning.
#define PHILIDOR_SEARCH_FEATURES(FEATURE)                                                                    \
    FEATURE(quiescence, false, "at depth 0 resolve captures before evaluating (book, 3.3)")                  \
    FEATURE(transposition_table, false, "remember positions: cutoffs and the first move to try (book, 3.3)") \
    FEATURE(move_ordering, true, "captures by value and exchange, killers, histories (book, 3.3)")           \
    FEATURE(killer_moves, true, "quiet moves that refuted a sister position (book, 3.3)")                    \
    FEATURE(counter_moves, true, "the quiet move that last refuted this opponent's move")                    \
    FEATURE(continuation_history, true, "how quiet moves did after the last moves")                          \
    FEATURE(capture_history, true, "how captures did before")                                                \
    FEATURE(principal_variation, true, "null windows for all but the first move")                            \
    FEATURE(aspiration, true, "a narrow window around the last iteration's score")                           \
    FEATURE(mate_distance, true, "stop where even a mate would come too late")                               \
    FEATURE(null_move, false, "let the opponent move twice; if that is not enough, prune (book, 3.3)")       \
    FEATURE(reverse_futility, false, "prune when far above beta")                                            \
    FEATURE(razoring, false, "drop into quiescence when hopelessly below alpha")                             \
    FEATURE(probcut, false, "prune when a shallow search of good captures exceeds beta by far")              \
    FEATURE(internal_reduction, false, "search less deep where no best move is known")                       \
    FEATURE(late_move_reduction, false, "search late moves less deep, again if they surprise")               \
    FEATURE(late_move_pruning, false, "skip late quiet moves near the leaves")                               \
    FEATURE(futility, false, "skip quiet moves that cannot raise the evaluation to alpha")                   \
    FEATURE(history_pruning, false, "skip quiet moves that always failed")                                   \
    FEATURE(exchange_pruning, false, "skip moves that lose material by exchange")                            \
    FEATURE(singular_extension, false, "one ply more for the only good move; less for its rivals; multicut") \
    FEATURE(check_extension, false, "one ply more for safe checks near the leaves")                          \
    FEATURE(correction_history, false, "correct the evaluation by how wrong it was with such pawns")         \
    FEATURE(table_evaluation, false, "trust a table score over the static evaluation")

struct Features {
#define PHILIDOR_SWITCH(name, is_sound, meaning) bool name = true;
    PHILIDOR_SEARCH_FEATURES(PHILIDOR_SWITCH)
#undef PHILIDOR_SWITCH

    // Plain alpha-beta at a fixed depth, as the reference does it.
    static Features none() {
        Features features;
#define PHILIDOR_OFF(name, is_sound, meaning) features.name = false;
        PHILIDOR_SEARCH_FEATURES(PHILIDOR_OFF)
#undef PHILIDOR_OFF
        return features;
    }
};

struct FeatureInfo {
    std::string_view name;
    bool Features::* flag;
    bool is_sound;
    std::string_view meaning;
};

inline constexpr FeatureInfo kFeatures[] = {
#define PHILIDOR_INFO(name, is_sound, meaning) {#name, &Features::name, is_sound, meaning},
    PHILIDOR_SEARCH_FEATURES(PHILIDOR_INFO)
#undef PHILIDOR_INFO
};

}  // namespace philidor::search
