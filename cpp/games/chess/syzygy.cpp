#include "games/chess/syzygy.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "games/chess/movegen.h"
#include "games/chess/syzygy_table.h"

namespace philidor::chess {

SyzygyTables::SyzygyTables(const std::vector<std::string>& folders) {
    namespace fs = std::filesystem;
    for (const std::string& folder : folders) {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
            if (entry.path().extension() != ".rtbw") continue;
            try {
                auto table = std::make_unique<SyzygyTable>(entry.path().string(), entry.path().stem().string());
                if (!by_material_.emplace(table->key(), table.get()).second) continue;
                by_material_.emplace(table->turned_key(), table.get());
                men_ = std::max(men_, table->men());
                tables_.push_back(std::move(table));
            } catch (const std::invalid_argument&) {
                continue;  // some other file
            }
        }
        if (error) throw std::runtime_error("cannot read the folder '" + folder + "': " + error.message());
    }
    if (tables_.empty()) throw std::runtime_error("no Syzygy tables (.rtbw)");
}

SyzygyTables::~SyzygyTables() = default;

std::optional<int> SyzygyTables::look_up(const Board& board) const {
    if (popcount(board.occupied()) == 2) return 0;
    const auto found = by_material_.find(material_of(board));
    return found == by_material_.end() ? std::nullopt : found->second->look_up(board);
}

// A table may hold anything where a capture is as good as it gets, and knows nothing of en passant: captures come
// first.
std::optional<int> SyzygyTables::search(Board& board) const {
    int best = -2, captures = 0;
    const MoveList moves = legal_moves(board);
    for (const Move move : moves) {
        if (!board.is_capture(move)) continue;
        ++captures;
        State next;
        board.make(move, next);
        const std::optional<int> reply = search(board);
        board.unmake(move);
        if (!reply) return std::nullopt;
        best = std::max(best, -*reply);
        if (best == 2) return best;
    }
    if (captures && captures == int(moves.size())) return best;
    const std::optional<int> own = look_up(board);
    if (!own) return std::nullopt;
    return std::max(best, *own);
}

std::optional<TableResult> SyzygyTables::probe(Board& board) const {
    if (board.castling() || popcount(board.occupied()) > men_) return std::nullopt;
    const std::optional<int> value = search(board);
    return value ? std::optional<TableResult>(TableResult(*value)) : std::nullopt;
}

}  // namespace philidor::chess
