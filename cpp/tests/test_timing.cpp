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

// Whether an iteration that ends `spent_ms` after the order would be the last one.
bool is_enough_after(const Limits& limits, double spent_ms, double stretch = 1.0) {
    Clock clock;
    clock.start(limits, chess::kWhite, 10, std::int64_t(1000 * spent_ms));
    return clock.is_enough(stretch);
}

// What is aimed at and what is never exceeded, both in milliseconds and within a tenth: tests run on busy machines.
void check_limits(const Limits& limits, double soft_ms, double hard_ms) {
    CHECK_FALSE(is_enough_after(limits, 0.9 * soft_ms));
    CHECK(is_enough_after(limits, 1.02 * soft_ms));
    CHECK_FALSE(is_over_after(limits, 0.9 * hard_ms));
    CHECK(is_over_after(limits, 1.02 * hard_ms));
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

TEST_CASE("A minute is shared by the moves to come: seven tenths of a share at ease, three shares at most") {
    // 30 ms are kept back: the overhead and two short stalls.
    Limits limits = with_time(60'000);
    check_limits(limits, 0.7 * 59'970 / 25, 3.0 * 59'970 / 25);
    limits.moves_to_go = 40;
    check_limits(limits, 0.7 * 59'970 / 40, 3.0 * 59'970 / 40);
    limits.moves_to_go = 5;
    check_limits(limits, 0.7 * 59'970 / 5, 3.0 * 59'970 / 5);
    limits.moves_to_go = 1;
    check_limits(limits, 0.7 * 59'970, 0.9 * 59'970);
}

TEST_CASE("Our own increment is for this move") {
    Limits limits = with_time(60'000);
    limits.increment[chess::kBlack] = 9000;
    check_limits(limits, 0.7 * 59'970 / 25, 3.0 * 59'970 / 25);
    limits.increment[chess::kWhite] = 2000;
    check_limits(limits, 0.7 * 59'970 / 25 + 2000, 3.0 * (59'970 / 25 + 2000));
}

TEST_CASE("An unsettled position stretches a share of the clock, and not a time that was given") {
    CHECK_FALSE(is_enough_after(with_time(60'000), 2000, 1.5));
    CHECK(is_enough_after(with_time(60'000), 1000, 0.5));
    Limits limits;
    limits.move_time = 500;
    CHECK(is_enough_after(limits, 495, 1.5));
    CHECK_FALSE(is_enough_after(limits, 400, 0.5));
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

TEST_CASE("The share of a move rises as the game goes on") {
    const auto is_over_at = [](int ply, double spent_ms) {
        Clock clock;
        clock.start(with_time(60'000), chess::kWhite, 10, std::int64_t(1000 * spent_ms), ply);
        return clock.is_over();
    };
    const double late = 3.0 * 59'970 / 12, middle = 3.0 * 59'970 / 20;
    CHECK_FALSE(is_over_at(40, 0.9 * middle));
    CHECK(is_over_at(40, 1.02 * middle));
    CHECK_FALSE(is_over_at(400, 0.9 * late));
    CHECK(is_over_at(400, 1.02 * late));
}

TEST_CASE("An answer that a busy machine delays by 40 ms is still in time") {
    for (std::int64_t time : {50, 70, 100, 200, 500, 2000, 60'000})
        for (std::int64_t increment : {0, 10, 20, 100, 5000})
            for (int ply : {0, 60, 400}) {
                Clock clock;
                clock.start(with_time(time, increment), chess::kWhite, 10, 0, ply);
                INFO("time " << time << ", increment " << increment << ", ply " << ply);
                CHECK(*clock.limit() <= 1000 * (time - 40));
            }
}

TEST_CASE("What a move costs beyond its search is learned from our clock") {
    Clock prompt, delayed;
    for (Clock* clock : {&prompt, &delayed}) {
        clock->start(with_time(1000, 10), chess::kWhite, 10, 0);
        clock->is_over();
    }
    prompt.start(with_time(1009, 10), chess::kWhite, 10, 0);
    delayed.start(with_time(910, 10), chess::kWhite, 10, 0);
    CHECK(*prompt.limit() > 3 * 900'000 / 25);
    CHECK(*delayed.limit() < 3 * (1000 * (910 - 10 - 2 * 95) / 25 + 10'000));
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
