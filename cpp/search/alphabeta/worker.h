// One thread of the alpha-beta search, over any native evaluator. The members are defined in worker_root.h
// (iterative deepening), worker_search.h (the tree), worker_pruning.h, worker_quiescence.h and worker_learning.h; a
// player's source file includes engine_of.h and instantiates the search for its evaluator.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/large_array.h"
#include "games/chess/checks.h"
#include "games/chess/evaluator.h"
#include "games/chess/position.h"
#include "games/chess/repetition.h"
#include "games/chess/syzygy.h"
#include "search/alphabeta/history.h"
#include "search/alphabeta/limits.h"
#include "search/alphabeta/picker.h"
#include "search/alphabeta/reductions.h"
#include "search/alphabeta/table.h"
#include "search/alphabeta/threats.h"
#include "search/alphabeta/timing.h"

namespace philidor::search {

// What all threads of a search share.
struct Shared {
    Table table;
    std::shared_ptr<const chess::SyzygyTables> endings;  // none without endgame tables
    std::atomic<std::uint64_t> ending_hits{0};
    Clock clock;
    Limits limits;
    Options options;
    Reductions reductions = reductions_of(options.parameters);
    std::atomic<bool> stop{false};
    std::atomic<bool> pondering{false};
    // Added up now and then, see Worker::share_node_count; on a cache line of its own, as all threads write it.
    alignas(64) std::atomic<std::uint64_t> nodes{0};
};

struct RootMove {
    chess::Move move{};
    int score = -kInfinite;
    int previous_score = -kInfinite;
    int average_score = kNoScore;
    int selective_depth = 0;
    int depth = 0;  // of the iteration that found score and line
    std::uint64_t nodes = 0;
    ScoreBound bound = ScoreBound::kExact;
    std::vector<chess::Move> line;
};

template <chess::NativeEvaluator Evaluator>
class Worker {
  public:
    using Report = std::function<void(Event)>;

    Worker(Shared& shared, int index) : shared_(shared), index_(index), histories_(1) { new_game(); }

    Evaluator& evaluator() { return evaluator_; }
    void new_game() {
        histories_->clear();
        nodes_ = nodes_before_ = 0;
    }

    // Before `run`, from one thread. The position is kept alive until the next call.
    void set_position(chess::PositionPtr position);
    // Searches until a limit or the stop flag; the main worker (index 0) reports.
    void run(const Report& report);
    // After `run`: its lines as they stand, with the nodes of all threads; nothing if that has been said.
    void report_end(const Report& report);

    const std::vector<RootMove>& root_moves() const { return root_moves_; }
    int completed_depth() const { return completed_depth_; }
    const Verdict& verdict() const { return verdict_; }
    chess::Color to_move() const { return position_->board().to_move(); }

  private:
    enum class NodeType { kRoot, kPv, kOther };

    // What a node on the current path remembers.
    struct Frame {
        PieceTo* continuation = nullptr;  // of `move`; none without one
        chess::Move move{};
        chess::Move excluded{};
        chess::Move killers[2] = {};
        chess::Piece piece = chess::kNoPiece;
        int static_evaluation = kNoScore;
        int move_count = 0;
        int extensions = 0;                      // double extensions on the way here
        int reduction = 0;                       // of `move`, while it is searched less deep
        int cutoffs = 0;                         // of nodes here since the grandparent was entered
        std::uint16_t piece_places[2] = {0, 0};  // of piece_correction, by whose pieces
        int correction = 0;                      // of the static evaluation
        Threats threats;                         // to the side to move, once moves are searched
        bool in_check = false;
    };

    // One call of `search`, as its steps see it.
    struct Node {
        int alpha, beta, depth, ply;
        bool is_root, is_pv, is_cut;
        Frame* frame;
        TableEntry entry{};
        bool has_entry = false;
        int table_score = kNoScore;
        chess::Move table_move{};
        int evaluation = kNoScore;  // the best guess so far
        bool improving = false;
        bool is_table_capture = false;
        int original_alpha = 0;
        int best_score = -kInfinite;
        int ceiling = kInfinite;  // what the endgame tables allow
        chess::Move best_move{};
    };

    // A move of a node, about to be searched.
    struct Candidate {
        chess::Move move;
        int number;     // from 1, in the order in which they are tried
        bool is_quiet;  // neither a capture nor a promotion to a queen
        bool is_sound;  // known to lose nothing by exchange
        int history;    // of quiet moves, or of captures if reductions ask for it
    };

    struct Tried {
        chess::Move moves[64];
        int count = 0;
        void add(chess::Move move) {
            if (count < 64) moves[count++] = move;
        }
    };

    // worker_root.h
    void deepen(int depth);
    void aspirate(int depth, int index);
    void settle(int depth);
    bool is_time_up(int depth, int stable, int previous_score) const;
    void report_lines(const Report& report);
    void report_progress();
    void begin_root_move(chess::Move move, int move_count);
    bool is_in_root_moves(chess::Move move) const;

    // worker_search.h
    template <NodeType Type>
    int search(int alpha, int beta, int depth, int ply, bool is_cut);
    std::optional<int> enter(Node& node);
    std::optional<int> look_up(Node& node);
    std::optional<int> ask_endings(Node& node);
    void judge(Node& node);
    template <NodeType Type>
    void search_moves(Node& node);
    template <NodeType Type>
    int search_move(Node& node, const Candidate& candidate, int new_depth);
    int reduction(const Node& node, const Candidate& candidate) const;
    int finish(Node& node, int move_count, const Tried& quiets, const Tried& captures);
    void learn_from(const Node& node, const Tried& quiets, const Tried& captures);
    void learn_continuations(Frame* frame, chess::Piece piece, chess::Square to, int bonus);
    QuietContext quiet_context(const Node& node, chess::Checks& checks) const;
    int quiet_history(const Frame* frame, chess::Move move) const;
    int capture_history(chess::Move move) const;
    std::int16_t& quiet_entry(const Frame& frame, chess::Color us, chess::Move move) const {
        return histories_->quiet[us][threat_index(frame.threats.all, move)][std::size_t(from_to(move))];
    }
    void update_root_move(const Node& node, chess::Move move, int move_count, int score, std::uint64_t nodes);

    // worker_pruning.h
    std::optional<int> prune_node(Node& node);
    std::optional<int> try_null_move(Node& node);
    std::optional<int> try_probcut(Node& node);
    int late_moves_history() const;
    bool should_skip(const Node& node, const Candidate& candidate, chess::Checks& checks, bool& skip_quiets) const;
    bool loses(const Node& node, const Candidate& candidate, int limit) const;
    std::optional<int> singular_extension(Node& node, const Candidate& candidate, chess::Checks& checks,
                                          int& extension);

    // worker_quiescence.h
    template <bool IsPv>
    int quiescence(int alpha, int beta, int ply);
    bool is_needless(const Node& node, chess::Move move, int move_count, int futility, int alpha, int& best) const;

    void prefetch_after(chess::Move move) const;
    void make(chess::Move move, int ply);
    void unmake(chess::Move move);
    int evaluate();
    std::int16_t& pawn_correction() const;
    void find_piece_places(Frame& frame) const;
    std::int16_t& piece_correction(const Frame* frame, chess::Color whose) const;
    std::int16_t& continuation_correction(const Frame* frame) const;
    int corrected(int evaluation, const Frame* frame) const;
    void learn_from_evaluation(const Frame& frame);
    void learn_from_failure(const Node& node);
    int hindsight(const Node& node) const;
    void learn_correction(const Node& node);
    bool is_draw(int ply) const;
    bool may_repeat(int ply) const;
    bool should_stop();
    bool has_reason_to_stop();
    std::uint64_t share_node_count();
    void update_line(int ply, chess::Move move);
    const Features& features() const { return shared_.options.features; }
    const Parameters& parameters() const { return shared_.options.parameters; }

    Shared& shared_;
    int index_;
    core::LargeArray<Histories> histories_;
    Evaluator evaluator_;
    chess::PositionPtr position_;
    chess::Board board_;
    std::vector<RootMove> root_moves_;
    int first_root_ = 0;  // with several lines: those before are settled
    int root_depth_ = 0;
    int completed_depth_ = 0;
    Verdict verdict_;
    int selective_depth_ = 0;
    int null_move_floor_ = 0;  // no null moves below this ply while one is verified
    std::uint64_t nodes_ = 0;
    std::uint64_t nodes_before_ = 0;  // of earlier searches of the game
    std::uint64_t shared_nodes_ = 0;  // of which all threads know
    std::uint64_t next_look_ = 0;     // when should_stop looks around again, in nodes
    bool stopped_ = false;

    const Report* report_ = nullptr;  // of the main worker while it runs
    chess::Move current_move_{};      // of the root
    int current_number_ = 0;
    std::int64_t last_report_ms_ = 0;
    std::uint64_t reported_nodes_ = 0;

    // From here on every move of the root is announced, as GUIs know it from Stockfish; before, they would flicker.
    static constexpr std::int64_t kAnnouncedAfterMs = 3000;
    // A fraction of a millisecond, with a slow evaluation too; asking for the time is not free.
    static constexpr std::uint64_t kNodesBetweenLooks = 256;
    static constexpr int kFramesBefore = 6;
    static constexpr int kBadHistory = -1000;
    std::array<chess::State, kMaxPly + 8> states_;
    std::array<Frame, kMaxPly + kFramesBefore + 8> frames_;
    std::array<std::array<chess::Move, kMaxPly + 2>, kMaxPly + 2> lines_;
    std::array<int, kMaxPly + 2> line_lengths_;
};

}  // namespace philidor::search
