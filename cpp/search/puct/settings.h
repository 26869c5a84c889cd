// Knobs of PUCT; src/philidor/search/puct.py explains them. Names and defaults are those of its configs
// (tests/core/test_native_settings.py), which fill all of this by name.
#pragma once

#include <cmath>
#include <cstdint>

namespace philidor::search {

struct PuctSettings {
    double c_puct = 1.745;
    double c_factor = 3.894;
    double c_base = 38739;
    bool fpu_is_absolute = false;
    double fpu_value = 0.33;
    double noise = 0;
    double noise_alpha = 0.3;
    double forced_playouts = 0;
    bool two_fold = true;
    bool prove = true;
    bool is_fixed_perspective = false;
    std::uint64_t seed = 1;
    // The root of src/philidor/search/gumbel.py instead, and its choice below: `simulations` sets the schedule.
    bool is_gumbel = false;
    int simulations = 800;
    int considered = 16;
    double gumbel_scale = 1;
    double c_visit = 50;
    double c_scale = 0.5;
    // How much a shorter win or a longer loss is worth, as in lc0; see PuctTree::moves_left_utility.
    double moves_left_max_effect = 0.0345;
    double moves_left_slope = 0.0027;
    double moves_left_threshold = 0.8;
    double moves_left_constant = 0;
    double moves_left_linear = 1.6521;
    double moves_left_quadratic = -0.6521;
    // How bad an unfinished visit counts while its leaf is being evaluated, so that the next walk goes elsewhere.
    double virtual_loss = 1;
    std::int64_t memory_mb = 4096;
};

// c(N) * sqrt(N'), where N' are the visits of all moves of a node: what a prior is multiplied with.
inline double exploration_scale(const PuctSettings& settings, std::uint64_t visits) {
    const double c =
        settings.c_puct + settings.c_factor * std::log((double(1 + visits) + settings.c_base) / settings.c_base);
    return c * std::sqrt(double(visits > 1 ? visits : 1));
}

}  // namespace philidor::search
