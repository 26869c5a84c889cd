// The tag section of a PGN game: `[Name "value"]` lines.
#include <algorithm>
#include <charconv>
#include <utility>

#include "games/chess/fen.h"
#include "records/pgn.h"
#include "records/utf8.h"

namespace philidor::records {

using namespace philidor::chess;

namespace {

constexpr bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c + 32);
    return out;
}

// "2450", also "2450 " and "2450?"; 0 if there is no such rating.
std::uint32_t parse_rating(std::string_view text) {
    std::uint32_t rating = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rating);
    return error == std::errc() && rating <= 9999 ? rating : 0;
}

Result parse_result(std::string_view text) {
    if (text == "1-0") return Result::kFirstWins;
    if (text == "0-1") return Result::kSecondWins;
    if (text == "1/2-1/2" || text == "1/2") return Result::kDraw;
    return Result::kUnknown;
}

enum class Variant { kStandard, kChess960, kOther };

Variant parse_variant(std::string_view value) {
    const std::string name = lower(value);
    for (const std::string_view known : {"standard", "chess", "normal", "from position", ""})
        if (name == known) return Variant::kStandard;
    for (const std::string_view known :
         {"chess960", "chess 960", "fischerandom", "fischer random", "fischerrandom", "frc"})
        if (name == known) return Variant::kChess960;
    return Variant::kOther;
}

}  // namespace

// True when the moves may begin; false when the text ends first.
bool PgnReader::read_tags(Record& record) {
    for (;;) {
        if (!skip_space()) return false;
        if (*at_ != '[') return true;
        // Games without moves and result: only a second Event tells where the next begins.
        if (draft_.has_event && std::string_view(at_, std::size_t(end_ - at_)).starts_with(kEventLine.substr(1)))
            return true;
        if (!read_tag(record)) return false;
    }
}

bool PgnReader::read_tag(Record& record) {
    const char* const line_end = std::find_if(at_, end_, [](char c) { return c == '\n' || c == '\r'; });
    if (line_end == end_ && !is_final_) return false;
    draft_.has_tags = true;
    const char* at = at_ + 1;
    while (at != line_end && *at == ' ') ++at;
    const char* const name = at;
    while (at != line_end && is_name_char(*at)) ++at;
    const std::string_view name_text(name, std::size_t(at - name));
    at = std::find(at, line_end, '"');
    at_ = line_end;
    if (at == line_end) return true;  // no value: the line says nothing
    value_.clear();
    for (++at; at != line_end && *at != '"'; ++at) {
        const bool is_escape = *at == '\\' && at + 1 != line_end && (at[1] == '"' || at[1] == '\\');
        at += is_escape;
        value_.push_back(*at);
    }
    // Several tags may share a line.
    if (const char* const close = std::find(at, line_end, ']'); close != line_end) at_ = close + 1;
    use_tag(name_text, value_, record);
    return true;
}

void PgnReader::use_tag(std::string_view name, std::string_view value, Record& record) {
    if (name == "Event") {
        draft_.has_event = true;
        if (value != "?") record.source = to_utf8(value);
    } else if (name == "Result") {
        draft_.tag_result = parse_result(value);
    } else if (name == "WhiteElo") {
        record.ratings[0] = parse_rating(value);
    } else if (name == "BlackElo") {
        record.ratings[1] = parse_rating(value);
    } else if (name == "FEN") {
        draft_.fen = value;
    } else if (name == "SetUp") {
        draft_.ignores_fen = value == "0";
    } else if (name == "Termination") {
        record.termination = lower(to_utf8(value));
    } else {
        if (name == "Variant") {
            draft_.is_chess960 = parse_variant(value) == Variant::kChess960;
            if (parse_variant(value) == Variant::kOther) reject(PgnProblem::kVariant, value);
        }
        const bool keep = std::ranges::find(options_.tags, name) != options_.tags.end() ||
                          std::ranges::find(options_.tags, "*") != options_.tags.end();
        if (keep && !name.empty() && !value.empty() && value != "?")
            record.tags.append(name).append(" ").append(to_utf8(value)).append("\n");
    }
}

void PgnReader::set_up(Record& record) {
    if (draft_.fen.empty() || draft_.ignores_fen) {
        states_[0] = start_state_;
        board_ = start_board_;
        board_.rebase(states_[0]);
    } else {
        try {
            parse_fen(draft_.fen, board_, states_[0], draft_.is_chess960 ? Chess960::kYes : Chess960::kAuto);
        } catch (const FenError& error) {
            return reject(PgnProblem::kFen, error.what());
        }
        record.start = to_fen(board_, FenCastling::kXFen, FenEnPassant::kRaw);
        if (record.start == kStartFen) record.start.clear();
    }
    first_to_move_ = board_.to_move();
}

}  // namespace philidor::records
