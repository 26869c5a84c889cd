#include "records/sgf.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "records/game_codec.h"
#include "records/utf8.h"

namespace philidor::records {

using namespace philidor::games::go;

namespace {

// Values without a backslash are most of them, and need no copy.
std::string unescaped(std::string_view value) {
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '\\' && i + 1 < value.size()) {
            ++i;
            if (value[i] == '\n' || value[i] == '\r') continue;  // a soft line break
        }
        // One line of valid bytes: what a tag may hold.
        text += static_cast<unsigned char>(value[i]) < ' ' ? ' ' : value[i];
    }
    return text;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
    return text;
}

std::optional<double> number_in(std::string_view text) {
    double value = 0;
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// The square of two letters, column and row from the top; -1 if there is none.
int square_of(std::string_view point, int width, int height) {
    if (point.size() != 2) return -1;
    const int column = point[0] - 'a', row = height - 1 - (point[1] - 'a');
    return column >= 0 && column < width && row >= 0 && row < height ? row * width + column : -1;
}

std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

// Who won and how, from "B+3.5", "W+Resign", "0", "Draw".
void read_result(std::string_view text, Record& record) {
    if (text == "0" || text == "Draw" || text == "Jigo") record.result = Result::kDraw;
    if (text.size() < 2 || text[1] != '+' || (text[0] != 'B' && text[0] != 'W')) return;
    record.result = text[0] == 'B' ? Result::kFirstWins : Result::kSecondWins;
    const std::string_view how = text.substr(2);
    if (how == "R" || how == "Resign") record.termination = "resignation";
    if (how == "T" || how == "Time") record.termination = "time forfeit";
    if (how == "F" || how == "Forfeit") record.termination = "rules infraction";
    if (number_in(how)) record.termination = "normal";
}

}  // namespace

std::string_view sgf_problem_name(SgfProblem problem) {
    constexpr std::string_view kNames[] = {"none",
                                           "syntax",
                                           "another game",
                                           "another size",
                                           "set-up",
                                           "illegal move",
                                           "two moves in a row",
                                           "goes on after its end",
                                           "komi",
                                           "unclosed",
                                           "too long"};
    static_assert(std::size(kNames) == std::size_t(SgfProblem::kCount));
    return kNames[std::size_t(problem)];
}

std::uint64_t SgfCounts::total() const {
    std::uint64_t sum = games;
    for (const std::uint64_t count : skipped) sum += count;
    return sum;
}

void SgfReader::Draft::clear() {
    problem = SgfProblem::kNone;
    detail.clear();
    setup.clear();
    moves.clear();
    to_move = {};
    for (std::string* text : {&size, &komi, &result, &handicap}) text->clear();
    is_go = true;
}

void SgfReader::reject(SgfProblem problem, std::string_view detail) {
    if (draft_.problem != SgfProblem::kNone) return;
    draft_.problem = problem;
    draft_.detail = detail.substr(0, 100);
    // The text may be anything, and the message is for a terminal.
    for (char& c : draft_.detail)
        if (c < ' ' || c > '~') c = '?';
}

bool SgfReader::next(Record& record) {
    for (;;) {
        std::string_view game;
        draft_.clear();
        record.clear();
        switch (scanner_.next(is_final_, game)) {
            case SgfScanner::Found::kNeedMore: return false;
            case SgfScanner::Found::kUnclosed: reject(SgfProblem::kUnclosed, ""); break;
            case SgfScanner::Found::kTooLong: reject(SgfProblem::kTooLong, ""); break;
            case SgfScanner::Found::kGame: read_text(game, record); conclude(record);
        }
        if (draft_.problem == SgfProblem::kNone) {
            ++counts_.games;
            counts_.plies += record.moves.size();
            return true;
        }
        if (counts_.first_problem.empty())
            counts_.first_problem = "game " + std::to_string(counts_.total() + 1) + ": " +
                                    std::string(sgf_problem_name(draft_.problem)) +
                                    (draft_.detail.empty() ? "" : " " + draft_.detail);
        ++counts_.skipped[std::size_t(draft_.problem)];
    }
}

// Walks along the main line, which ends with the first closing bracket: iterative, for variations may be deep.
void SgfReader::read_text(std::string_view game, Record& record) {
    int nodes = 0;
    bool has_value = false;
    name_.clear();
    for (std::size_t i = 0; i < game.size() && game[i] != ')'; ++i) {
        const char c = game[i];
        if (c == ';') {
            ++nodes;
            name_.clear();
            has_value = false;
        } else if (c == '[') {
            const std::size_t begin = i + 1;
            for (++i; i < game.size() && game[i] != ']'; ++i) i += game[i] == '\\';
            if (nodes == 0 || name_.empty()) return reject(SgfProblem::kSyntax, "a value without a name");
            use_property(name_, game.substr(begin, std::min(i, game.size()) - begin), nodes == 1, record);
            has_value = true;
        } else if (c >= 'A' && c <= 'Z') {
            if (has_value) name_.clear();
            has_value = false;
            name_ += c;
        } else if (!(c >= 'a' && c <= 'z') && static_cast<unsigned char>(c) > ' ' && c != '(') {
            return reject(SgfProblem::kSyntax, game.substr(i, 20));
        }
        // Lower-case letters are FF[3]'s: "Black" is B.
    }
}

void SgfReader::use_property(std::string_view name, std::string_view value, bool is_root, Record& record) {
    const bool is_black = name == "B" || name == "AB";
    if (name == "B" || name == "W") {
        draft_.moves.push_back({is_black ? kBlack : kWhite, trimmed(value)});
    } else if (name == "AB" || name == "AW") {
        if (!draft_.moves.empty()) return reject(SgfProblem::kSetup, "after the first move");
        draft_.setup.push_back({is_black ? kBlack : kWhite, trimmed(value)});
    } else if (name == "AE") {
        reject(SgfProblem::kSetup, "AE");
    } else if (name == "PL") {
        if (!draft_.moves.empty()) return reject(SgfProblem::kSetup, "PL after the first move");
        draft_.to_move = trimmed(value);
    } else if (is_root) {
        // Tags hold one line of UTF-8 without blanks around it, and so do facts: what is written is what was read.
        const std::string text = to_utf8(unescaped(value));
        use_fact(name, std::string(trimmed(text)), record);
    }
}

// Where a property is kept that says more of a game than a tag.
std::string* SgfReader::fact(std::string_view name) {
    if (name == "SZ") return &draft_.size;
    if (name == "KM") return &draft_.komi;
    if (name == "RE") return &draft_.result;
    if (name == "HA") return &draft_.handicap;
    return nullptr;
}

void SgfReader::use_fact(std::string_view name, const std::string& text, Record& record) {
    if (text.empty()) return;
    if (name == "GM") draft_.is_go = text == "1";
    if (std::string* const known = fact(name)) {
        // A fact is said once; if a file says it again, the first counts.
        if (!known->empty()) return;
        *known = text;
    }
    if (name == "GM" || name == "SZ" || name == "FF" || name == "CA" || name == "AP" || name.size() > 32) return;
    if (std::ranges::none_of(options_.tags, [&](const std::string& t) { return t == "*" || t == name; })) return;
    record.tags += name;
    record.tags += ' ';
    record.tags += text;
    record.tags += '\n';
}

bool SgfReader::read_size(int& width, int& height) {
    const std::size_t colon = draft_.size.find(':');
    const auto first =
        draft_.size.empty() ? std::optional(19) : whole_number(std::string_view(draft_.size).substr(0, colon));
    const auto second =
        colon == std::string::npos ? first : whole_number(std::string_view(draft_.size).substr(colon + 1));
    width = first.value_or(0);
    height = second.value_or(0);
    if (std::min(width, height) < 1 || std::max(width, height) > kMaxSide) {
        reject(SgfProblem::kOtherSize, draft_.size);
        return false;
    }
    if (options_.width != 0 && (width != options_.width || height != options_.height)) {
        reject(SgfProblem::kOtherSize, draft_.size);
        return false;
    }
    return true;
}

// Stones of the root: single points or rectangles "aa:cc", each point once, none of them dead.
bool SgfReader::set_up(Board& board) {
    for (const Stone& stone : draft_.setup) {
        const std::size_t colon = stone.point.find(':');
        const int from = square_of(stone.point.substr(0, colon), board.width(), board.height());
        const int to = colon == std::string_view::npos
                           ? from
                           : square_of(stone.point.substr(colon + 1), board.width(), board.height());
        if (from < 0 || to < 0) return reject(SgfProblem::kSetup, stone.point), false;
        const int width = board.width();
        for (int row = std::min(from / width, to / width); row <= std::max(from / width, to / width); ++row)
            for (int column = std::min(from % width, to % width); column <= std::max(from % width, to % width);
                 ++column) {
                const Point p = board.point_of(row * width + column);
                if (board.at(p) != kEmpty || board.place(p, stone.color) != 0)
                    return reject(SgfProblem::kSetup, stone.point), false;
            }
    }
    return true;
}

bool SgfReader::read_komi(double& komi) {
    if (draft_.komi.empty()) return true;
    const auto value = number_in(draft_.komi);
    if (!value || !(*value > -1000 && *value < 1000)) return reject(SgfProblem::kKomi, draft_.komi), false;
    // One server writes hundredths of half a point: 375 is 7.5.
    komi = *value >= 200 && *value == int(*value) ? *value / 50 : *value;
    // As many digits as the text of a position has.
    komi = std::strtod(number_text(komi).c_str(), nullptr);
    return true;
}

// Some files have the handicap as Black's first moves in a row.
void SgfReader::take_handicap_moves() {
    const auto count = std::size_t(whole_number(draft_.handicap).value_or(0));
    if (!draft_.setup.empty() || count < 2 || count > 361 || draft_.moves.size() < count) return;
    const auto end = draft_.moves.begin() + std::ptrdiff_t(count);
    if (!std::all_of(draft_.moves.begin(), end, [](const Stone& move) { return move.color == kBlack; })) return;
    if (end != draft_.moves.end() && end->color == kBlack) return;
    draft_.setup.assign(draft_.moves.begin(), end);
    draft_.moves.erase(draft_.moves.begin(), end);
    if (draft_.to_move.empty()) draft_.to_move = "W";
}

void SgfReader::conclude(Record& record) {
    if (draft_.problem != SgfProblem::kNone) return;
    if (!draft_.is_go) return reject(SgfProblem::kOtherGame, "");
    int width = 0, height = 0;
    double komi = 0;
    if (!read_size(width, height)) return;
    Board board(width, height);
    take_handicap_moves();
    komi = usual_komi(width, height);
    if (!set_up(board) || !read_komi(komi)) return;
    // 1. Who begins: the first move knows, or PL, or else White after a handicap.
    bool is_white = board.stones(kBlack) > 0 && board.stones(kWhite) == 0;
    if (!draft_.to_move.empty()) is_white = draft_.to_move[0] == 'W' || draft_.to_move[0] == 'w';
    if (!draft_.moves.empty()) is_white = draft_.moves[0].color == kWhite;
    // 2. The start as the text of a position, unless it is the usual one.
    if (board.empty_count() < board.area() || is_white || komi != usual_komi(width, height)) {
        for (int row = height; row-- > 0;) {
            for (int column = 0; column < width; ++column)
                record.start += ".XO"[board.at(board.point_of(row * width + column))];
            if (row > 0) record.start += '/';
        }
        record.start += is_white ? " O 0 0 - komi" : " X 0 0 - komi";
        record.start += number_text(komi);
    }
    // 3. The moves and the result.
    play(board, record);
    if (draft_.problem != SgfProblem::kNone) return;
    read_result(draft_.result, record);
    options_.width = width;
    options_.height = height;
}

void SgfReader::play(Board& board, Record& record) {
    const std::size_t most = std::size_t(std::max(2 * board.area(), 100));
    if (draft_.moves.size() > most) return reject(SgfProblem::kTooLong, "more moves than twice the points");
    const Point end = Point(board.point_of(board.area() - 1) + 1);
    Point ko = kNoPoint;
    int passes = 0;
    record.moves.reserve(draft_.moves.size());
    for (std::size_t ply = 0; ply < draft_.moves.size(); ++ply) {
        const auto [color, point] = draft_.moves[ply];
        const auto where = [&, point = point] { return "move " + std::to_string(ply + 1) + ": " + std::string(point); };
        if (ply > 0 && color == draft_.moves[ply - 1].color) return reject(SgfProblem::kTurns, where());
        if (passes == 2) return reject(SgfProblem::kAfterEnd, where());
        if (point.empty() || point == "tt") {
            // The last of the legal moves: all points up to the end come before it.
            record.moves.push_back(std::uint16_t(board.legal_before(end, color, ko)));
            ++passes;
            ko = kNoPoint;
            continue;
        }
        const int square = square_of(point, board.width(), board.height());
        const Point p = square < 0 ? kNoPoint : board.point_of(square);
        if (square < 0 || !board.is_legal(p, color, ko)) return reject(SgfProblem::kIllegalMove, where());
        record.moves.push_back(std::uint16_t(board.legal_before(p, color, ko)));
        const bool is_inside = board.count(p, other(color)) == 4;
        Point single = kNoPoint;
        ko = board.place<false>(p, color, single) == 1 && is_inside ? single : kNoPoint;
        passes = 0;
    }
}

}  // namespace philidor::records
