// What the page of a game of Go has beside the board: candidates, whose the points are, the count, the review.
import type { BoardView } from '../board/board';
import { movesWithoutSquare } from '../board/moves';
import { fill, h, setShown, setText } from '../dom';
import { addShortcuts } from '../keys';
import type { CountView, GameView, GridShape, Judgement, Move, Position, Side, Square } from '../server/types';
import { notifyError } from '../shell/messages';
import { candidateMarks, countMarks, hasStone, koMark, ownerMarks } from './marks';
import { koSquare, points } from './position';
import { Review } from './review';
import { goView, markDead } from './server';
import { Verdicts } from './verdicts';
import { describeVerdict } from './words';

/** What the panel may use of the page around it. */
export interface GoTable {
  id: string;
  board: () => BoardView | null;
  play: (move: Move) => void;
  /** Shows the position after so many moves. */
  browse: (ply: number) => void;
  say: (text: string) => void;
}

const WAIT_MS = 120;
const KEPT = 'philidor-go';

interface Shown {
  game: GameView;
  ply: number;
  position: Position;
}

export class GoPanel {
  readonly element: HTMLElement;
  private readonly verdicts: Verdicts;
  private readonly review: Review;
  private readonly candidates: HTMLButtonElement;
  private readonly owners: HTMLButtonElement;
  private readonly verdict = h('p', { class: 'go-verdict', role: 'status' });
  private readonly counted = h('section', { class: 'go-count', 'aria-label': 'Count', hidden: true });
  private readonly removeKeys: () => void;
  private shown: Shown | null = null;
  private count: CountView | null = null;
  private countedRevision = -1;
  /** The ply that a hint was asked for. */
  private hinted = -1;
  private timer = 0;

  constructor(private readonly table: GoTable) {
    this.verdicts = new Verdicts(table.id);
    this.review = new Review(this.verdicts, table.browse);
    this.candidates = toggle('Candidates', 'k', () => this.changed());
    this.owners = toggle('Territory', 'o', () => this.changed());
    this.restore();
    this.element = h(
      'section',
      { class: 'go-panel', 'aria-label': 'Go' },
      this.counted,
      h('div', { class: 'button-row' }, this.candidates, this.owners),
      this.verdict,
      this.review.element,
    );
    const group = 'Go';
    this.removeKeys = addShortcuts([
      { keys: ['P'], label: 'Pass', group, run: () => this.pass() },
      { keys: ['k'], label: 'Show or hide candidates', group, run: () => this.candidates.click() },
      { keys: ['o'], label: 'Show or hide whose the points are likely to be', group, run: () => this.owners.click() },
    ]);
  }

  destroy(): void {
    this.removeKeys();
    this.review.stop();
    clearTimeout(this.timer);
  }

  update(game: GameView, ply: number, position: Position): void {
    if (this.shown?.game.revision !== game.revision || this.shown.ply !== ply) this.hinted = -1;
    this.shown = { game, ply, position };
    this.verdicts.update(game);
    this.followCount(game);
    this.review.update(game, ply);
    this.look();
  }

  /** Shows the candidates of this position, and of no other. */
  hint(): void {
    this.hinted = this.shown?.ply ?? -1;
    this.look();
  }

  /** A point was pressed where no move can be made: in a counted game its stones are dead, or alive again. */
  pressed(square: Square): void {
    const { shown, count } = this;
    const shape = this.shape;
    if (!shown || !shape || !count?.can_mark || !this.isAtEnd) return;
    if (!hasStone(shape, shown.position.cells ?? '', square)) return;
    markDead(this.table.id, shown.game.revision, square).then((view) => {
      this.take(view.revision, view.count);
      const isDead = view.count?.dead.includes(square);
      this.table.say(`${square} ${isDead ? 'dead' : 'alive'}. ${view.count?.score ?? ''}`);
    }, notifyError);
  }

  private pass(): void {
    const game = this.shown?.game;
    const [move] = movesWithoutSquare(game?.legal ?? []);
    if (move && this.isAtEnd) this.table.play(move);
  }

  private get shape(): GridShape | null {
    const board = this.shown?.game.board;
    return board?.kind === 'grid' ? board : null;
  }

  private get isAtEnd(): boolean {
    return this.shown !== null && this.shown.ply === this.shown.game.moves.length;
  }

  private get wantsCandidates(): boolean {
    return isOn(this.candidates) || (this.hinted >= 0 && this.hinted === this.shown?.ply);
  }

  /** Asks for the count of a game that has ended on the board, and again after every change. */
  private followCount(game: GameView): void {
    if (!game.result) {
      this.count = null;
      this.countedRevision = -1;
    } else if (this.countedRevision !== game.revision) {
      this.countedRevision = game.revision;
      goView(this.table.id).then((view) => this.take(view.revision, view.count), notifyError);
    }
  }

  private take(revision: number, count: CountView | null): void {
    if (revision < this.countedRevision) return;
    this.countedRevision = revision;
    this.count = count;
    this.draw();
  }

  /** Draws what is known, and asks for what is not: not at every step of who leafs through the game. */
  private look(): void {
    this.draw();
    clearTimeout(this.timer);
    const { shown } = this;
    if (!shown || !(this.wantsCandidates || isOn(this.owners)) || this.verdicts.known.has(shown.ply)) return;
    this.timer = window.setTimeout(() => {
      this.verdicts.ask(shown.ply).then(() => this.draw(), notifyError);
    }, WAIT_MS);
  }

  private changed(): void {
    keep({ candidates: isOn(this.candidates), owners: isOn(this.owners) });
    this.look();
  }

  private restore(): void {
    const { candidates, owners } = kept();
    if (candidates) this.candidates.setAttribute('aria-pressed', 'true');
    if (owners) this.owners.setAttribute('aria-pressed', 'true');
  }

  private draw(): void {
    const { shown, shape } = this;
    const board = this.table.board();
    if (!shown || !shape) return;
    const { position } = shown;
    const verdict = this.verdicts.known.get(shown.ply) ?? null;
    const ko = koSquare(position);
    const marks = ko === null ? [] : [koMark(shape, ko)];
    const count = this.isAtEnd ? this.count : null;
    if (count) marks.push(...countMarks(shape, position.cells ?? '', count));
    else if (verdict && isOn(this.owners)) marks.push(...ownerMarks(shape, position.cells ?? '', verdict.owners));
    if (verdict && this.wantsCandidates) marks.push(...candidateMarks(shape, verdict.candidates));
    board?.annotate?.(marks);
    this.drawCount(shown.game, count);
    this.describe(verdict, position);
  }

  private drawCount(game: GameView, count: CountView | null): void {
    setShown(this.counted, count !== null);
    if (!count) return;
    const [black, white] = count.area;
    const cell = (text: string): HTMLElement => h('td', {}, text);
    const row = (side: Side, area: number, komi: number): HTMLElement =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, game.sides[side]),
        cell(String(area)),
        cell(komi ? `+ ${points(komi)} komi` : ''),
        cell(`= ${points(area + komi)}`),
      );
    fill(
      this.counted,
      h(
        'table',
        {},
        // Who played it elsewhere agreed on what was dead; the file does not say which stones.
        h('caption', {}, count.can_mark ? 'Stones and surrounded points' : 'As it stands, dead stones and all'),
        h('tbody', {}, row(0, black, 0), row(1, white, count.komi)),
      ),
      count.can_mark &&
        h('p', { class: 'field-help' }, 'Press a stone on the board to call its chain dead, or alive again.'),
    );
  }

  private describe(verdict: Judgement | null, position: Position): void {
    const isWanted = this.wantsCandidates || isOn(this.owners);
    setShown(this.verdict, isWanted);
    if (!isWanted) return;
    if (!verdict) setText(this.verdict, 'Looking…');
    else setText(this.verdict, describeVerdict(verdict, position.to_move, this.wantsCandidates, isOn(this.owners)));
  }
}

function toggle(label: string, key: string, changed: () => void): HTMLButtonElement {
  const button = h('button', { type: 'button', class: 'button', 'aria-pressed': 'false', title: `${label} (${key})` });
  button.append(label);
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(!isOn(button)));
    changed();
  });
  return button;
}

function isOn(button: HTMLButtonElement): boolean {
  return button.getAttribute('aria-pressed') === 'true';
}

interface Kept {
  candidates?: boolean;
  owners?: boolean;
}

function keep(choices: Kept): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(choices));
  } catch {
    // A browser that forbids storage forgets the two buttons, nothing else.
  }
}

function kept(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Kept;
  } catch {
    return {};
  }
}
