// The PGN reader: clean games, games as found in the wild, and text in pieces of any size.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "records/chess_record.h"
#include "records/pgn.h"
#include "records/pgn_comment.h"

using namespace philidor::records;

namespace {

struct Parsed {
    std::vector<Record> games;
    PgnCounts counts;

    std::uint64_t skipped(PgnProblem problem) const { return counts.skipped[std::size_t(problem)]; }
    std::string moves(std::size_t game) const {
        std::string text;
        for (const std::string& move : uci_moves(games.at(game))) text += move + " ";
        return text;
    }
};

Parsed parse(std::string_view text, std::size_t piece = 1 << 20, PgnOptions options = {}) {
    PgnReader reader(options);
    Parsed parsed;
    Record record;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        reader.feed(text.substr(at, piece));
        while (reader.next(record)) parsed.games.push_back(record);
    }
    reader.finish();
    while (reader.next(record)) parsed.games.push_back(record);
    parsed.counts = reader.counts();
    return parsed;
}

constexpr std::string_view kTwoGames =
    "\xEF\xBB\xBF[Event \"Casual \\\"blitz\\\"\"]\r\n[White \"A\"]\r\n[Result \"1-0\"]\r\n[WhiteElo \"2100\"]\r\n"
    "[BlackElo \"?\"]\r\n[Termination \"Time forfeit\"]\r\n\r\n"
    "1. e4! $1 e5 (1... c5 {Sicilian (sharp)} 2. Nf3 (2. c3)) 2.Nf3 {a\r\ncomment} Nc6 ; rest of the line (\r\n"
    "% an escaped line ( {\r\n3. Bb5 a6 4.O-O?! 1-0\r\n\r\n"
    "[Event \"?\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n";

}  // namespace

TEST_CASE("tags, comments, variations and annotations are read") {
    const Parsed parsed = parse(kTwoGames);
    REQUIRE(parsed.games.size() == 2);
    CHECK(parsed.moves(0) == "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 ");
    CHECK(parsed.games[0].source == "Casual \"blitz\"");
    CHECK(parsed.games[0].result == Result::kFirstWins);
    CHECK(parsed.games[0].ratings[0] == 2100);
    CHECK(parsed.games[0].ratings[1] == 0);
    CHECK(parsed.games[0].termination == "time forfeit");
    CHECK(parsed.moves(1) == "d2d4 d7d5 ");
    CHECK(parsed.games[1].result == Result::kDraw);
    CHECK(parsed.counts.plies == 9);
}

TEST_CASE("pieces of any size give the same games") {
    const Parsed whole = parse(kTwoGames);
    for (std::size_t piece = 1; piece < 40; ++piece) CHECK(parse(kTwoGames, piece).games == whole.games);
}

TEST_CASE("broken games are skipped and counted, their neighbors are not") {
    const std::string good = "[Event \"x\"]\n\n1. e4 *\n\n";
    const std::pair<const char*, PgnProblem> cases[] = {
        {"1. e4 e5 2. Ke3 *", PgnProblem::kIllegalMove},
        {"1. e4 e5 2. Qxx7 *", PgnProblem::kSyntax},
        {"1. Nf3 a6 2. Nc3 a5 3. Nd4 a4 4. Nb5 *", PgnProblem::kAmbiguousMove},
        {"1. e4 -- 2. d4 *", PgnProblem::kNullMove},
        {"1. e4 Z0 2. d4 *", PgnProblem::kNullMove},
        {"1. e4 {never closed", PgnProblem::kUnclosed},
        {"1. e4 (1. d4 d5 (1... Nf6", PgnProblem::kUnclosed},
        {"1. e4 ( {never closed", PgnProblem::kUnclosed},
        {"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", PgnProblem::kFen},
        {"[Variant \"Crazyhouse\"]\n\n1. e4 *", PgnProblem::kVariant},
        {"[Result \"1-0\"]\n\n1. e4 0-1", PgnProblem::kResult},
    };
    for (const auto& [text, problem] : cases) {
        CAPTURE(text);
        const std::string middle = (text[0] == '[' ? "[Event \"y\"]\n" : "[Event \"y\"]\n\n") + std::string(text);
        for (const std::size_t piece : {1, 7, 1000}) {
            const Parsed parsed = parse(good + middle + "\n\n" + good, piece);
            CHECK(parsed.games.size() == 2);
            CHECK(parsed.skipped(problem) == 1);
            CHECK(parsed.counts.total() == 3);
            CHECK(parsed.counts.first_problem.starts_with("game 2: "));
        }
        CHECK(parse(good + middle).skipped(problem) == 1);
    }
}

TEST_CASE("the end of a game is found without a result") {
    CHECK(parse("[Event \"a\"]\n\n1. e4 e5\n[Event \"b\"]\n\n1. d4").games.size() == 2);
    CHECK(parse("1. e4 e5\n\n1. d4 d5\n").games.size() == 2);
    CHECK(parse("1. e4 e5\n\n2. Nf3 Nc6\n").games.size() == 1);
    CHECK(parse("[Event \"a\"]\n[Result \"1-0\"]\n[Event \"b\"]\n\n*").games.size() == 2);
    CHECK(parse("1. e4 1-0 1. d4 0-1").games.size() == 2);
    CHECK(parse("{only a comment} ) }\n\n").counts.total() == 0);
    CHECK(parse("").counts.total() == 0);
}

TEST_CASE("games begin at the position their tags give") {
    const Parsed parsed = parse(
        "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 1 2\"]\n[SetUp \"1\"]\n\n2... Nc6 *\n"
        "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. O-O "
        "*\n"
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *");
    REQUIRE(parsed.games.size() == 2);
    CHECK(parsed.moves(0) == "b8c6 ");
    CHECK(parsed.games[1].start.empty());
    CHECK(parsed.skipped(PgnProblem::kIllegalMove) == 1);
}

TEST_CASE("comments give scores from the mover's view, and clocks") {
    const Parsed parsed = parse(
        "1. e4 {[%eval 0.25] [%clk 0:03:00]} e5 {[%eval #-3] [%clk 0:02:59.5]} 2. Nf3 {[%eval #4]} *\n\n"
        "1. d4 {0.60/33} d5 {0.42/19} 2. c4 {-M12/40} e6 {M3/9} *");
    REQUIRE(parsed.games.size() == 2);
    const Record& lichess = parsed.games[0];
    // Position 1, Black to move, is 0.25 for White; position 2, White to move, is lost in six plies.
    CHECK(lichess.scores == std::vector<std::int16_t>{kNoScore, -25, -31994});
    CHECK(lichess.final_score == -31992);
    CHECK(lichess.clocks_ms == std::vector<std::int64_t>{180000, 179500, kNoClock});
    CHECK(parsed.games[1].scores == std::vector<std::int16_t>{60, -42, -31976, -31994});
    const Parsed mover =
        parse("1. d4 {+0.60/33 1.2s} d5 {-0.42/19} *", 100, {.eval_view = EvalView::kMover, .tags = {}});
    CHECK(mover.games.at(0).scores == std::vector<std::int16_t>{60, -42});
}

TEST_CASE("scores are read in all their spellings") {
    const auto cp = [](std::string_view text) { return to_record_score(parse_score(text).value(), true); };
    CHECK(cp("0.25") == 25);
    CHECK(cp("-1.5") == -150);
    CHECK(cp("+3") == 300);
    CHECK(cp("-0.005") == -1);
    CHECK(cp("999999999999.99") == kMaxCentipawns);
    CHECK(cp("#12") == 32000 - 23);
    CHECK(cp("-#3") == -(32000 - 6));
    CHECK(cp("#-3") == -(32000 - 6));
    CHECK(cp("M1") == 31999);
    CHECK(cp("M99999") >= kMateRange);
    for (const std::string_view text : {"", "-", "x", "#", "0.2x", "M", "1-2"})
        CHECK_FALSE(parse_score(text).has_value());
}

TEST_CASE("a game written as PGN reads back the same") {
    PgnOptions options;
    options.tags = {"Date", "White", "Black"};
    const Parsed first = parse(
        "[Event \"An \\\"open\\\" \\\\ event\"]\n[Date \"2004.05.01\"]\n[White \"M\xFCller\"]\n[Result \"0-1\"]\n"
        "[WhiteElo \"1500\"]\n\n{[%eval 0.1]} 1. f3 {[%eval -0.50] [%clk 1:00:00]} e5 2. g4 {[%eval #-1]} Qh4# "
        "{[%clk 0:59:59.25]} 0-1",
        1000, options);
    REQUIRE(first.games.size() == 1);
    CHECK(first.games[0].termination == "checkmate");
    CHECK(first.games[0].tags == "Date 2004.05.01\nWhite M\xC3\xBCller\n");
    const Parsed second = parse(to_pgn(first.games[0]), 1000, options);
    REQUIRE(second.games.size() == 1);
    Record back = second.games[0];
    // PGN wants all seven tags, so the unknown ones come back as unknown, that is, not at all.
    CHECK(back == first.games[0]);
}

TEST_CASE("a game of tags only still has its start position") {
    const std::string_view fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    const Parsed parsed = parse("[Event \"x\"]\n[FEN \"" + std::string(fen) + "\"]");
    REQUIRE(parsed.games.size() == 1);
    CHECK(parsed.games[0].start == fen);
    CHECK(parse("[Event \"x\"]\n[FEN \"nonsense\"]\n").skipped(PgnProblem::kFen) == 1);
}

TEST_CASE("memory stays bounded whatever comes") {
    PgnReader reader;
    Record record;
    const std::string piece(1 << 20, 'x');
    reader.feed("[Event \"endless\"]\n\n{");
    for (int i = 0; i < 12; ++i) {
        reader.feed(piece);
        CHECK_FALSE(reader.next(record));
    }
    reader.feed("\n[Event \"next\"]\n\n1. e4 *\n\n");
    REQUIRE(reader.next(record));
    CHECK(record.source == "next");
    reader.finish();
    CHECK_FALSE(reader.next(record));
    CHECK(reader.counts().skipped[std::size_t(PgnProblem::kTooLong)] == 1);

    const std::string text =
        "1. e4 {" + std::string(PgnReader::kMaxGameBytes, 'x') + "} *\n\n[Event \"next\"]\n\n1. d4 *\n";
    for (const std::size_t size : {std::size_t{1} << 18, text.size()}) {
        CHECK(parse(text, size).games.size() == 1);
        CHECK(parse(text, size).skipped(PgnProblem::kTooLong) == 1);
    }
}
