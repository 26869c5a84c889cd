// Go: captures, ko, playouts, ladders and SGF, under the sanitizers too.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "games/go/go.h"
#include "games/go/ladder.h"
#include "records/sgf.h"
#include "search/random.h"
#include "search/rollout_uct.h"

using namespace philidor;
using games::Go;
using games::go::KoRule;
using games::go::Rules;

namespace {

Rules rules_of(KoRule ko, bool suicide = false) { return {0, ko, suicide, 100}; }

}  // namespace

TEST_CASE("legal positions are as many as Tromp and Farneback counted") {
    CHECK(games::go::count_positions(1, 7) == 867);
    CHECK(games::go::count_positions(2, 4) == 4125);
    CHECK(games::go::count_positions(3, 3) == 12675);
}

TEST_CASE("move sequences of Go are the published ones") {
    CHECK(games::perft(Go(2, 2, rules_of(KoRule::kSimple)), 7) == 1168);
    CHECK(games::perft(Go(2, 2, rules_of(KoRule::kPositional)), 7) == 1088);
    CHECK(games::perft(Go(3, 3, rules_of(KoRule::kSimple)), 5) == 33384);
    CHECK(games::perft(Go(19, 19, rules_of(KoRule::kPositional)), 1) == 362);
}

TEST_CASE("random games of Go keep their boards whole") {
    search::SplitMix64 random(5);
    for (const auto& [width, height] : {std::pair(1, 1), {2, 1}, {3, 2}, {5, 5}, {9, 9}, {19, 19}}) {
        for (const KoRule ko : {KoRule::kSimple, KoRule::kPositional, KoRule::kSituational}) {
            Go game(width, height, {7, ko, true, 2 * width * height + 50});
            while (game.result() == games::Result::kOngoing) {
                const int place = random.below(game.move_count());
                CHECK(game.is_legal(game.nth_move(place)));
                game.play(game.nth_move(place));
                std::int8_t owners[games::go::kMaxArea];
                const int score = game.board().score(owners);
                int stones = 0, total = 0;
                for (int square = 0; square < game.area(); ++square) {
                    stones += game.board().at(game.board().point_of(square)) != games::go::kEmpty;
                    total += owners[square];
                }
                CHECK(score == total);
                CHECK(stones == game.area() - game.board().empty_count());
            }
            games::go::Board board = game.board();
            ladder_captures(board, games::go::kBlack);
            ladder_escapes(board, games::go::kWhite);
            play_out(board, 0, 0, games::go::kNoPoint, 3 * game.area(), random);
        }
    }
}

TEST_CASE("Go shows the boards of the past, played or given") {
    search::SplitMix64 random(8);
    for (const auto& [width, height] : {std::pair(3, 2), {5, 5}, {9, 9}, {19, 19}}) {
        const Rules rules{7, KoRule::kPositional, true, 2 * width * height + 50};
        Go game(width, height, rules);
        std::vector<std::string> line;  // newest first
        while (game.result() == games::Result::kOngoing) {
            std::string stones;
            for (int square = 0; square < game.area(); ++square)
                stones += ".XO"[game.board().at(game.board().point_of(square))];
            const Go twin(width, height, rules, stones, game.to_move(), game.ply(), game.passes(), -1, {}, {}, line);
            line.insert(line.begin(), stones);
            for (int turns = 0; turns < Go::kHistory; ++turns)
                for (int player : {0, 1}) {
                    std::vector<std::uint64_t> shown(std::size_t(game.words())), given = shown, wanted = shown;
                    if (turns < int(line.size()))
                        for (int square = 0; square < game.area(); ++square)
                            if (line[std::size_t(turns)][std::size_t(square)] == "XO"[player])
                                wanted[std::size_t(square / 64)] |= std::uint64_t{1} << square % 64;
                    game.write_board(player, shown.data(), turns);
                    twin.write_board(player, given.data(), turns);
                    CHECK(shown == wanted);
                    CHECK(given == wanted);
                }
            game.play(game.nth_move(random.below(game.move_count())));
        }
    }
    CHECK_THROWS_AS(Go(2, 2, rules_of(KoRule::kSimple), "....", 0, 0, 0, -1, {}, {}, {"."}), std::invalid_argument);
}

TEST_CASE("UCT grows a tree of Go") {
    search::RolloutUct<Go> tree(Go(5, 5, rules_of(KoRule::kPositional)), {});
    while (tree.statistics().simulations < 2000) tree.simulate(2000);
    CHECK(tree.statistics().line.front() == 12);
}

TEST_CASE("SGF is read in pieces of any size and written back") {
    const std::string text = "x(;FF[4]SZ[9]AB[cc]PL[W]KM[0.5](;W[ee];B[];W[gg])(;W[aa]))(;SZ[9];B[ee];W[ee])(;";
    for (const std::size_t piece : {1, 2, 7, 1000}) {
        records::SgfReader reader({0, 0, {"*"}});
        std::vector<records::Record> games;
        records::Record record;
        for (std::size_t at = 0; at < text.size(); at += piece) {
            reader.feed(std::string_view(text).substr(at, piece));
            while (reader.next(record)) games.push_back(record);
        }
        reader.finish();
        while (reader.next(record)) games.push_back(record);
        REQUIRE(games.size() == 1);
        CHECK(games[0].moves.size() == 3);
        CHECK(reader.counts().total() == 3);
        CHECK(to_sgf(games[0], 9, 9, rules_of(KoRule::kSimple)) ==
              "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[0.5]AB[cc]PL[W];W[ee];B[];W[gg])\n");
    }
}
