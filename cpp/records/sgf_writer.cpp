// A record of Go as SGF.
#include <algorithm>
#include <string>

#include "records/game_codec.h"
#include "records/sgf.h"

namespace philidor::records {
namespace {

std::string escaped(std::string_view text) {
    std::string value;
    for (const char c : text) {
        if (c == ']' || c == '\\') value += '\\';
        value += c;
    }
    return value;
}

std::string point_text(int square, int width, int height) {
    return {char('a' + square % width), char('a' + height - 1 - square / width)};
}

std::string tag(const std::string& tags, std::string_view name) {
    for (std::size_t at = 0; at < tags.size(); at = tags.find('\n', at) + 1)
        if (tags.compare(at, name.size(), name) == 0 && tags[at + name.size()] == ' ')
            return tags.substr(at + name.size() + 1, tags.find('\n', at) - at - name.size() - 1);
    return {};
}

std::string result_text(const Record& record) {
    if (record.result == Result::kDraw) return "0";
    if (record.result == Result::kUnknown) return {};
    const bool is_known = record.termination == "resignation" || record.termination == "time forfeit";
    return std::string(record.result == Result::kFirstWins ? "B+" : "W+") +
           (is_known                                   ? (record.termination[0] == 'r' ? "R" : "T")
            : record.termination == "rules infraction" ? "F"
                                                       : "");
}

void property(std::string& sgf, std::string_view name, const std::string& value) {
    if (!value.empty()) sgf.append(name).append("[").append(escaped(value)).append("]");
}

// The stones of a position's text, and what follows them: who is to move, and komi.
struct Start {
    std::string black, white, to_move, komi;
    std::string stones;  // square by square from the bottom
};

Start read_start(const std::string& text, int width, int height) {
    Start start;
    start.stones.assign(std::size_t(width * height), '.');
    std::size_t at = 0;
    for (int row = height; row-- > 0; ++at)
        for (int column = 0; column < width; ++column, ++at) {
            const char letter = at < text.size() ? text[at] : '?';
            if (letter != '.' && letter != 'X' && letter != 'O') throw RecordError("no start of Go: " + text);
            if (letter == '.') continue;
            start.stones[std::size_t(row * width + column)] = letter;
            (letter == 'X' ? start.black : start.white) += "[" + point_text(row * width + column, width, height) + "]";
        }
    start.to_move = at < text.size() && text[at] == 'O' ? "W" : "B";
    if (const std::size_t komi = text.find(" komi"); komi != std::string::npos) start.komi = text.substr(komi + 5);
    return start;
}

}  // namespace

std::vector<int> go_moves(const Record& record, int width, int height, const games::go::Rules& rules) {
    const Start start = record.start.empty() ? Start{} : read_start(record.start, width, height);
    std::vector<int> moves;
    try {
        games::Go game(width, height, rules, start.stones, start.to_move == "W" ? 1 : 0);
        for (const std::uint16_t place : record.moves) {
            if (game.result() != games::Result::kOngoing || place >= game.move_count())
                throw RecordError("there is no move " + std::to_string(place) + " at ply " +
                                  std::to_string(moves.size()));
            moves.push_back(game.nth_move(place));
            game.play(game.nth_move(place));
        }
    } catch (const RecordError&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw RecordError(std::string("no start of Go: ") + error.what());
    }
    return moves;
}

std::string to_sgf(const Record& record, int width, int height, const games::go::Rules& rules) {
    std::string sgf = "(;GM[1]FF[4]CA[UTF-8]SZ[" + std::to_string(width);
    if (width != height) sgf += ":" + std::to_string(height);
    sgf += "]";
    Start start;
    start.to_move = "B";
    if (!record.start.empty()) start = read_start(record.start, width, height);
    // 1. Facts: as they were read, or from what is known.
    const std::string result = tag(record.tags, "RE"), komi = tag(record.tags, "KM");
    for (std::size_t at = 0; at < record.tags.size();) {
        const std::size_t end = std::min(record.tags.find('\n', at), record.tags.size());
        const std::string line = record.tags.substr(at, end - at);
        const std::size_t space = line.find(' ');
        const std::string name = line.substr(0, space);
        const bool is_property = !name.empty() && name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == name.npos;
        if (space != std::string::npos && is_property) property(sgf, name, line.substr(space + 1));
        at = end + 1;
    }
    const bool is_usual = start.komi == (usual_komi(width, height) == 7.0 ? "7" : "7.5");
    if (komi.empty() && !is_usual) property(sgf, "KM", start.komi);
    if (result.empty()) property(sgf, "RE", result_text(record));
    // 2. Set-up and moves.
    if (!start.black.empty()) sgf += "AB" + start.black;
    if (!start.white.empty()) sgf += "AW" + start.white;
    if (start.to_move == "W" || !start.black.empty() || !start.white.empty()) sgf += "PL[" + start.to_move + "]";
    bool is_white = start.to_move == "W";
    for (const int move : go_moves(record, width, height, rules)) {
        sgf += is_white ? ";W[" : ";B[";
        if (move < width * height) sgf += point_text(move, width, height);
        sgf += "]";
        is_white = !is_white;
    }
    return sgf + ")\n";
}

}  // namespace philidor::records
