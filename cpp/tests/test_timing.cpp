// The clock: what a search may use, and that it never oversteps it.
#include <doctest/doctest.h>

#include "search/alphabeta/timing.h"

using namespace philidor;
using search::Clock;
using search::Limits;

namespace {

Limits with_time(std::int64_t time, std::int64_t increment = 0) {
    Limits limits;
    limits.time[chess::kWhite] = limits.time[chess::kBlack] = time;
    limits.increment[chess::kWhite] = limits.increment[chess::kBlack] = increment;
    return limits;
}

// Whether a search that began `spent_ms` ago would have to end now.
bool is_over_after(const Limits& limits, double spent_ms, std::int64_t overhead = 10) {
    Clock clock;
    clock.start(limits, chess::kWhite, overhead, std::int64_t(1000 * spent_ms));
    return clock.is_over();
}

}  // namespace

TEST_CASE("Without limits nothing is ever over") {
    CHECK_FALSE(is_over_after({}, 1e9));
    Clock clock;
    clock.start({}, chess::kWhite, 10, 0);
    CHECK_FALSE(clock.has_limit());
    CHECK_FALSE(clock.is_enough(0.0));
}

TEST_CASE("A search ends before its clock does, however short that is") {
    for (std::int64_t time : {2, 5, 20, 50, 100, 1000, 60'000})
        for (std::int64_t increment : {0, 10, 1000, 100'000})
            for (int moves_to_go : {0, 1, 2, 40}) {
                Limits limits = with_time(time, increment);
                if (moves_to_go) limits.moves_to_go = moves_to_go;
                INFO("time " << time << ", increment " << increment << ", moves to go " << moves_to_go);
                CHECK(is_over_after(limits, double(time) - 1));
            }
}

TEST_CASE("No time at all is a little time") {
    for (std::int64_t time : {-5000, 0, 1}) CHECK(is_over_after(with_time(time), 1));
}

TEST_CASE("A long clock is used") {
    CHECK_FALSE(is_over_after(with_time(60'000), 2000));
    CHECK_FALSE(is_over_after(with_time(1000, 1000), 300));
    CHECK_FALSE(is_over_after(with_time(std::int64_t(1) << 53, std::int64_t(1) << 53), 1e6));
}

TEST_CASE("The time of a move counts from the order") {
    Limits limits;
    limits.move_time = 500;
    CHECK_FALSE(is_over_after(limits, 400));
    CHECK(is_over_after(limits, 491));
    limits.time[chess::kWhite] = 60'000;
    CHECK(is_over_after(limits, 491));
}

TEST_CASE("Only the opponent's time means the same for us") {
    Limits limits;
    limits.time[chess::kBlack] = 1000;
    CHECK(is_over_after(limits, 990));
    CHECK_FALSE(is_over_after(limits, 1));
}

TEST_CASE("After a stall more is kept in reserve") {
    const Limits limits = with_time(400, 10);
    const double spent_ms = 35;
    CHECK_FALSE(is_over_after(limits, spent_ms));
    Clock clock;
    clock.start(limits, chess::kWhite, 10, 150'000);  // an order that was seen late
    clock.start(limits, chess::kWhite, 10, std::int64_t(1000 * spent_ms));
    CHECK(clock.is_over());
}
