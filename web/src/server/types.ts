// What travels between server and page: written by tools/web_types.py from the server's schema. Do not edit.
// Sides are 0 (moves first) and 1; scores and values are the first side's view.

/** 0 moves first. */
export type Side = 0 | 1;

/** A square's name, such as "e4". */
export type Square = string;

export type ShortText = string;

/** What a character on the board stands for. */
export interface Piece {
  side: Side;
  name: string;
}

/** How to draw a board of squares. */
export interface GridShape {
  kind: 'grid';
  width: number;
  height: number;
  files: string[];
  ranks: string[];
  /** points: stones stand on the crossings of lines. */
  style: 'checkered' | 'plain' | 'points';
  /** How a piece is drawn. */
  art: 'figures' | 'discs' | 'strokes' | 'stones' | 'marked-stones' | 'letters';
  /** Whether the sides face each other, so that turning the board makes sense. */
  turns: boolean;
  pieces: Record<string, Piece>;
}

/** A game without squares is shown as its own text. */
export interface TextShape {
  kind: 'text';
}

export type BoardShape = GridShape | TextShape;

/** A position of a game. */
export interface Position {
  text: string;
  /** One character a square, row by row from the bottom; "." is empty. */
  cells: string | null;
  drawing: string | null;
  to_move: Side;
  ply: number;
  check: Square | null;
}

/** A move that may be made. */
export interface Move {
  text: string;
  san: string;
  /** null: a stone is placed. */
  from: Square | null;
  /** null: no square, as for a pass. */
  to: Square | null;
  promotion: string | null;
  /** Further squares on which a drop means the same move. */
  also: Square[];
}

/** The name of a chess opening. */
export interface Opening {
  eco: string;
  name: string;
}

/** A verdict for the first player: centipawns or moves to mate, the other one is null. */
export interface Score {
  cp: number | null;
  mate: number | null;
}

/** What an engine counted for a move; all verdicts are the first player's. */
export interface Thought {
  nodes: number;
  depth: number | null;
  time_ms: number;
  score: Score | null;
  value: number | null;
  counters: Record<string, number>;
  line: string[];
}

/** A move that was made and the position after it. */
export interface PlayedMove {
  text: string;
  san: string;
  from: Square | null;
  to: Square | null;
  promotion: string | null;
  ply: number;
  side: Side;
  /** After the move. */
  position: Position;
  captured: string | null;
  clock_ms: number | null;
  opening: Opening | null;
  thought: Thought | null;
}

/** How a game ended. */
export interface Result {
  winner: Side | null;
  score: '1-0' | '0-1' | '1/2-1/2';
  reason: string;
  text: string;
  /** The row of stones that has won, in games that rows decide. */
  squares: Square[];
}

/** The smallest and the largest width and height of a board. */
export interface Sizes {
  width: [number, number];
  height: [number, number];
}

/** A game that can be played. */
export interface Rules {
  name: string;
  title: string;
  /** How it is played; a blank line separates paragraphs. Empty for a game that does not say. */
  rules: string;
  sides: [string, string];
  board: BoardShape;
  start: Position;
  sizes: Sizes | null;
  chess960: boolean;
  pgn: boolean;
  editor: boolean;
  opponents: string[];
  /** Those whom the form lists at once. */
  first_opponents: string[];
  default_opponent: string;
}

/** A strength that is chosen by rating. */
export interface EloRange {
  kind: 'elo';
  min: number;
  max: number;
  step: number;
  default: number;
  has_full: boolean;
  /** Whose ratings they are like. */
  scale: string | null;
  /** What people call a rating below each of these. */
  words: [number, string][];
  /** Ratings below are not measured. */
  estimated_below: number | null;
}

/** A strength that is chosen from a list; the first level is 1. */
export interface LevelList {
  kind: 'levels';
  levels: string[];
  default: number;
}

/** Nothing to choose. */
export interface NoStrength {
  kind: 'none';
}

export type StrengthChoice = EloRange | LevelList | NoStrength;

export type SettingValue = boolean | number | ShortText;

export type Settings = Record<string, SettingValue>;

/** A setting of an opponent, for those who want to choose more than a strength. */
export interface OpponentSetting {
  name: string;
  type: 'int' | 'float' | 'bool' | 'text';
  min: number | null;
  max: number | null;
  choices: string[];
  /** null: decided elsewhere unless it is set. */
  default: SettingValue | null;
  help: string;
}

/** What an opponent can be asked to do as people do: resign and draw, take its time, keep to the person's level. */
export type Habit = 'resign' | 'pace' | 'follow';

/** Whom one can play. */
export interface Opponent {
  name: string;
  title: string;
  description: string;
  games: string[] | null;
  strength: StrengthChoice;
  settings: OpponentSetting[];
  habits: Habit[];
  /** A program is asked who it is while the page is open already. */
  status: 'ready' | 'asking' | 'unavailable';
  problem: string | null;
}

/** What the server takes at most. */
export interface Bounds {
  pgn_bytes: number;
  name_chars: number;
}

/** All that a page needs to know before the first game. */
export interface About {
  protocol: 1;
  version: string;
  games: Rules[];
  opponents: Opponent[];
  first_game: string;
  limits: Bounds;
  settings: Settings;
  /** Whether there is a folder of training runs to watch. */
  has_runs: boolean;
  /** What the player should know about their games, if anything. */
  notice: string | null;
}

/** Who plays a side; `opponent` and `strength` are an engine's. */
export interface PlayerView {
  kind: 'person' | 'engine';
  name: string;
  opponent: string | null;
  strength: Record<string, unknown> | null;
}

/** The clocks at the moment of sending. */
export interface Clock {
  base_ms: number;
  increment_ms: number;
  remaining_ms: [number, number];
  running: Side | null;
}

/** What the engine is doing. */
export interface EngineView {
  status: 'idle' | 'waiting' | 'thinking' | 'failed' | 'paused';
  message: string | null;
}

/** What the person may do now. */
export interface Can {
  move: boolean;
  takeback: boolean;
  play_on: boolean;
  rematch: boolean;
  resign: boolean;
  offer_draw: boolean;
  hint: boolean;
  retry: boolean;
}

export type Status = 'your_turn' | 'engine_turn' | 'over';

export type Variant = 'standard' | 'position' | 'chess960' | 'handicap';

/** Everything about one game. */
export interface GameView {
  id: string;
  revision: number;
  game: string;
  title: string;
  variant: Variant;
  chess960_number: number | null;
  created: string;
  updated: string;
  sides: [string, string];
  players: [PlayerView, PlayerView];
  /** null: both sides play at this board. */
  you: Side | null;
  status: Status;
  board: BoardShape;
  start: Position;
  position: Position;
  legal: Move[];
  moves: PlayedMove[];
  opening: Opening | null;
  captured: [string, string];
  material: number | null;
  clock: Clock | null;
  result: Result | null;
  draw_offer: Side | null;
  engine: EngineView;
  can: Can;
  tags: Record<string, string> | null;
}

/** A line in the list of games; one whose rules are not here cannot be opened, and its board is text. */
export interface GameSummary {
  id: string;
  game: string;
  title: string;
  variant: Variant;
  names: [string, string];
  you: Side | null;
  board: BoardShape;
  position: Position;
  ply_count: number;
  opening: Opening | null;
  result: Result | null;
  status: Status;
  /** Whether its rules are here. */
  can_open: boolean;
  created: string;
  updated: string;
}

/** One page of the list of games. */
export interface GameList {
  games: GameSummary[];
  total: number;
  page: number;
  pages: number;
}

/** What is to be said about a text that describes a position or a game. */
export interface PositionCheck {
  ok: boolean;
  problem: string | null;
  position: Position | null;
  legal_count: number;
  result: Result | null;
  moves: PlayedMove[] | null;
  tags: Record<string, string> | null;
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  message: string;
}

/** The body of every refused request. */
export interface ErrorBody {
  error: Problem;
}

export type GameName = string;

/** How strong the opponent plays: exactly one of these. */
export type Strength =
  | { elo: number }
  | { full: true }
  | { level: number }
  | { settings: Record<string, SettingValue | null> };

/** Time for the whole game and for each move. */
export interface ClockRequest {
  base_ms: number;
  increment_ms?: number;
}

/** The game's own initial position. */
export interface StandardStart {
  kind: 'standard';
}

/** Any legal position. */
export interface PositionStart {
  kind: 'position';
  text: ShortText;
}

/** The position after the moves of a PGN's first game, or after the first `ply` of them. */
export interface PgnStart {
  kind: 'pgn';
  text: string;
  ply?: number | null;
}

/** A start position of Chess960; a random one without a number. */
export interface Chess960Start {
  kind: 'chess960';
  number?: number | null;
}

/** Go with stones of Black's at their usual places, and White to move. */
export interface HandicapStart {
  kind: 'handicap';
  stones: number;
}

/** The position after the moves of an SGF's first game, or after the first `ply` of them. */
export interface SgfStart {
  kind: 'sgf';
  text: string;
  ply?: number | null;
}

export type AnyStart = StandardStart | PositionStart | PgnStart | Chess960Start | HandicapStart | SgfStart;

export type Start = AnyStart;

/** A game to begin. */
export interface NewGame {
  game: GameName;
  opponent?: string | null;
  strength?: Strength | null;
  habits?: Habit[];
  side?: 'first' | 'second' | 'random';
  clock?: ClockRequest | null;
  start?: Start;
}

/** A text to look at: a position's or a PGN. */
export interface PositionRequest {
  game: GameName;
  text?: ShortText | null;
  pgn?: string | null;
}

/** Whatever a page sends over the socket; `id` comes back in the answer. */
export interface Message {
  id?: number | null;
}

/** Makes a move in the position with this revision. */
export interface MoveMessage {
  id?: number | null;
  type: 'move';
  revision: number;
  move: string;
}

/** Takes back to the person's last turn. */
export interface TakebackMessage {
  id?: number | null;
  type: 'takeback';
  revision: number;
}

/** Asks for a good move. */
export interface HintMessage {
  id?: number | null;
  type: 'hint';
  revision: number;
}

/** What needs no more than its name. */
export interface PlainMessage {
  id?: number | null;
  type: 'resign' | 'offer_draw' | 'accept_draw' | 'decline_draw' | 'flag' | 'retry';
}

/** Says whether this tab shows the verdict on each position. */
export interface EvaluateMessage {
  id?: number | null;
  type: 'evaluate';
  on: boolean;
  /** Judges the position after so many moves once, beside the newest one. */
  ply?: number | null;
}

/** What a page may ask of a live game. */
export type Command = MoveMessage | TakebackMessage | HintMessage | PlainMessage | EvaluateMessage;

/** The game, without the moves that the tab has already. */
export interface GameNews {
  type: 'game';
  /** How many moves of the game that was sent before are still the first ones; `moves` has those after them. */
  kept: number;
  game: GameView;
}

/** How far the engine's search is. */
export interface Thinking {
  nodes: number;
  depth: number | null;
  time_ms: number;
  score: Score | null;
  value: number | null;
  counters: Record<string, number>;
  line: string[];
  type: 'thinking';
  revision: number;
  side: Side;
  nps: number | null;
}

/** The verdict on a position; `value` in [-1, 1] fills the bar. */
export interface Evaluation {
  type: 'evaluation';
  revision: number;
  /** How many moves of the game lie before the position. */
  ply: number;
  value: number;
  score: Score | null;
  wdl: [number, number, number] | null;
  depth: number | null;
  line: string[];
}

/** A good move, and what is to be expected of it. */
export interface Hint {
  type: 'hint';
  revision: number;
  move: Move;
  score: Score | null;
  value: number | null;
  line: string[];
  reply_to: number | null;
}

/** Something that the player should know. */
export interface Notice {
  type: 'notice';
  code: string;
  message: string;
  reply_to: number | null;
}

/** Something that could not be done; the game is intact. */
export interface ErrorNews {
  type: 'error';
  code: string;
  message: string;
  reply_to: number | null;
}

/** The settings have changed. */
export interface SettingsNews {
  type: 'settings';
  settings: Settings;
}

/** The game does not exist any more. */
export interface Deleted {
  type: 'deleted';
}

/** What a live game tells its pages. */
export type LiveMessage = GameNews | Thinking | Evaluation | Hint | Notice | ErrorNews | SettingsNews | Deleted;

export type Wdl = [number, number, number];

/** A position of a study and the move that led to it. The page keeps nodes by `id` until the next whole study. */
export interface NodeView {
  id: number;
  parent: number | null;
  /** The first goes on with the line, the others are variations. */
  children: number[];
  ply: number;
  san: string;
  text: string;
  from: string | null;
  to: string | null;
  fen: string;
  check: string | null;
  /** Without commands such as [%clk 0:04:59], which are kept but not shown. */
  comment: string;
  /** A comment that stands before the first move of a variation. */
  before: string;
  nags: number[];
  opening: Opening | null;
}

/** A whole study. `nodes[0]` is the start. */
export interface StudyView {
  id: string;
  revision: number;
  title: string;
  tags: Record<string, string>;
  /** What could not be read of the PGN that it was made of. */
  problems: string[];
  /** Where it came from: "game:ID", "file:ID:NUMBER", or empty. */
  source: string;
  created: string;
  updated: string;
  nodes: NodeView[];
}

/** A line in the list of studies. */
export interface StudySummary {
  id: string;
  title: string;
  result: string;
  updated: string;
}

/** The studies, the last changed first. */
export interface StudyList {
  studies: StudySummary[];
  total: number;
}

/** A PGN file with several games. */
export interface FileSummary {
  id: string;
  name: string;
  games: number;
  created: string;
}

/** A game of such a file. */
export interface FileGame {
  number: number;
  white: string;
  black: string;
  result: string;
  date: string;
  opening: string;
  plies: number;
  /** Why it cannot be opened, if it cannot. */
  problem: string | null;
}

/** One page of the list of a file's games. */
export interface FileView {
  file: FileSummary;
  games: FileGame[];
  total: number;
  page: number;
  pages: number;
}

/** All files, the newest first. */
export interface Files {
  files: FileSummary[];
}

/** What became of a pasted or dropped text: exactly one of the two. */
export interface Imported {
  study: string | null;
  file: string | null;
}

/** A move of an engine's line, with the position after it, so that it can be shown without asking. */
export interface LineMove {
  san: string;
  text: string;
  from: string | null;
  to: string | null;
  fen: string;
  check: string | null;
}

/** One line of an engine. */
export interface LineView {
  moves: LineMove[];
  score: Score | null;
  wdl: Wdl | null;
  depth: number | null;
  /** Of the visits, or of the people who play the move; None where the engine has no such thing. */
  share: number | null;
}

/** What the endgame tables say. */
export interface TableVerdict {
  text: string;
  /** Those that keep it, in SAN. */
  moves: string[];
}

/** What there is to know of a position before any engine is asked. */
export interface PlaceView {
  type: 'place';
  node: number;
  position: Position;
  legal: Move[];
  result: Result | null;
  tables: TableVerdict | null;
}

export type SeatStatus = 'off' | 'waiting' | 'thinking' | 'done' | 'failed';

/** What an engine says of a position. */
export interface SeatView {
  type: 'engine';
  seat: Side;
  node: number | null;
  status: SeatStatus;
  title: string;
  threat: boolean;
  depth: number | null;
  nodes: number;
  nps: number;
  time_ms: number;
  score: Score | null;
  wdl: Wdl | null;
  lines: LineView[];
  message: string | null;
}

/** One side's moves in a phase of the game. */
export interface PhaseView {
  phase: string;
  moves: number;
  accuracy: number;
  average_loss: number;
}

/** One side's game. */
export interface ReviewedSide {
  name: string;
  accuracy: number | null;
  average_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  phases: PhaseView[];
}

/** A move that people like to play. */
export interface ChoiceView {
  san: string;
  share: number;
  cost: number | null;
}

/** What people of the review's rating would have played. */
export interface PeopleView {
  played: number;
  best: number | null;
  usual: ChoiceView[];
}

/** A move of the reviewed game; `place` counts from 0. */
export interface ReviewedMove {
  node: number;
  place: number;
  side: Side;
  number: string;
  san: string;
  score: Score;
  wdl: Wdl;
  /** White's win percentage after it. */
  percent: number;
  judgment: string | null;
  loss_percent: number;
  loss_cp: number;
  accuracy: number;
  phase: string;
  best: string | null;
  /** Of a mistake: what would have been better. */
  best_line: LineMove[];
  /** Of a mistake: what refutes it. */
  reply_line: LineMove[];
  people: PeopleView | null;
}

/** The review of a study's main line. */
export interface ReviewView {
  judge: string;
  human: number | null;
  opening: string | null;
  result: string;
  start_percent: number;
  turning_point: number | null;
  white: ReviewedSide;
  black: ReviewedSide;
  moves: ReviewedMove[];
}

/** A move with what it costs and who plays it. */
export interface CandidateView {
  san: string;
  text: string;
  score: Score;
  /** Points of win percentage. */
  cost: number;
  /** How likely people of each rating play it, in the order of `ratings`. */
  shares: number[];
  is_trap: boolean;
  line: LineMove[];
}

/** Networks that know what people play, to be chosen by their name. */
export interface CrowdView {
  name: string;
  title: string;
}

/** What people of all ratings would play in a position. */
export interface PeopleHere {
  type: 'people';
  node: number;
  /** The name of the networks that were asked. */
  crowd: string;
  judge: string;
  /** Empty for a network that knows no ratings: each curve then has one value. */
  ratings: number[];
  candidates: CandidateView[];
}

export type NodeId = number;

export type MoveText = string;

/** A study to begin: of a game of ours, of a game of a file, or of a position; the usual start without any. */
export interface NewStudy {
  game?: string | null;
  file?: string | null;
  number?: number | null;
  position?: ShortText | null;
}

/** Says which position the tab shows; its running engines follow. */
export interface LookMessage {
  id?: number | null;
  type: 'look';
  node: NodeId;
}

/** A change of the study as it was at a revision. */
export interface Edit {
  id?: number | null;
  revision: number;
}

/** Makes a move, which becomes a variation where another one is there already. */
export interface StudyMoveMessage {
  id?: number | null;
  revision: number;
  type: 'move';
  node: NodeId;
  move: MoveText;
}

/** Plays the beginning of an engine's line into the study. */
export interface LineMessage {
  id?: number | null;
  revision: number;
  type: 'line';
  node: NodeId;
  moves: MoveText[];
}

/** Deletes a move and all that follows it. */
export interface DeleteMessage {
  id?: number | null;
  revision: number;
  type: 'delete';
  node: NodeId;
}

/** Makes a variation come earlier, or the main line. */
export interface PromoteMessage {
  id?: number | null;
  revision: number;
  type: 'promote';
  node: NodeId;
  main?: boolean;
}

/** Sets the comment on a move; nothing removes it. */
export interface CommentMessage {
  id?: number | null;
  revision: number;
  type: 'comment';
  node: NodeId;
  text: string;
}

/** Sets the glyphs of a move by their PGN numbers: 1 is "!", 2 is "?". */
export interface NagsMessage {
  id?: number | null;
  revision: number;
  type: 'nags';
  node: NodeId;
  nags: number[];
}

/** Sets some of the PGN's tags; an empty one is removed. */
export interface TagsMessage {
  id?: number | null;
  revision: number;
  type: 'tags';
  tags: Record<string, string>;
}

/** Writes the review into the study: evaluations, glyphs, and for each mistake the better and the refuting line. */
export interface AnnotateMessage {
  id?: number | null;
  revision: number;
  type: 'annotate';
}

/** How long an engine thinks about each position; without any of these until it is told to stop. */
export interface SeatLimit {
  seconds?: number | null;
  nodes?: number | null;
  depth?: number | null;
}

/** Lets an engine of the roster analyse what the tab shows. */
export interface AnalyseMessage {
  id?: number | null;
  type: 'analyse';
  seat: Side;
  engine: string;
  strength?: Strength | null;
  lines?: number;
  limit?: SeatLimit;
  threat?: boolean;
  hash_mb?: number;
  threads?: number;
}

/** Ends an engine's analysis. */
export interface StopMessage {
  id?: number | null;
  type: 'stop';
  seat: Side;
}

/** Has the main line reviewed. */
export interface ReviewMessage {
  id?: number | null;
  type: 'review';
  nodes?: number;
  human?: number | null;
  /** Whose moves those of the rating are, by a name of /api/crowds. */
  crowd?: ShortText;
}

/** Ends a review; what was judged is kept until the study is closed. */
export interface StopReviewMessage {
  id?: number | null;
  type: 'stop_review';
}

/** Tries another move instead of a reviewed one. */
export interface TryMessage {
  id?: number | null;
  type: 'try';
  place: number;
  move: MoveText;
}

/** Asks what people would play in a position. */
export interface PeopleMessage {
  id?: number | null;
  type: 'people';
  node: NodeId;
  /** Who is asked, by a name of /api/crowds. */
  crowd?: ShortText;
}

export type StudyMessage = LookMessage | StudyMoveMessage | LineMessage | DeleteMessage | PromoteMessage | CommentMessage | NagsMessage | TagsMessage | AnnotateMessage | AnalyseMessage | StopMessage | ReviewMessage | StopReviewMessage | TryMessage | PeopleMessage;

/** The whole study: at the beginning, and whenever a tab was behind. */
export interface StudyNews {
  type: 'study';
  study: StudyView;
}

/** What is different in the study. */
export interface StudyChange {
  type: 'change';
  revision: number;
  title: string;
  nodes: NodeView[];
  removed: number[];
  tags: Record<string, string> | null;
  /** What whoever made the change looks at now. */
  focus: number | null;
  reply_to: number | null;
}

/** How many positions of how many have been judged; none of none if no review is being made. */
export interface Reviewing {
  type: 'reviewing';
  done: number;
  total: number;
}

/** The review of the main line as it is now, if there is one. */
export interface ReviewNews {
  type: 'review';
  review: ReviewView | null;
}

/** How good another move is than a reviewed one. */
export interface Tried {
  type: 'tried';
  place: number;
  san: string;
  is_best: boolean;
  is_good: boolean;
  was_played: boolean;
  cost: number;
  score: Score;
  fen: string;
  /** What the engine expects after it. */
  line: LineMove[];
  reply_to: number | null;
}

/** What a live study tells its pages. */
export type AnyStudyNews = StudyNews | StudyChange | PlaceView | SeatView | Reviewing | ReviewNews | Tried | PeopleHere | ErrorNews | Deleted;

/** A counted board: `owners` has one character a square, X, O or "." for nobody's. */
export interface CountView {
  dead: string[];
  owners: string;
  area: [number, number];
  komi: number;
  score: string;
  /** Whether the person may say which stones are dead. */
  can_mark: boolean;
}

/** What a game of Go has beside what all games have; the count is of a game that has ended on the board. */
export interface GoView {
  revision: number;
  komi: number;
  handicap: number;
  count: CountView | null;
}

/** A move worth a thought; its chances are the mover's. */
export interface Candidate {
  move: Move;
  visits: number;
  /** The mover's. */
  win_rate: number | null;
  prior: number | null;
}

/** A verdict on one position, in Black's view; `best_lead` is the lead after the first candidate. */
export interface Judgement {
  ply: number;
  win_rate: number;
  /** In points, with komi. */
  lead: number;
  best_lead: number;
  /** By point, from 1 for Black's to -1 for White's. */
  owners: number[];
  candidates: Candidate[];
  line: string[];
  judge: string;
}

/** What is to be said about a text that should be SGF. */
export interface SgfCheck {
  ok: boolean;
  problem: string | null;
  /** The name of the game to ask for. */
  game: string | null;
  title: string | null;
  position: Position | null;
  moves: PlayedMove[] | null;
  tags: Record<string, string> | null;
  result: Result | null;
}

/** A text to look at. */
export interface SgfRequest {
  sgf: string;
}

/** A stone whose chain is dead, or alive after all, in the game of this revision. */
export interface DeadRequest {
  revision: number;
  square: string;
}

export type Algorithm = 'uct' | 'puct' | 'alphabeta';

/** A network that can be looked into. */
export interface InsideNet {
  name: string;
  title: string;
  game: string;
  /** A network of the third kind has no policy: its layers can be seen, and no move of its own. */
  kind: 'nnue' | 'policy' | 'value';
  /** Whether it says who is winning, which a search needs. */
  has_value: boolean;
  /** Of a tower of convolutions: the first convolution and what stands behind it, blocks or convolutions. */
  layers: number | null;
  /** Of its first convolution. */
  filters: number | null;
}

/** All of them, and the order of moves that alpha-beta can be asked to take. */
export interface InsideList {
  nets: InsideNet[];
  orders: string[];
}

/** A tree that the server keeps for a while. */
export interface TreeMade {
  id: string;
  algorithm: Algorithm;
  /** Who judged its leaves. */
  judge: string;
  /** Simulations, or nodes in the order of the search. */
  steps: number;
  nodes: number;
  /** Whether the search came to its end. */
  is_whole: boolean;
  board: BoardShape;
  position: Position;
}

/** A position of a tree; what the algorithm does not have is null. */
export interface TreeNode {
  id: number;
  parent: number | null;
  move: string;
  to_move: Side;
  /** How many nodes lie right below, shown or not. */
  below: number;
  children: TreeNode[];
  ending: string | null;
  P: number | null;
  N: number | null;
  W: number | null;
  Q: number | null;
  V: number | null;
  proven: number | null;
  alpha: number | null;
  beta: number | null;
  value: number | null;
  is_done: boolean;
  is_cutoff: boolean;
  skipped: string[];
  /** How many nodes lie below and here. */
  size: number | null;
}

/** What a selection sees of a move. */
export interface MoveRow {
  move: string;
  node: number | null;
  P: number | null;
  N: number;
  Q: number | null;
  U: number | null;
  score: number | null;
  V: number | null;
  /** How to draw it on the board, in the tables of a node. */
  drawn: Move | null;
}

/** One step down the tree. */
export interface Selection {
  node: number;
  chosen: number;
  moves: MoveRow[];
}

/** What a simulation changed in a node of its path. */
export interface Backup {
  node: number;
  move: string;
  N_before: number;
  W_before: number;
  N: number;
  W: number;
  Q: number;
}

/** What one step of a search did. */
export interface TreeStep {
  number: number;
  path: number[];
  /** The phases in sentences. */
  words: string[];
  selection: Selection[];
  expansion: number | null;
  by: string | null;
  value: number | null;
  backup: Backup[];
  /** At the end of the path. */
  position: Position;
}

/** A node's position and its moves. */
export interface NodeTable {
  position: Position;
  /** The moves from the root. */
  line: string[];
  moves: MoveRow[];
}

/** A term of the handcrafted evaluation, in centipawns. */
export interface Term {
  name: string;
  meaning: string;
  white: number;
  black: number;
}

/** The handcrafted evaluation. */
export interface Terms {
  score_cp: number;
  terms: Term[];
}

/** One side's half of an NNUE network's first layer. */
export interface NeuronView {
  side: string;
  features: string[];
  firing: number;
  neurons: number[];
}

/** What a move changes in an NNUE network. */
export interface NeuronChange {
  move: string;
  score_cp: number;
  on: [string[], string[]];
  off: [string[], string[]];
  neurons: [number, number];
  largest: [string, number, number, number][];
}

/** An NNUE network at work: what pieces are worth to it, and what fires. Centipawns in White's view. */
export interface NnueInside {
  score_cp: number;
  pieces: Record<Square, number>;
  views: [NeuronView, NeuronView];
  change: NeuronChange | null;
}

/** Planes over the board, or the small squares of a filter; rows count from the bottom. */
export interface PlaneSet {
  title: string;
  width: number;
  height: number;
  /** How many there are; those with the most contrast are sent. */
  total: number;
  /** Of the planes that are sent. */
  numbers: number[];
  planes: number[][];
}

/** What a network's choice rests on. */
export interface SaliencyView {
  move: string;
  probability: number;
  value: number;
  squares: Record<Square, number>;
  drawn: Move;
}

/** A move in two networks' eyes. */
export interface SharedMove {
  move: string;
  shares: [number, number];
  drawn: Move;
}

/** Two networks on one position; values are the side to move's. */
export interface NetComparison {
  values: [number, number];
  agreement: number;
  moves: SharedMove[];
}

/** A position to look into; without a text the game's first one. */
export interface InsideRequest {
  game?: GameName;
  text?: ShortText | null;
  net?: ShortText | null;
  move?: ShortText | null;
}

/** A tree to grow. */
export interface TreeRequest {
  game?: GameName;
  text?: ShortText | null;
  net?: ShortText | null;
  move?: ShortText | null;
  algorithm: Algorithm;
  simulations?: number;
  depth?: number;
  order?: ShortText;
}

/** Planes of a network to show. */
export interface PlanesRequest {
  game?: GameName;
  text?: ShortText | null;
  net?: ShortText | null;
  move?: ShortText | null;
  what?: 'input' | 'layer' | 'filter';
  /** The layer, or the filter. */
  number?: number;
  /** The filter's layer. */
  layer?: number;
}

/** Two networks to compare. */
export interface CompareRequest {
  game?: GameName;
  text?: ShortText | null;
  net?: ShortText | null;
  move?: ShortText | null;
  other: ShortText;
}

/** A run in a line. */
export interface RunSummary {
  name: string;
  game: string;
  /** running, done, stopped, new or unreadable. */
  state: string;
  generation: number;
  /** 0 where the run does not say. */
  wanted_generations: number;
  games: number;
  loss: number | null;
  /** What the rater found last, in words. */
  verdict: string;
  /** Seconds since something was written last. */
  age_s: number;
  /** Why it cannot be read. */
  problem: string | null;
}

/** All runs, the newest first. */
export interface RunList {
  /** Whether the server has a folder of runs at all. */
  is_given: boolean;
  runs: RunSummary[];
}

/** Numbers over the course of a run. */
export interface CurveView {
  name: string;
  x: number[];
  y: number[];
}

/** Curves that belong together. */
export interface ChartView {
  title: string;
  x_label: string;
  curves: CurveView[];
}

/** A network that a run has saved. */
export interface Checkpoint {
  name: string;
  bytes: number;
}

/** A run in detail. */
export interface RunView {
  summary: RunSummary;
  charts: ChartView[];
  /** The newest first. */
  checkpoints: Checkpoint[];
  /** Files of games. */
  shards: number;
}

/** A saved network as an opponent: a game is asked for with its name. */
export interface CheckpointView {
  game: string;
  opponent: Opponent;
}

/** A game that a run has played. */
export interface ReplayView {
  board: BoardShape;
  start: Position;
  moves: PlayedMove[];
  sides: [string, string];
  result: Result | null;
}

/** The newest games of a run, the newest first. */
export interface ReplayList {
  game: string;
  games: ReplayView[];
}
