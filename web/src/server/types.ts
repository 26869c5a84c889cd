// What travels between server and page. Sides are 0 (moves first) and 1; scores and values are the first side's view.

export type Side = 0 | 1;
/** A square's name, such as "e4". */
export type Square = string;

export interface Piece {
  side: Side;
  name: string;
}

export interface GridShape {
  kind: 'grid';
  width: number;
  height: number;
  files: string[];
  ranks: string[];
  /** points: stones stand on the crossings of lines. */
  style: 'checkered' | 'plain' | 'points';
  /** How a piece is drawn: board/art.ts has the table. */
  art: 'figures' | 'discs' | 'strokes' | 'stones' | 'marked-stones' | 'letters';
  /** Whether the sides face each other, so that turning the board makes sense. */
  turns: boolean;
  pieces: Record<string, Piece>;
}

/** A game without squares: a drawing and a list of moves. */
export interface TextShape {
  kind: 'text';
}

export type BoardShape = GridShape | TextShape;

export interface Position {
  text: string;
  /** One character a square, row by row from the bottom; "." is empty. */
  cells: string | null;
  drawing: string | null;
  to_move: Side;
  ply: number;
  check: Square | null;
}

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

export interface Opening {
  eco: string;
  name: string;
}

/** Centipawns, or moves to mate: one of them is known. */
export interface Score {
  cp: number | null;
  mate: number | null;
}

export interface Thought {
  nodes: number | null;
  depth: number | null;
  time_ms: number | null;
  score: Score | null;
  value: number | null;
  counters: Record<string, number>;
  line: string[];
}

export interface PlayedMove extends Omit<Move, 'also'> {
  ply: number;
  side: Side;
  /** After the move. */
  position: Position;
  captured: string | null;
  clock_ms: number | null;
  opening: Opening | null;
  thought: Thought | null;
}

export interface Result {
  winner: Side | null;
  score: string;
  reason: string;
  text: string;
}

export interface Clock {
  base_ms: number;
  increment_ms: number;
  remaining_ms: [number, number];
  running: Side | null;
}

export type Strength =
  { elo: number } | { full: true } | { level: number } | { settings: Record<string, number | boolean | string> };

export type PlayerView =
  { kind: 'person'; name: string } | { kind: 'engine'; name: string; opponent: string; strength: Strength | null };

export interface GameView {
  id: string;
  revision: number;
  game: string;
  title: string;
  variant: string;
  chess960_number: number | null;
  created: string;
  updated: string;
  sides: [string, string];
  players: [PlayerView, PlayerView];
  /** null: both sides play at this board. */
  you: Side | null;
  status: 'your_turn' | 'engine_turn' | 'over';
  board: BoardShape;
  start: Position;
  position: Position;
  legal: Move[];
  moves: PlayedMove[];
  opening: Opening | null;
  clock: Clock | null;
  result: Result | null;
  draw_offer: Side | null;
  engine: { status: 'idle' | 'waiting' | 'thinking' | 'failed' | 'paused'; message: string | null };
  can: {
    move: boolean;
    takeback: boolean;
    play_on: boolean;
    resign: boolean;
    offer_draw: boolean;
    hint: boolean;
    retry: boolean;
  };
  tags: Record<string, string> | null;
}

export interface GameSummary {
  id: string;
  game: string;
  title: string;
  variant: string;
  names: [string, string];
  you: Side | null;
  board: BoardShape;
  position: Position;
  ply_count: number;
  opening: Opening | null;
  result: Result | null;
  status: GameView['status'];
  /** Whether its rules are here. */
  can_open: boolean;
  created: string;
  updated: string;
}

export interface GameList {
  games: GameSummary[];
  total: number;
  page: number;
  pages: number;
}

export interface Rules {
  name: string;
  title: string;
  /** How it is played, paragraphs between blank lines; empty for a game that does not say. */
  rules: string;
  sides: [string, string];
  board: BoardShape;
  start: Position;
  sizes: { width: [number, number]; height: [number, number] } | null;
  chess960: boolean;
  pgn: boolean;
  editor: boolean;
  opponents: string[];
  /** Those whom the form lists at once. */
  first_opponents: string[];
  default_opponent: string;
}

export type StrengthChoice =
  | {
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
  | { kind: 'levels'; levels: string[]; default: number }
  | { kind: 'none' };

export interface OpponentSetting {
  name: string;
  type: 'int' | 'float' | 'bool' | 'text';
  min: number | null;
  max: number | null;
  choices: string[];
  /** null: decided elsewhere unless it is set. */
  default: number | boolean | string | null;
  help: string;
}

/** What an opponent can do as people do, if the person wishes. */
export type Habit = 'resign' | 'pace' | 'follow';

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

export type SettingValue = boolean | number | string;

export interface About {
  protocol: number;
  version: string;
  games: Rules[];
  opponents: Opponent[];
  first_game: string;
  limits: { pgn_bytes: number; name_chars: number };
  settings: Record<string, SettingValue>;
  /** What the player should know about their games, if anything. */
  notice: string | null;
}

export type Start =
  | { kind: 'standard' }
  | { kind: 'position'; text: string }
  | { kind: 'pgn'; text: string; ply: number | null }
  | { kind: 'chess960'; number: number | null };

export interface NewGame {
  game: string;
  opponent: string | null;
  strength: Strength | null;
  habits: Habit[];
  side: 'first' | 'second' | 'random';
  clock: { base_ms: number; increment_ms: number } | null;
  start: Start;
}

export interface PositionCheck {
  ok: boolean;
  problem: string | null;
  position: Position | null;
  legal_count: number | null;
  result: Result | null;
  moves: PlayedMove[] | null;
  tags: Record<string, string> | null;
}

export interface Evaluation {
  revision: number;
  ply: number;
  value: number;
  score: Score | null;
  depth: number | null;
  line: string[];
}

/** What a page may ask of a live game. */
export type Command =
  | { type: 'move'; revision: number; move: string }
  | { type: 'takeback'; revision: number }
  | { type: 'hint'; revision: number }
  | { type: 'evaluate'; on: boolean }
  | { type: 'resign' | 'offer_draw' | 'accept_draw' | 'decline_draw' | 'flag' | 'retry' };

/** What a live game tells its pages. */
export type LiveMessage =
  | { type: 'game'; game: GameView }
  | ({ type: 'thinking'; revision: number; side: Side; nps: number | null } & Thought)
  | ({ type: 'evaluation' } & Evaluation)
  | { type: 'hint'; revision: number; move: Move; score: Score | null; line: string[] }
  | { type: 'notice'; code: string; message: string }
  | { type: 'error'; code: string; message: string }
  | { type: 'settings'; settings: Record<string, SettingValue> }
  | { type: 'deleted' };
