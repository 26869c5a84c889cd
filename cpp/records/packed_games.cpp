#include "records/packed_games.h"

#include <algorithm>
#include <string>

#include "records/chess_record.h"
#include "records/game_codec.h"
#include "records/move_model.h"
#include "records/score_model.h"

namespace philidor::records {
namespace {

using namespace philidor::chess;

// Distinct from the topics of moves and scores.
enum Topic : std::uint32_t { kFact = 1000, kNumber, kKnownText, kLetter, kLetterAfterOne, kLetterAfterTwo };
// Behind the mixers of moves and scores.
constexpr unsigned kScoreMixers = MoveModel::kMixers;
constexpr unsigned kFactMixer = kScoreMixers + ScoreModel::kMixers, kNumberMixer = kFactMixer + 1,
                   kTextMixer = kFactMixer + 2;
static_assert(kTextMixer < BitModel::kMixers);
constexpr std::size_t kMaxText = 1 << 16;

// The facts of a game, as contexts.
enum Fact : std::uint32_t { kHasStart, kHasSource, kHasScores, kHasFinalScore, kResultHigh, kResultLow };
enum Size : std::uint32_t { kPlies, kTextSize };
enum Text : std::uint32_t { kStart, kSource, kTermination };

RecordError damaged(const char* what) { return RecordError(std::string("the packed games are damaged: ") + what); }

// Both directions in one: where it reads, what the record holds is ignored, and it holds what was read afterwards.
class GamePacker {
  public:
    explicit GamePacker(ArithmeticCoder& coder)
        : coder_(coder), bits_(coder), moves_(bits_), scores_(bits_, kScoreMixers) {}

    // A game has at most `most_plies`.
    void code(Record& record, std::size_t most_plies);

  private:
    bool code_fact(bool value, std::uint32_t fact) { return bits_.code(value, {hash_of(kFact, fact)}, kFactMixer); }
    void code_result(Record& record);
    void code_text(std::string& value, Text which);
    void code_plies(Record& record);
    Move code_move(const Board& board, std::uint16_t& index, bool is_opening, const Move (&last)[2]);

    ArithmeticCoder& coder_;
    BitModel bits_;
    MoveModel moves_;
    ScoreModel scores_;
    std::vector<std::string> known_[3];  // by Text
};

void GamePacker::code(Record& record, std::size_t most_plies) {
    if (code_fact(!record.start.empty(), kHasStart)) code_text(record.start, kStart);
    if (code_fact(!record.source.empty(), kHasSource)) code_text(record.source, kSource);
    const bool has_scores = code_fact(!record.scores.empty(), kHasScores);
    code_result(record);
    code_text(record.termination, kTermination);
    const std::uint32_t plies =
        bits_.code_number(std::uint32_t(record.moves.size()), {hash_of(kNumber, kPlies)}, kNumberMixer);
    if (plies > most_plies) throw damaged("too many moves");
    record.moves.resize(plies);
    if (has_scores) record.scores.resize(plies, kNoScore);
    scores_.begin_game();
    code_plies(record);
    if (code_fact(record.final_score != kNoScore, kHasFinalScore))
        record.final_score = scores_.code(record.final_score, plies, false);
}

void GamePacker::code_result(Record& record) {
    const bool high = code_fact(unsigned(record.result) & 2, kResultHigh);
    const bool low = code_fact(unsigned(record.result) & 1, kResultLow + std::uint32_t(high));
    record.result = Result(unsigned(high) << 1 | unsigned(low));
}

// One that came before by how long ago it first did, or a new one by its letters.
void GamePacker::code_text(std::string& value, Text which) {
    std::vector<std::string>& known = known_[which];
    const auto found = std::find(known.begin(), known.end(), value);
    const std::uint32_t place =
        bits_.code_number(std::uint32_t(known.end() - found), {hash_of(kKnownText, which)}, kNumberMixer);
    if (place > known.size()) throw damaged("an unknown text");
    if (place > 0) {
        value = known[known.size() - place];
        return;
    }
    const std::uint32_t size =
        bits_.code_number(std::uint32_t(value.size()), {hash_of(kNumber, kTextSize)}, kNumberMixer);
    if (size > kMaxText || coder_.is_exhausted()) throw damaged("a text that is too long");
    value.resize(size);
    std::uint32_t before = 0;
    for (char& letter : value) {
        std::uint32_t prefix = 1;
        for (int place_in_byte = 7; place_in_byte >= 0; --place_in_byte)
            prefix =
                prefix << 1 | std::uint32_t(bits_.code(
                                  letter >> place_in_byte & 1,
                                  {hash_of(kLetter, prefix), hash_of(hash_of(kLetterAfterOne, before & 0xFF), prefix),
                                   hash_of(hash_of(kLetterAfterTwo, before & 0xFFFF), prefix)},
                                  kTextMixer));
        letter = char(prefix);
        before = before << 8 | (prefix & 0xFF);
    }
    known.push_back(value);
}

void GamePacker::code_plies(Record& record) {
    Board board;
    State states[2];
    try {
        parse_fen(record.start.empty() ? kStartFen : std::string_view(record.start), board, states[1]);
    } catch (const FenError& error) {
        throw RecordError(std::string("a packed game's start is no position: ") + error.what());
    }
    const bool has_scores = !record.scores.empty();
    Move last[2] = {kNoMove, kNoMove};
    bool is_after_capture = false;
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
        if (has_scores) record.scores[ply] = scores_.code(record.scores[ply], ply, is_after_capture);
        const bool is_opening = has_scores && record.scores[ply] == kNoScore;
        const Move move = code_move(board, record.moves[ply], is_opening, last);
        is_after_capture = board.is_capture(move);
        last[1] = last[0];
        last[0] = move;
        board.make(move, states[ply % 2]);
    }
}

Move GamePacker::code_move(const Board& board, std::uint16_t& index, bool is_opening, const Move (&last)[2]) {
    Move move = coder_.is_reading() ? kNoMove : move_at(board, index);
    if (!coder_.is_reading() && !move)
        throw RecordError("only chess games can be packed: a game has a move that is none");
    move = is_opening ? moves_.code_opening(board, move) : moves_.code_chosen(board, move, last);
    if (!move) throw damaged("a game that goes on behind its end");
    if (coder_.is_exhausted()) throw damaged("it ends too early");
    if (coder_.is_reading()) index = std::uint16_t(canonical_index(legal_moves(board), move));
    return move;
}

// A pack says so at once instead of leaving something behind.
void check_columns(const Record& record) {
    const char* lost = record.ratings[0] || record.ratings[1] ? "ratings"
                       : !record.tags.empty()                 ? "tags"
                       : !record.wdl.empty()                  ? "expected results"
                       : !record.flags.empty()                ? "flags"
                       : !record.visits.empty()               ? "visits"
                       : !record.clocks_ms.empty()            ? "clocks"
                                                              : nullptr;
    if (lost) throw RecordError(std::string("a pack keeps moves, scores and results; a game has ") + lost + " too");
    if (!record.scores.empty() && record.scores.size() != record.moves.size())
        throw RecordError("column scores has " + std::to_string(record.scores.size()) + " entries for " +
                          std::to_string(record.moves.size()) + " moves");
    if (std::max({record.start.size(), record.source.size(), record.termination.size()}) > kMaxText)
        throw RecordError("a text of a game is too long to be packed");
}

}  // namespace

Bytes pack_games(std::span<const Record> games) {
    Bytes out;
    ArithmeticCoder coder(out);
    GamePacker packer(coder);
    for (const Record& game : games) {
        check_columns(game);
        Record copy = game;
        packer.code(copy, copy.moves.size());
    }
    coder.finish();
    return out;
}

std::vector<Record> unpack_games(std::string_view bytes, std::size_t games, std::size_t plies) {
    ArithmeticCoder coder(bytes);
    GamePacker packer(coder);
    std::vector<Record> found;
    for (std::size_t i = 0; i < games; ++i) {
        packer.code(found.emplace_back(), plies);
        plies -= found.back().moves.size();
        if (coder.is_exhausted()) throw damaged("it ends too early");
    }
    if (plies != 0 || !coder.is_at_end()) throw damaged("it does not end with its last game");
    return found;
}

}  // namespace philidor::records
