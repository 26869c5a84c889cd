// Knobs of self-play; src/philidor/selfplay/pool/config.py explains them.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/puct/settings.h"

namespace philidor::selfplay {

struct PoolSettings {
    // Of a full search; a cheap one is without noise and forced playouts.
    search::PuctSettings search{.noise = 0.25, .memory_mb = 64};
    int simulations = 800;
    int cheap_simulations = 0;
    double full_share = 0.25;
    bool prune_targets = true;
    double target_scale = 0;  // of PUCT; 0: visits are learned
    double temperature = 1;
    int temperature_plies = 30;
    int temperature_decay = 0;
    double final_temperature = 0;
    int drawn_plies = 65000;
    int opening_plies = 0;
    int max_plies = 512;  // 0 for no such limit
    int first_pass_ply = 0;
    bool keeps_tree = true;
    double decided_value = 1;
    int decided_plies = 4;
    double decided_share = 0.25;

    search::PuctSettings search_settings(bool is_full, bool is_decided, std::uint64_t seed) const {
        search::PuctSettings settings = search;
        const int full = is_decided ? decided_simulations() : simulations;
        settings.simulations = is_full || cheap_simulations == 0 ? full : std::min(cheap_simulations, full);
        settings.seed = seed;
        if (!is_full) settings.noise = settings.forced_playouts = 0;
        return settings;
    }

    // Whether something else than what the search's own choice is made by is learned.
    bool improves_targets() const { return !search.is_gumbel && target_scale > 0; }

    int decided_simulations() const { return std::max(2, int(std::floor(decided_share * simulations))); }

    double temperature_at(int ply) const {
        if (search.is_gumbel) return 0;
        if (ply < temperature_plies) return temperature;
        const int passed = ply - temperature_plies;
        if (passed >= temperature_decay) return final_temperature;
        return temperature + (final_temperature - temperature) * (double(passed) / double(temperature_decay));
    }
};

}  // namespace philidor::selfplay
