// An index of recorded games for Python; streams of batches and trainers read the games through it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "bindings/batch.h"
#include "train/game_index.h"

namespace philidor::bindings {

// An index with the Python objects that own its files' bytes. Streams share it, and free it with the GIL held.
struct HeldIndex {
    HeldIndex(const train::IndexOptions& options, std::unique_ptr<train::GameReplayer> replayer)
        : index(std::make_shared<Files>(options, std::move(replayer))) {}
    struct Files : train::GameIndex {
        using train::GameIndex::GameIndex;
        std::vector<Buffer> buffers;
    };
    std::shared_ptr<Files> index;
};

}  // namespace philidor::bindings
