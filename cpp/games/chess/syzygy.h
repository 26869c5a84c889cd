// Syzygy endgame tables (Ronald de Man): who wins when nobody errs, for positions with few men. Only the tables of
// results (.rtbw) are read; the distances to the next capture are a matter of the root, where Python asks for them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "games/chess/board.h"

namespace philidor::chess {

// The side to move's view; the blessed and the cursed are drawn by the fifty-move rule alone.
enum class TableResult : int { kLoss = -2, kBlessedLoss = -1, kDraw = 0, kCursedWin = 1, kWin = 2 };

class SyzygyTable;

// The tables of some folders. A table is opened when it is first asked; all methods may be called from any thread.
class SyzygyTables {
  public:
    // Throws std::runtime_error if a folder cannot be read, or if there is no table at all.
    explicit SyzygyTables(const std::vector<std::string>& folders);
    ~SyzygyTables();
    SyzygyTables(const SyzygyTables&) = delete;
    SyzygyTables& operator=(const SyzygyTables&) = delete;

    // Positions with more men, kings included, are in no table.
    int men() const { return men_; }
    std::size_t count() const { return tables_.size(); }

    // With the fifty-move clock at zero; none if castling is still possible, or if a table that is needed is missing or
    // damaged. The board is the same afterwards.
    std::optional<TableResult> probe(Board& board) const;

  private:
    std::optional<int> search(Board& board) const;
    std::optional<int> look_up(const Board& board) const;

    std::vector<std::unique_ptr<SyzygyTable>> tables_;
    std::unordered_map<std::uint64_t, SyzygyTable*> by_material_;  // of both colorings
    int men_ = 0;
};

}  // namespace philidor::chess
