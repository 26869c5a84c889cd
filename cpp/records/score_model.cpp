#include "records/score_model.h"

#include <algorithm>
#include <cstdlib>

#include "records/game_codec.h"

namespace philidor::records {
namespace {

constexpr int kStep = 4;          // centipawns
constexpr int kDecided = 1000;    // what a mate counts as, in steps, where it is compared with centipawns
constexpr int kMostSteps = 8191;  // the largest score that is no mate: i16 holds it, and no evaluation reaches it

// Distinct from MoveModel's.
enum Topic : std::uint32_t {
    kKindAt = 100,
    kKindAbove,
    kMateSign,
    kMateFar,
    kMateAny,
    kZero = 200,
    kSign = 300,
    kSize = 400
};
enum Mixer : unsigned { kKindMixer, kMateMixer, kZeroMixer, kSignMixer, kSizeMixer };

int to_steps(int score) { return (score + (score < 0 ? -kStep / 2 : kStep / 2)) / kStep; }

// 0 to 9, finer for small numbers.
std::uint32_t size_class(int value) {
    constexpr int kBounds[] = {1, 2, 3, 4, 8, 14, 24, 48, 100};
    return std::uint32_t(std::upper_bound(std::begin(kBounds), std::end(kBounds), std::abs(value)) - kBounds);
}

}  // namespace

ScoreModel::Kind ScoreModel::kind_of(int score) {
    return score == kNoScore ? Kind::kNone : std::abs(score) > kMateRange ? Kind::kMate : Kind::kCentipawns;
}

std::int16_t ScoreModel::rounded(std::int16_t score) {
    return kind_of(score) == Kind::kCentipawns ? std::int16_t(to_steps(score) * kStep) : score;
}

void ScoreModel::begin_game() {
    last_kind_ = Kind::kNone;
    last_mate_ = last_steps_ = changes_[0] = changes_[1] = 0;
}

std::int16_t ScoreModel::code(std::int16_t score, std::size_t ply, bool is_after_capture) {
    const Kind kind = code_kind(kind_of(score), ply);
    int found = kNoScore, change = 0, steps = 0;
    if (kind == Kind::kMate) {
        found = code_mate(score);
        steps = found > 0 ? kDecided : -kDecided;
    } else if (kind == Kind::kCentipawns) {
        change = code_change(to_steps(score) + last_steps_, is_after_capture);
        steps = change - last_steps_;
        if (std::abs(steps) > kMostSteps) throw RecordError("the packed games are damaged: a score out of range");
        found = steps * kStep;
    }
    last_kind_ = kind;
    last_mate_ = kind == Kind::kMate ? found : 0;
    last_steps_ = steps;
    changes_[1] = changes_[0];
    changes_[0] = change;
    return std::int16_t(found);
}

ScoreModel::Kind ScoreModel::code_kind(Kind kind, std::size_t ply) {
    const auto before = std::uint32_t(last_kind_);
    const std::uint32_t when = hash_of(hash_of(kKindAt, before), std::uint32_t(std::min<std::size_t>(ply, 24)));
    const std::uint32_t height = hash_of(hash_of(kKindAbove, before), size_class(last_steps_ / 16));
    if (bits_.code(kind == Kind::kNone, {when, height}, mixer_ + kKindMixer)) return Kind::kNone;
    return bits_.code(kind == Kind::kMate, {hash_of(when, 1), hash_of(height, 1)}, mixer_ + kKindMixer)
               ? Kind::kMate
               : Kind::kCentipawns;
}

// For whom, and in how many plies: one less than a ply ago, if it was a mate then.
int ScoreModel::code_mate(int score) {
    const bool expects_win = last_steps_ < 0;
    const bool wins = bits_.code(score > 0, {hash_of(kMateSign, expects_win)}, mixer_ + kMateMixer);
    const auto before = std::uint32_t(last_mate_ ? std::min(kMateScore - std::abs(last_mate_), 62) : 63);
    const std::uint32_t plies =
        bits_.code_number(std::uint32_t(kMateScore - std::abs(score)),
                          {hash_of(kMateFar, before), kMateAny * 0x9E3779B1u}, mixer_ + kMateMixer);
    if (plies >= std::uint32_t(kMateScore - kMateRange))
        throw RecordError("the packed games are damaged: a mate out of range");
    return wins ? kMateScore - int(plies) : int(plies) - kMateScore;
}

// The difference between this score and the other side's before, turned around. Where scores moved, they move on.
int ScoreModel::code_change(int change, bool is_after_capture) {
    const std::uint32_t unrest = size_class(changes_[0]), before = size_class(changes_[1]);
    const std::uint32_t height = size_class(last_steps_ / 4), sum = size_class(changes_[0] + changes_[1]);
    const std::uint32_t facts = std::uint32_t(changes_[0] < 0) << 1 | std::uint32_t(last_steps_ == 0);
    const auto fine = std::uint32_t(std::clamp(changes_[0], -30, 30) + 32);
    const auto contexts = [&](Topic topic, std::uint32_t more) {
        return std::array<std::uint32_t, 4>{
            hash_of(hash_of(topic, unrest << 4 | before), facts << 1 | more),
            hash_of(hash_of(topic + 1, height << 4 | unrest), std::uint32_t(is_after_capture) << 1 | more),
            hash_of(hash_of(topic + 2, fine), more),
            hash_of(hash_of(topic + 3, height << 4 | sum), more),
        };
    };
    const auto zero = contexts(kZero, 0), sign = contexts(kSign, 0);
    if (bits_.code(change == 0, zero.data(), 4, mixer_ + kZeroMixer)) return 0;
    const bool is_up = bits_.code(change > 0, sign.data(), 4, mixer_ + kSignMixer);
    const auto size = contexts(kSize, is_up);
    const std::uint32_t found = bits_.code_number(std::uint32_t(std::abs(change)) - 1,
                                                  {size[0], size[1], size[2], size[3]}, mixer_ + kSizeMixer);
    return is_up ? int(std::min(found, 1u << 20)) + 1 : -int(std::min(found, 1u << 20)) - 1;
}

}  // namespace philidor::records
