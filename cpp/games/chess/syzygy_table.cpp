#include "games/chess/syzygy_table.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace philidor::chess {

namespace {

constexpr int kMostMen = SyzygyTable::kMostMen, kFiles = SyzygyTable::kFiles;

// ---- Numbers by which positions are counted.

int above_diagonal(int square) { return square / 8 - square % 8; }

struct Maps {
    std::uint64_t choose[8][64] = {};  // [k][n]: k of n
    int triangle[64] = {};             // a1-d1-d4, the diagonal last
    int below_diagonal[64] = {};       // b1-h1-h7
    int kings[10][64] = {};            // [the first in the triangle][the second]
    int pawn[64] = {};                 // the greater, the nearer to the edge and to promotion's far end
    std::uint64_t lead[6][64] = {};    // [pawns that lead][where the first is]
    std::uint64_t lead_size[6][kFiles] = {};

    Maps() {
        choose[0][0] = 1;
        for (int n = 1; n < 64; ++n)
            for (int k = 0; k < 8 && k <= n; ++k)
                choose[k][n] = (k ? choose[k - 1][n - 1] : 0) + (k < n ? choose[k][n - 1] : 0);
        count_triangle();
        count_kings();
        count_pawns();
    }

  private:
    void count_triangle() {
        int below = 0, inside = 0;
        for (int square = 0; square < 64; ++square)
            if (above_diagonal(square) < 0) below_diagonal[square] = below++;
        for (const bool on_diagonal : {false, true})
            for (int square = 0; square < 28; ++square)
                if (square % 8 < 4 && (on_diagonal ? above_diagonal(square) == 0 : above_diagonal(square) < 0))
                    triangle[square] = inside++;
    }

    // Pairs of kings that do not touch; with the first on the diagonal, the second is on it or below.
    void count_kings() {
        std::vector<std::pair<int, int>> both_on_diagonal;
        int code = 0;
        for (int index = 0; index < 10; ++index)
            for (int first = 0; first < 28; ++first) {
                if (first % 8 > 3 || above_diagonal(first) > 0 || triangle[first] != index) continue;
                for (int second = 0; second < 64; ++second) {
                    const bool touches = std::abs(first / 8 - second / 8) <= 1 && std::abs(first % 8 - second % 8) <= 1;
                    if (touches || (above_diagonal(first) == 0 && above_diagonal(second) > 0)) continue;
                    if (above_diagonal(first) == 0 && above_diagonal(second) == 0)
                        both_on_diagonal.emplace_back(index, second);
                    else
                        kings[index][second] = code++;
                }
            }
        for (const auto& [index, second] : both_on_diagonal) kings[index][second] = code++;
    }

    void count_pawns() {
        int rest = 47;
        for (int file = 0; file < kFiles; ++file)
            for (int rank = 1; rank < 7; ++rank) {
                pawn[8 * rank + file] = rest--;
                pawn[8 * rank + 7 - file] = rest--;
            }
        for (int pawns = 1; pawns < 6; ++pawns)
            for (int file = 0; file < kFiles; ++file) {
                std::uint64_t sum = 0;
                for (int rank = 1; rank < 7; ++rank) {
                    lead[pawns][8 * rank + file] = sum;
                    sum += choose[pawns - 1][pawn[8 * rank + file]];
                }
                lead_size[pawns][file] = sum;
            }
    }
};

const Maps& maps() {
    static const Maps instance;
    return instance;
}

constexpr std::string_view kLetters = "PNBRQK";

std::uint64_t material_of(const int (&counts)[2][6]) {
    std::uint64_t key = 0;
    for (const auto& side : counts)
        for (const int count : side) key = 16 * key + std::uint64_t(count);
    return key;
}

[[noreturn]] void fail(const char* why) { throw std::runtime_error(why); }

}  // namespace

std::uint64_t material_of(const Board& board) {
    int counts[2][6];
    for (const Color color : {kWhite, kBlack})
        for (int type = kPawn; type <= kKing; ++type)
            counts[color == kBlack][type - 1] = popcount(board.pieces(color, PieceType(type)));
    return material_of(counts);
}

std::uint64_t SyzygyTable::number(std::size_t at, int bytes) const {
    if (at + std::size_t(bytes) > file_.size()) fail("it is too short");
    std::uint64_t value = 0;
    for (int i = bytes; i--;) value = value << 8 | file_[at + std::size_t(i)];
    return value;
}

std::uint64_t SyzygyTable::big_endian(std::size_t at, int bytes) const {
    std::uint64_t value = 0;
    // The last code of a file may end before the last word that is read for it.
    for (int i = 0; i < bytes; ++i)
        value = value << 8 | (at + std::size_t(i) < file_.size() ? file_[at + std::size_t(i)] : 0);
    return value;
}

SyzygyTable::SyzygyTable(std::string path, std::string_view name) : path_(std::move(path)) {
    int counts[2][6] = {}, side = 0;
    for (const char letter : name) {
        const std::size_t type = kLetters.find(letter);
        if (letter == 'v' && side == 0)
            side = 1;
        else if (type == std::string_view::npos)
            throw std::invalid_argument("no name of a table");
        else
            ++counts[side][type], ++men_;
    }
    if (counts[0][5] != 1 || counts[1][5] != 1 || men_ < 3 || men_ > kMostMen)
        throw std::invalid_argument("no name of a table");
    key_ = material_of(counts);
    const int white = counts[0][0], black = counts[1][0];
    // The side with fewer pawns leads, if it has any: there are fewer ways to place them.
    const bool white_leads = !black || (white && black >= white);
    pawns_[0] = white_leads ? white : black;
    pawns_[1] = white_leads ? black : white;
    for (const auto& kinds : counts)
        for (int type = 0; type < 5; ++type) has_unique_ |= kinds[type] == 1;
    std::swap(counts[0], counts[1]);
    turned_key_ = material_of(counts);
}

void SyzygyTable::open() {
    try {
        file_ = core::MappedFile(path_);
        read();
        is_good_ = true;
    } catch (const std::runtime_error&) {
        file_ = {};
    }
}

void SyzygyTable::read() {
    if (number(0, 4) != 0x5D23E871) fail("it is no table of results");
    const int flags = int(number(4, 1));
    const bool is_split = key_ != turned_key_, has_pawns = pawns_[0] > 0, both = pawns_[1] > 0;
    if (bool(flags & 1) != is_split || bool(flags & 2) != has_pawns) fail("it is of other men");
    const int sides = is_split ? 2 : 1, files = has_pawns ? kFiles : 1;
    std::size_t at = 5;
    // 1. Which men come first, for each file of the leading pawn.
    for (int file = 0; file < files; ++file) {
        const std::uint64_t first = number(at, 1), second = both ? number(at + 1, 1) : 0xFF;
        at += both ? 2 : 1;
        for (int i = 0; i < men_; ++i, ++at)
            for (int side = 0; side < sides; ++side)
                parts_[side][file].pieces[i] = std::uint8_t(number(at, 1) >> (4 * side) & 15);
        for (int side = 0; side < sides; ++side)
            set_groups(parts_[side][file], {int(first >> (4 * side) & 15), int(second >> (4 * side) & 15)}, file);
    }
    at += at % 2;
    // 2. How they are compressed, and where everything is.
    for (int file = 0; file < files; ++file)
        for (int side = 0; side < sides; ++side) at = read_sizes(parts_[side][file], at);
    const auto place = [&](std::size_t Part::* where, auto size, std::size_t alignment) {
        for (int file = 0; file < files; ++file)
            for (int side = 0; side < sides; ++side) {
                Part& part = parts_[side][file];
                at = (at + alignment - 1) / alignment * alignment;
                part.*where = at;
                at += std::size_t(size(part));
                if (at > file_.size()) fail("it is too short");
            }
    };
    place(&Part::sparse, [](const Part& part) { return 6 * part.sparse_size; }, 1);
    place(&Part::block_lengths, [](const Part& part) { return 2 * part.lengths_size; }, 1);
    place(&Part::data, [](const Part& part) { return part.blocks * part.block_size; }, 64);
}

// Equal men form a group, the leading pawns or pieces the first one.
void SyzygyTable::set_groups(Part& part, const int (&order)[2], int file) const {
    const Maps& map = maps();
    const bool has_pawns = pawns_[0] > 0, both = pawns_[1] > 0;
    int leading = has_pawns ? 0 : has_unique_ ? 3 : 2;
    part.groups = 0;
    part.lengths[0] = 1;
    for (int i = 1; i < men_; ++i)
        if (--leading > 0 || part.pieces[i] == part.pieces[i - 1])
            ++part.lengths[part.groups];
        else
            part.lengths[++part.groups] = 1;
    ++part.groups;
    if (has_pawns && (part.lengths[0] != pawns_[0] || (both && part.lengths[1] != pawns_[1]))) fail("its men are odd");
    int next = both ? 2 : 1, free = 64 - part.lengths[0] - (both ? part.lengths[1] : 0);
    std::uint64_t size = 1;
    for (int k = 0; k < 16; ++k) {
        if (k == order[0]) {
            part.factors[0] = size;
            size *= has_pawns ? map.lead_size[part.lengths[0]][file] : has_unique_ ? 31332 : 462;
        } else if (both && k == order[1]) {
            part.factors[1] = size;
            size *= map.choose[part.lengths[1]][48 - part.lengths[0]];
        } else if (next < part.groups) {
            part.factors[next] = size;
            size *= map.choose[part.lengths[next]][free];
            free -= part.lengths[next++];
        }
    }
    part.factors[part.groups] = size;
}

std::size_t SyzygyTable::read_sizes(Part& part, std::size_t at) const {
    constexpr int kSingle = 0x80;
    if (number(at, 1) & kSingle) {
        part.single = int(number(at + 1, 1));
        return at + 2;
    }
    const std::uint64_t block_bits = number(at + 1, 1), span_bits = number(at + 2, 1), padding = number(at + 3, 1);
    const int longest = int(number(at + 8, 1));
    part.shortest = int(number(at + 9, 1));
    if (block_bits > 31 || span_bits > 31 || longest > 32 || part.shortest < 1 || part.shortest > longest)
        fail("its sizes are odd");
    part.block_size = std::uint64_t(1) << block_bits;
    part.span = std::uint64_t(1) << span_bits;
    part.sparse_size = (part.factors[part.groups] + part.span - 1) / part.span;
    part.blocks = number(at + 4, 4);
    part.lengths_size = part.blocks + padding;
    part.lowest = at + 10;
    // The first code of each length, as if it were 64 bits long: longer codes are smaller.
    const std::size_t lengths = std::size_t(longest - part.shortest + 1);
    part.bases.assign(lengths, 0);
    for (std::size_t i = lengths - 1; i-- > 0;)
        part.bases[i] = (part.bases[i + 1] + number(part.lowest + 2 * i, 2) - number(part.lowest + 2 * i + 2, 2)) / 2;
    for (std::size_t i = 0; i < lengths; ++i) part.bases[i] <<= 64 - int(i) - part.shortest;
    at = part.lowest + 2 * lengths;
    const int symbols = int(number(at, 2));
    part.tree = at + 2;
    measure_symbols(part, symbols);
    return part.tree + 3 * std::size_t(symbols) + std::size_t(symbols % 2);
}

// How many values each symbol stands for, less one. A pair of symbols is one too.
void SyzygyTable::measure_symbols(Part& part, int count) const {
    constexpr int kLeaf = 0xFFF;
    enum class Mark : std::uint8_t { kNew, kOpen, kDone };
    part.symbol_lengths.assign(std::size_t(count), 0);
    std::vector<Mark> marks(std::size_t(count), Mark::kNew);
    std::vector<int> stack;
    for (int start = 0; start < count; ++start) {
        stack.push_back(start);
        while (!stack.empty()) {
            const int symbol = stack.back();
            const std::size_t here = std::size_t(symbol);
            const int one = left(part, symbol), other = right(part, symbol);
            if (marks[here] == Mark::kDone || other == kLeaf) {
                marks[here] = Mark::kDone;
                stack.pop_back();
                continue;
            }
            if (one >= count || other >= count) fail("its symbols are odd");
            if (marks[here] == Mark::kOpen) {
                const int length = part.symbol_lengths[std::size_t(one)] + part.symbol_lengths[std::size_t(other)] + 1;
                if (marks[std::size_t(one)] != Mark::kDone || marks[std::size_t(other)] != Mark::kDone || length > 255)
                    fail("its symbols are odd");
                part.symbol_lengths[here] = std::uint8_t(length);
                marks[here] = Mark::kDone;
                stack.pop_back();
                continue;
            }
            marks[here] = Mark::kOpen;
            for (const int child : {one, other})
                if (marks[std::size_t(child)] == Mark::kNew) stack.push_back(child);
        }
    }
}

// The value with this number: its block, the symbols of the block up to it, and the pair by pair into the last symbol.
int SyzygyTable::value_at(const Part& part, std::uint64_t index) const {
    if (part.single >= 0) return part.single;
    // 1. The block: the sparse index knows one near by.
    const std::size_t known = part.sparse + 6 * std::size_t(index / part.span);
    std::int64_t block = std::int64_t(number(known, 4));
    std::int64_t offset =
        std::int64_t(number(known + 4, 2)) + std::int64_t(index % part.span) - std::int64_t(part.span / 2);
    const auto length = [&](std::int64_t of) {
        if (of < 0 || of >= std::int64_t(part.lengths_size)) fail("its index is odd");
        return std::int64_t(number(part.block_lengths + 2 * std::size_t(of), 2));
    };
    while (offset < 0) offset += length(--block) + 1;
    while (offset > length(block)) offset -= length(block++) + 1;
    if (block >= std::int64_t(part.blocks)) fail("its index is odd");
    // 2. The symbol. Codes are read from the highest bits, and come in order of their lengths.
    std::size_t at = part.data + std::size_t(block) * part.block_size;
    std::uint64_t bits = big_endian(at, 8);
    int have = 64, symbol = 0;
    at += 8;
    for (;;) {
        std::size_t extra = 0;
        while (bits < part.bases[extra])
            if (++extra == part.bases.size()) fail("its codes are odd");
        const int code = part.shortest + int(extra);
        symbol = int((bits - part.bases[extra]) >> (64 - code)) + int(number(part.lowest + 2 * extra, 2));
        if (symbol >= int(part.symbol_lengths.size())) fail("its codes are odd");
        const int values = part.symbol_lengths[std::size_t(symbol)] + 1;
        if (offset < values) break;
        offset -= values;
        bits <<= code;
        have -= code;
        if (have <= 32) {
            have += 32;
            bits |= big_endian(at, 4) << (64 - have);
            at += 4;
        }
    }
    // 3. Into the pairs.
    while (part.symbol_lengths[std::size_t(symbol)]) {
        const int one = left(part, symbol);
        const int values = part.symbol_lengths[std::size_t(one)] + 1;
        if (offset < values) {
            symbol = one;
        } else {
            offset -= values;
            symbol = right(part, symbol);
        }
    }
    return left(part, symbol);
}

// Three different men without pawns: the first in the triangle a1-d1-d4, as far as mirrors can do it.
std::uint64_t SyzygyTable::index_of_three(const std::array<int, kMostMen>& squares) {
    const Maps& map = maps();
    const int a = squares[0], b = squares[1], c = squares[2];
    const int less_b = b > a, less_c = (c > a) + (c > b);
    if (above_diagonal(a))
        return (std::uint64_t(map.triangle[a]) * 63 + std::uint64_t(b - less_b)) * 62 + std::uint64_t(c - less_c);
    if (above_diagonal(b))
        return std::uint64_t(6 * 63 + a / 8 * 28 + map.below_diagonal[b]) * 62 + std::uint64_t(c - less_c);
    constexpr int kBefore = 6 * 63 * 62 + 4 * 28 * 62;
    if (above_diagonal(c))
        return std::uint64_t(kBefore + a / 8 * 7 * 28 + (b / 8 - less_b) * 28 + map.below_diagonal[c]);
    return std::uint64_t(kBefore + 4 * 7 * 28 + a / 8 * 7 * 6 + (b / 8 - less_b) * 6 + (c / 8 - less_c));
}

// The number of a position among all with the same men, symmetric ones counted once.
std::uint64_t SyzygyTable::index_of(const Part& part, std::array<int, kMostMen>& squares, int leading) const {
    const Maps& map = maps();
    const auto begin = squares.begin();
    const auto turn_all = [&](int mask) {
        for (int i = 0; i < men_; ++i) squares[std::size_t(i)] ^= mask;
    };
    std::uint64_t index = 0;
    if (squares[0] % 8 > 3) turn_all(7);
    if (leading) {
        index = map.lead[leading][squares[0]];
        std::stable_sort(begin + 1, begin + leading, [&](int a, int b) { return map.pawn[a] < map.pawn[b]; });
        for (int i = 1; i < leading; ++i) index += map.choose[i][map.pawn[squares[std::size_t(i)]]];
    } else {
        if (squares[0] / 8 > 3) turn_all(56);
        for (int i = 0; i < part.lengths[0]; ++i) {
            const int side = above_diagonal(squares[std::size_t(i)]);
            if (!side) continue;
            if (side > 0)
                for (int& square : squares) square = (square >> 3) | (square & 7) << 3;
            break;
        }
        index = has_unique_ ? index_of_three(squares) : std::uint64_t(map.kings[map.triangle[squares[0]]][squares[1]]);
    }
    index *= part.factors[0];
    // The other groups: which squares of those still free, pawns not counting the first rank.
    int done = part.lengths[0];
    for (int group = 1; group < part.groups; ++group) {
        const auto first = begin + done;
        std::sort(first, first + part.lengths[group]);
        std::uint64_t sum = 0;
        for (int i = 0; i < part.lengths[group]; ++i) {
            const int square = first[i];
            const int taken = int(std::count_if(begin, first, [&](int other) { return other < square; }));
            sum += map.choose[i + 1][square - taken - (group == 1 && pawns_[1] ? 8 : 0)];
        }
        index += sum * part.factors[group];
        done += part.lengths[group];
    }
    return index;
}

std::optional<int> SyzygyTable::look_up(const Board& board) {
    std::call_once(opened_, [this] { open(); });
    if (!is_good_) return std::nullopt;
    // The table's White is the side that its name says first. With equal men there are positions of one mover only.
    const bool is_black = board.to_move() == kBlack;
    const bool is_turned = key_ == turned_key_ ? is_black : material_of(board) != key_;
    const int color_mask = is_turned ? 8 : 0, square_mask = is_turned ? 56 : 0;
    const int side = key_ == turned_key_ ? 0 : int(is_turned != is_black);
    std::array<int, kMostMen> squares{};
    std::uint8_t pieces[kMostMen] = {};
    int size = 0, file = 0;
    Bitboard rest = board.occupied();
    const auto add = [&](Square square) {
        pieces[size] = std::uint8_t(board.piece_on(square) ^ color_mask);
        squares[std::size_t(size++)] = int(square) ^ square_mask;
    };
    if (pawns_[0]) {
        const Piece leader = Piece(parts_[0][0].pieces[0] ^ color_mask);
        if (type_of(leader) != kPawn) return std::nullopt;
        const Bitboard pawns = board.pieces(color_of(leader), kPawn);
        for (Bitboard left = pawns; left; left &= left - 1) add(first_square(left));
        rest ^= pawns;
        const Maps& map = maps();
        const auto last = squares.begin() + size;
        std::iter_swap(squares.begin(), std::max_element(squares.begin(), last,
                                                         [&](int a, int b) { return map.pawn[a] < map.pawn[b]; }));
        file = std::min(squares[0] % 8, 7 - squares[0] % 8);
    }
    const int leading = size;
    for (; rest; rest &= rest - 1) add(first_square(rest));
    const Part& part = parts_[side][file];
    // The men in the table's order.
    for (int i = leading; i < size; ++i)
        for (int j = i; j < size; ++j)
            if (pieces[j] == part.pieces[i]) {
                std::swap(pieces[i], pieces[j]);
                std::swap(squares[std::size_t(i)], squares[std::size_t(j)]);
                break;
            }
    try {
        const int value = value_at(part, index_of(part, squares, leading)) - 2;
        return value < -2 || value > 2 ? std::nullopt : std::optional<int>(value);
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

}  // namespace philidor::chess
