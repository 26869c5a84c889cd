// Which move is played in a position, as a sequence of bits: is it this one? Candidates come in the order of what was
// played before in their contexts, so that the first questions usually settle it.
#pragma once

#include "games/chess/board.h"
#include "games/chess/movegen.h"
#include "records/bit_model.h"

namespace philidor::records {

class MoveModel {
  public:
    // The sets of mixing weights that moves use, from 0 on.
    static constexpr unsigned kMixers = 42;

    explicit MoveModel(BitModel& bits) : bits_(bits) {}

    // A move of a game's opening, drawn at random or from a book: nothing is known but how often this one came here.
    chess::Move code_opening(const chess::Board& board, chess::Move move);
    // A move that somebody chose. `last`: the opponent's last move and the own one before it; kNoMove if there is none.
    // Both return kNoMove where there are no legal moves.
    chess::Move code_chosen(const chess::Board& board, chess::Move move, const chess::Move (&last)[2]);

  private:
    static constexpr int kContexts = 6;  // besides those of the rank
    struct Candidate {
        chess::Move move;
        int odds;  // of all contexts together: what the order goes by
        std::uint32_t contexts[kContexts];
    };

    void look_at(const chess::Board& board, const chess::Move (&last)[2]);

    BitModel& bits_;
    Candidate candidates_[chess::kMaxMoves];
    Candidate* ordered_[chess::kMaxMoves];
    int count_ = 0;
};

}  // namespace philidor::records
