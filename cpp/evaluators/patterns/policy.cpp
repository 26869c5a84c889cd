#include "evaluators/patterns/policy.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace philidor::evaluators::patterns {

namespace {

template <std::size_t N>
void check(const std::vector<std::uint64_t>& keys, std::uint64_t most,
           const std::array<std::array<std::uint8_t, N>, kSymmetries>& images) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] > most || (i > 0 && keys[i] <= keys[i - 1]) || canonical(keys[i], images) != keys[i])
            throw std::invalid_argument("patterns are canonical and in order");
}

// Before anything is made of them: shapes that are none would be looked up beyond their tables.
Shapes checked(Shapes shapes) {
    check(shapes.squares, (std::uint64_t{1} << 3 * kSquareCells) - 1, kSquareImages);
    const std::uint64_t largest = std::uint64_t(kDiamondCells + 1) << kReplyShift;
    check(shapes.responses, largest - 1, kDiamondImages);
    check(shapes.diamonds, (std::uint64_t{1} << kReplyShift) - 1, kDiamondImages);
    return shapes;
}

std::uint64_t moved_bits(std::uint64_t bits, const std::array<std::uint8_t, kDiamondCells>& places) {
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < places.size(); ++i) moved |= (bits >> i & 1) << places[i];
    return moved;
}

struct Reader {
    const Book& book;
    std::vector<Book::Move>& moves;

    void begin(Point p) { moves.push_back({p, 0, {}}); }
    bool put(std::uint32_t feature) {
        if (feature == ShapeTable::kNone) return false;
        Book::Move& move = moves.back();
        move.features[move.count++] = feature;
        return true;
    }
    void add(Kind kind, std::uint64_t key) {
        const auto place = std::uint32_t(key);
        switch (kind) {
            case Kind::kSaveAtari: put(Book::kSaveAtari); break;
            case Kind::kNeighbor: put(Book::kNeighbor + place); break;
            case Kind::kSelfAtari: put(Book::kSelfAtari); break;
            case Kind::kDistance: put(Book::kDistance + place); break;
            case Kind::kEarlierDistance: put(Book::kEarlierDistance + place); break;
            case Kind::kNakade: put(book.nakade(key)); break;
            case Kind::kSquare: put(book.square(key)); break;
            case Kind::kResponse:
                if (put(book.response(key))) put(Book::kAnyResponse);
                break;
            case Kind::kDiamond: put(book.diamond(key)); break;
        }
    }
};

}  // namespace

Book::Book(Shapes shapes, bool is_tree)
    : is_tree_(is_tree),
      shapes_(checked(std::move(shapes))),
      squares_(shapes_.squares, kSquareImages),
      responses_(shapes_.responses, kDiamondImages),
      diamonds_(shapes_.diamonds, kDiamondImages),
      first_response_(kFixed + std::uint32_t(shapes_.squares.size())),
      first_diamond_(first_response_ + std::uint32_t(shapes_.responses.size())),
      nakade_(1 << kDiamondCells) {
    for (std::uint64_t shape = 0; shape < nakade_.size(); ++shape) {
        std::uint64_t smallest = shape;
        for (const auto& places : kDiamondImages) smallest = std::min(smallest, moved_bits(shape, places));
        nakade_[shape] = std::uint16_t(smallest);
    }
}

void Book::read(const Scene& scene, std::vector<Move>& moves) const {
    moves.clear();
    Reader reader{*this, moves};
    for_each_feature(scene, is_tree_, reader);
}

Policy::Policy(Book book, std::vector<float> weights) : book_(std::move(book)), weights_(std::move(weights)) {
    if (weights_.size() != book_.size())
        throw std::invalid_argument("a policy has a weight for each feature, " + std::to_string(book_.size()) +
                                    " in all, got " + std::to_string(weights_.size()));
    for (const float weight : weights_)
        if (!(std::abs(weight) <= kMostWeight)) throw std::invalid_argument("weights are numbers from -12 to 12");
}

void Policy::evaluate(const Scene& scene, std::vector<Book::Move>& moves, std::vector<float>& chances) const {
    book_.read(scene, moves);
    chances.clear();
    for (const Book::Move& move : moves) {
        float sum = 0;
        for (std::size_t i = 0; i < move.count; ++i) sum += weights_[move.features[i]];
        chances.push_back(sum);
    }
    softmax(chances);
}

void softmax(std::vector<float>& sums) {
    if (sums.empty()) return;
    const float largest = *std::ranges::max_element(sums);
    double total = 0;
    for (float& sum : sums) total += sum = std::exp(sum - largest);
    for (float& sum : sums) sum = float(sum / total);
}

}  // namespace philidor::evaluators::patterns
