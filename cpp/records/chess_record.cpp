#include "records/chess_record.h"

#include <cstdio>
#include <cstdlib>

#include "games/chess/notation.h"
#include "records/game_codec.h"

namespace philidor::records {

using namespace philidor::chess;

namespace {

std::string_view result_text(Result result) {
    constexpr std::string_view kTexts[] = {"*", "1-0", "1/2-1/2", "0-1"};
    return kTexts[std::size_t(result)];
}

// The value of a kept tag, or the placeholder PGN wants for an unknown one.
std::string tag_value(const Record& record, std::string_view name, std::string_view placeholder) {
    const std::string lines = "\n" + record.tags;
    const std::string wanted = "\n" + std::string(name) + " ";
    const std::size_t at = lines.find(wanted);
    if (at == std::string::npos) return std::string(placeholder);
    const std::size_t begin = at + wanted.size();
    return lines.substr(begin, lines.find('\n', begin) - begin);
}

void put_tag(std::string& out, std::string_view name, std::string_view value) {
    out.append("[").append(name).append(" \"");
    for (const char c : value) {
        if (c == '"' || c == '\\') out.push_back('\\');
        out.push_back(c);
    }
    out.append("\"]\n");
}

bool is_chess960(const Record& record) {
    if (record.start.empty()) return false;
    Board board;
    State state;
    parse_fen(record.start, board, state);
    return board.is_chess960();
}

void put_tags(std::string& out, const Record& record) {
    put_tag(out, "Event", record.source.empty() ? "?" : std::string_view(record.source));
    put_tag(out, "Site", tag_value(record, "Site", "?"));
    put_tag(out, "Date", tag_value(record, "Date", "????.??.??"));
    for (const std::string_view name : {"Round", "White", "Black"}) put_tag(out, name, tag_value(record, name, "?"));
    put_tag(out, "Result", result_text(record.result));
    if (record.ratings[0]) put_tag(out, "WhiteElo", std::to_string(record.ratings[0]));
    if (record.ratings[1]) put_tag(out, "BlackElo", std::to_string(record.ratings[1]));
    if (!record.termination.empty()) put_tag(out, "Termination", record.termination);
    if (!record.start.empty()) {
        put_tag(out, "SetUp", "1");
        put_tag(out, "FEN", record.start);
    }
    if (is_chess960(record) && tag_value(record, "Variant", "").empty()) put_tag(out, "Variant", "Chess960");
    for (std::size_t at = 0; at < record.tags.size();) {
        const std::size_t end = std::min(record.tags.find('\n', at), record.tags.size());
        const std::string_view line = std::string_view(record.tags).substr(at, end - at);
        at = end + 1;
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, space);
        bool is_written = false;
        for (const std::string_view known : {"Site", "Date", "Round", "White", "Black"}) is_written |= name == known;
        if (!is_written) put_tag(out, name, line.substr(space + 1));
    }
}

// "[%eval 0.25]" or "[%eval #-3]", White's view.
std::string eval_text(std::int16_t score, Color to_move) {
    if (score == kNoScore) return "";
    const int white = to_move == kWhite ? score : -score;
    char text[40];
    if (std::abs(white) >= kMateRange)
        std::snprintf(text, sizeof text, "[%%eval #%s%d]", white < 0 ? "-" : "",
                      (kMateScore - std::abs(white) + 1) / 2);
    else
        std::snprintf(text, sizeof text, "[%%eval %s%d.%02d]", white < 0 ? "-" : "", std::abs(white) / 100,
                      std::abs(white) % 100);
    return text;
}

std::string clock_text(std::int64_t clock_ms) {
    if (clock_ms < 0) return "";
    const long long seconds = clock_ms / 1000;
    const int thousandths = int(clock_ms % 1000);
    char text[64];
    std::snprintf(text, sizeof text, "[%%clk %lld:%02d:%02d", seconds / 3600, int(seconds / 60 % 60),
                  int(seconds % 60));
    std::string out = text;
    if (thousandths != 0) {
        std::snprintf(text, sizeof text, ".%03d", thousandths);
        out += text;
        while (out.back() == '0') out.pop_back();
    }
    return out + "]";
}

// The comment that stands behind `plies` moves; empty if there is nothing to say.
std::string comment_text(const Record& record, std::size_t plies, Color to_move) {
    const bool is_last = plies == record.moves.size();
    const std::int16_t score = is_last ? record.final_score : record.scores.empty() ? kNoScore : record.scores[plies];
    std::string text = eval_text(score, to_move);
    if (plies > 0 && !record.clocks_ms.empty()) {
        const std::string clock = clock_text(record.clocks_ms[plies - 1]);
        if (!text.empty() && !clock.empty()) text += " ";
        text += clock;
    }
    return text.empty() ? text : "{" + text + "}";
}

// Breaks lines before column 80, as PGN's export format asks.
class LineWriter {
  public:
    explicit LineWriter(std::string& out) : out_(out) {}
    void put(std::string_view word) {
        if (word.empty()) return;
        const std::size_t width = word.size() + (column_ > 0);
        if (column_ > 0) out_.push_back(column_ + width > 79 ? '\n' : ' ');
        column_ = column_ + width > 79 ? word.size() : column_ + width;
        out_.append(word);
    }

  private:
    std::string& out_;
    std::size_t column_ = 0;
};

RecordError not_chess(const Record& record) {
    return RecordError("not a chess game: an index of the record has no legal move, start '" + record.start + "'");
}

}  // namespace

std::vector<std::uint16_t> move_indices(std::string_view start, std::span<const std::string> moves) {
    Board board;
    State states[2];
    parse_fen(start.empty() ? kStartFen : start, board, states[1]);
    std::vector<std::uint16_t> indices;
    for (const std::string& text : moves) {
        Move move = parse_uci(board, text);
        if (move == kNoMove) move = parse_san(board, text).move;
        if (move == kNoMove) throw RecordError("no legal move '" + text + "' in '" + to_fen(board) + "'");
        indices.push_back(std::uint16_t(canonical_index(legal_moves(board), move)));
        board.make(move, states[(indices.size() - 1) % 2]);
    }
    return indices;
}

std::vector<std::string> uci_moves(const Record& record) {
    std::vector<std::string> moves;
    moves.reserve(record.moves.size());
    if (!replay(record, [&](const Board& board, Move move) { moves.push_back(to_uci(board, move)); }))
        throw not_chess(record);
    return moves;
}

std::string to_pgn(const Record& record) {
    std::string out, moves;
    LineWriter line(moves);
    std::size_t plies = 0;
    bool needs_number = true;
    const auto put_move = [&](const Board& board, Move move) {
        const Color us = board.to_move();
        if (plies == 0) line.put(comment_text(record, 0, us));
        if (us == kWhite || needs_number) line.put(std::to_string(board.move_number()) + (us == kWhite ? "." : "..."));
        line.put(to_san(board, move));
        const std::string comment = comment_text(record, ++plies, ~us);
        line.put(comment);
        needs_number = !comment.empty();
    };
    if (!replay(record, put_move)) throw not_chess(record);
    line.put(result_text(record.result));
    // Only now the start is known to be a position.
    put_tags(out, record);
    return out + "\n" + moves + "\n\n";
}

}  // namespace philidor::records
