// The part of the new-game form that is Go's own: the board, komi, handicap, and games from SGF.
import { squareIndex } from '../board/board';
import { fill, h, setText } from '../dom';
import { choiceField, numberField, pasteField, selectField, sliderField } from '../fields';
import { checkPosition } from '../server/http';
import type { GridShape, PlayedMove, Position, Rules, SgfCheck, Start } from '../server/types';
import { notifyError } from '../shell/messages';
import { type GoChoices, MOST_KOMI } from './choices';
import { handicapSquares, komiOf, mostStones } from './position';
import { checkSgf } from './server';

const HANDICAP_KOMI = 0.5;
const SIZES = ['9', '13', '19'] as const;

/** What was changed in the fields; what is not named stays. */
export type GoChange = Partial<GoChoices> & { side?: number };

/** The fields for the board's size, komi and handicap; `change` is told what is new. */
export function goFields(
  shape: GridShape,
  start: Position,
  choices: GoChoices,
  change: (change: GoChange) => void,
): HTMLElement[] {
  const side = shape.width;
  const known = (SIZES as readonly string[]).includes(String(side));
  const options = [
    ...SIZES.map((size) => ({ value: size as string, label: `${size}×${size}` })),
    { value: 'other', label: 'Other' },
  ];
  const size = choiceField('Board', options, known ? String(side) : 'other', (value) =>
    change({ side: value === 'other' ? 7 : Number(value), komi: null }),
  );
  const setSide = (lines: number): void => change({ side: lines });
  const other = numberField('Lines', side, { min: 5, max: 19, step: 1 }, setSide, 'change');
  const komiLimits = { min: -MOST_KOMI, max: MOST_KOMI, step: 0.5 };
  const setKomi = (komi: number): void => change({ komi });
  const komi = numberField('Komi', komiOf(start), komiLimits, setKomi, 'change');
  const stones = [0, ...[2, 3, 4, 5, 6, 7, 8, 9].filter((count) => count <= mostStones(shape))];
  const handicap = selectField(
    'Handicap',
    stones.map((count) => ({ value: String(count), label: count === 0 ? 'None' : `${count} stones` })),
    String(Math.min(choices.handicap, mostStones(shape))),
    // Who gives stones gives no komi besides; a half point only decides draws.
    (value) => change({ komi: Number(value) > 0 ? HANDICAP_KOMI : null, handicap: Number(value) }),
  );
  return [size, ...(known ? [] : [other]), h('div', { class: 'field-row' }, komi, handicap)];
}

type Kind = 'standard' | 'paste';

/** Where a game of Go begins: the empty board or handicap stones, or what was pasted. */
export class GoStart {
  readonly element = h('div', { class: 'start-fields' });
  private kind: Kind = 'standard';
  private text = '';
  private ply: number | null = null;
  private sgf: SgfCheck | null = null;
  private isPosition = false;
  private readonly answer = h('p', { class: 'field-help', role: 'status' });
  private readonly plyPlace = h('div');

  /** `preview` is told which position the game would begin with, `adopt` which game a pasted SGF is of. */
  constructor(
    private readonly rules: Rules,
    private readonly choices: GoChoices,
    private readonly preview: (position: Position | null) => void,
    private readonly adopt: (game: string) => Promise<void>,
  ) {
    this.draw();
    this.showStandard();
  }

  /** What the server is to be asked for; null while the pasted text is neither game nor position. */
  get start(): Start | null {
    if (this.kind === 'paste') {
      if (this.sgf?.ok) return { kind: 'sgf', text: this.text, ply: this.ply };
      return this.isPosition ? { kind: 'position', text: this.text.trim() } : null;
    }
    const stones = this.stones;
    return stones > 0 ? { kind: 'handicap', stones } : { kind: 'standard' };
  }

  private get stones(): number {
    const { board } = this.rules;
    return board.kind === 'grid' ? Math.min(this.choices.handicap, mostStones(board)) : 0;
  }

  private draw(): void {
    const options: { value: Kind; label: string }[] = [
      { value: 'standard', label: this.stones > 0 ? 'Handicap' : 'Empty board' },
      { value: 'paste', label: 'SGF or position' },
    ];
    const choose = choiceField('Start from', options, this.kind, (kind) => {
      this.kind = kind;
      this.draw();
      if (kind === 'standard') this.showStandard();
    });
    const paste = pasteField('Paste an SGF or a position, or drop a file', '(;GM[1]SZ[9];B[ee];W[ce])', this.text, {
      changed: (text) => {
        this.text = text;
        this.sgf = null;
        this.isPosition = false;
      },
      paused: () => void this.look().catch(notifyError),
    });
    fill(this.element, choose, ...(this.kind === 'paste' ? [paste, this.answer, this.plyPlace] : []));
  }

  private showStandard(): void {
    const { board, start } = this.rules;
    if (this.stones === 0 || board.kind !== 'grid') return this.preview(null);
    const cells = [...(start.cells ?? '')];
    for (const square of handicapSquares(board, this.stones)) cells[squareIndex(board, square)] = 'X';
    this.preview({ ...start, cells: cells.join(''), to_move: 1 });
  }

  /** Asks the server what the pasted text is. */
  private async look(): Promise<void> {
    const { text } = this;
    fill(this.plyPlace);
    if (text.trim() === '') return this.tell('', false);
    if (!text.includes(';')) {
      const check = await checkPosition(this.rules.name, text.trim());
      if (text !== this.text) return;
      this.isPosition = check.ok;
      this.preview(check.position);
      return this.tell(check.ok ? `${check.legal_count ?? 0} legal moves.` : (check.problem ?? ''), !check.ok);
    }
    const check = await checkSgf(text);
    if (text !== this.text) return;
    this.sgf = check;
    this.ply = null;
    this.tell(describeSgf(check), !check.ok);
    if (!check.ok) return;
    if (check.game) await this.adopt(check.game);
    this.preview(check.position);
    if (check.moves && check.moves.length > 0) fill(this.plyPlace, this.plyField(check.moves));
  }

  private tell(text: string, isProblem: boolean): void {
    setText(this.answer, text);
    this.answer.classList.toggle('problem', isProblem);
  }

  /** Lets the game go on from an earlier move; at the last one it is opened as it is. */
  private plyField(moves: readonly PlayedMove[]): HTMLElement {
    const write = (ply: number): string => (ply > moves.length ? 'the whole game' : `move ${ply} of ${moves.length}`);
    const limits = { min: 1, max: moves.length + 1, step: 1 };
    return sliderField('Open', moves.length + 1, limits, write, (ply) => {
      this.ply = ply > moves.length ? null : ply;
      this.preview(moves[Math.min(ply, moves.length) - 1]?.position ?? null);
    });
  }
}

/** What was pasted, in words. */
export function describeSgf(check: SgfCheck): string {
  if (!check.ok) return check.problem ?? 'This is not a game of Go.';
  const { PB = '?', PW = '?' } = check.tags ?? {};
  return `${PB} – ${PW}, ${check.title ?? ''}, ${check.moves?.length ?? 0} moves. ${check.result?.text ?? ''}`.trim();
}
