// A linear softmax over pattern features: AlphaGo's rollout policy and tree policy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/patterns/features.h"

namespace philidor::evaluators::patterns {

// Which number a shape has: every image of a known one leads to it.
class ShapeTable {
  public:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    ShapeTable() : ShapeTable(std::span<const std::uint64_t>{}, kSquareImages) {}
    // The shapes have numbers in the order of the list.
    template <std::size_t N>
    ShapeTable(std::span<const std::uint64_t> keys,
               const std::array<std::array<std::uint8_t, N>, kSymmetries>& images) {
        while ((std::size_t{1} << bits_) < 2 * kSymmetries * keys.size()) ++bits_;
        slots_.assign(std::size_t{1} << bits_, {kFreeKey, kNone});
        for (std::size_t number = 0; number < keys.size(); ++number)
            for (const auto& places : images) insert(image(keys[number], places), std::uint32_t(number));
    }
    std::uint32_t find(std::uint64_t key) const {
        for (std::size_t i = slot_of(key);; i = (i + 1) & (slots_.size() - 1)) {
            if (slots_[i].key == key) return slots_[i].number;
            if (slots_[i].key == kFreeKey) return kNone;
        }
    }

  private:
    static constexpr std::uint64_t kFreeKey = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key;
        std::uint32_t number;
    };
    std::size_t slot_of(std::uint64_t key) const {
        return std::size_t((key * 0x9E37'79B9'7F4A'7C15ULL) >> (64 - bits_));
    }
    void insert(std::uint64_t key, std::uint32_t number) {
        std::size_t i = slot_of(key);
        while (slots_[i].key != kFreeKey && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = {key, number};
    }

    int bits_ = 4;
    std::vector<Slot> slots_;
};

// Canonical shapes that a policy knows, in ascending order.
struct Shapes {
    std::vector<std::uint64_t> squares, responses, diamonds;
};

// Numbers of all features of a policy: those with a fixed place first, then the shapes.
class Book {
  public:
    static constexpr std::uint32_t kAnyResponse = 0, kSaveAtari = 1, kNeighbor = 2, kSelfAtari = 10, kDistance = 11,
                                   kEarlierDistance = kDistance + kDistances, kNakade = kEarlierDistance + kDistances,
                                   kFixed = kNakade + (1 << kDiamondCells);

    // Throws std::invalid_argument for shapes that are not canonical or not in order.
    Book(Shapes shapes, bool is_tree);
    bool is_tree() const { return is_tree_; }
    const Shapes& shapes() const { return shapes_; }
    std::size_t size() const {
        return kFixed + shapes_.squares.size() + shapes_.responses.size() + shapes_.diamonds.size();
    }

    struct Move {
        Point point;
        std::uint8_t count;
        std::array<std::uint32_t, kMostFeatures> features;
    };
    // The numbers of single features; kNone of shapes that are not known.
    std::uint32_t square(std::uint64_t key) const { return numbered(squares_, key, kFixed); }
    std::uint32_t response(std::uint64_t key) const { return numbered(responses_, key, first_response_); }
    std::uint32_t diamond(std::uint64_t key) const { return numbered(diamonds_, key, first_diamond_); }
    std::uint32_t nakade(std::uint64_t shape) const { return kNakade + nakade_[shape]; }
    // The features of every legal point, in order.
    void read(const Scene& scene, std::vector<Move>& moves) const;

  private:
    static std::uint32_t numbered(const ShapeTable& table, std::uint64_t key, std::uint32_t first) {
        const std::uint32_t number = table.find(key);
        return number == ShapeTable::kNone ? number : first + number;
    }

    bool is_tree_;
    Shapes shapes_;
    ShapeTable squares_, responses_, diamonds_;
    std::uint32_t first_response_, first_diamond_;
    std::vector<std::uint16_t> nakade_;  // the canonical form of each shape
};

// Sums of weights, and how they become probabilities.
class Policy {
  public:
    // A rollout multiplies the powers of up to six weights and adds those of all points, in floats: beyond this they
    // would overflow, and what is drawn by them would be no move. As in nets/patterns.py.
    static constexpr float kMostWeight = 12;
    // Throws std::invalid_argument if the weights are not as many as the features, or too large.
    Policy(Book book, std::vector<float> weights);
    const Book& book() const { return book_; }
    const std::vector<float>& weights() const { return weights_; }
    // Probabilities of the legal points, in order. `moves` is room to work in.
    void evaluate(const Scene& scene, std::vector<Book::Move>& moves, std::vector<float>& chances) const;

  private:
    Book book_;
    std::vector<float> weights_;
};

// Sums of weights into probabilities.
void softmax(std::vector<float>& sums);

}  // namespace philidor::evaluators::patterns
