// The part of the new-game form that says where the game begins.
import { fill, h, setShown, setText } from '../dom';
import { choiceField, numberField, pasteField, sliderField, switchField } from '../fields';
import * as server from '../server/http';
import type { Position, PositionCheck, Rules, Start } from '../server/types';
import { notifyError } from '../shell/messages';
import { describeCheck, looksLikePgn, tooLarge } from './pasted';

type Kind = 'standard' | 'chess960' | 'paste';

const CHESS960_STARTS = 960;

export class StartFields {
  readonly element = h('div', { class: 'start-fields' });
  private kind: Kind = 'standard';
  private number: number | null = null;
  private text = '';
  private ply: number | null = null;
  private check: PositionCheck | null = null;
  private readonly answer = h('p', { class: 'field-help', role: 'status' });
  private readonly plyPlace = h('div');

  /** `preview` is told which position the game would begin with; null: the usual one. */
  constructor(
    private readonly rules: Rules,
    private readonly preview: (position: Position | null) => void,
    private readonly pgnBytes: number,
    pasted = '',
  ) {
    if (pasted) {
      this.kind = 'paste';
      this.text = pasted;
      void this.look();
    }
    this.draw();
  }

  /** What the server is to be asked for; null while the pasted text is no position or game. */
  get start(): Start | null {
    if (this.kind === 'standard') return { kind: 'standard' };
    if (this.kind === 'chess960') return { kind: 'chess960', number: this.number };
    if (!this.check?.ok) return null;
    return this.isPgn ? { kind: 'pgn', text: this.text, ply: this.ply } : { kind: 'position', text: this.text.trim() };
  }

  private get isPgn(): boolean {
    return this.rules.pgn && looksLikePgn(this.text);
  }

  private draw(): void {
    const options: { value: Kind; label: string }[] = [{ value: 'standard', label: 'Standard' }];
    if (this.rules.chess960) options.push({ value: 'chess960', label: 'Chess960' });
    options.push({ value: 'paste', label: this.rules.pgn ? 'FEN or PGN' : 'Position' });
    fill(
      this.element,
      choiceField('Start from', options, this.kind, (kind) => this.choose(kind)),
      ...(this.kind === 'chess960' ? this.chess960Fields() : []),
      ...(this.kind === 'paste' ? this.pasteFields() : []),
    );
  }

  private choose(kind: Kind): void {
    this.kind = kind;
    this.draw();
    this.preview(kind === 'paste' ? (this.check?.position ?? null) : null);
    if (kind === 'chess960') this.showChess960();
  }

  private chess960Fields(): HTMLElement[] {
    const number = numberField('Number', this.number ?? 518, { min: 0, max: CHESS960_STARTS - 1, step: 1 }, (value) => {
      this.number = value;
      this.showChess960();
    });
    setShown(number, this.number !== null);
    const random = switchField('Random position', '', this.number === null, (on) => {
      this.number = on ? null : 518;
      this.draw();
      this.showChess960();
    });
    return [random, number];
  }

  private showChess960(): void {
    const { number } = this;
    if (number === null) this.preview(null);
    else server.chess960(number).then((position) => this.number === number && this.preview(position), notifyError);
  }

  private pasteFields(): HTMLElement[] {
    const what = this.rules.pgn ? 'a FEN or a PGN' : `a position of ${this.rules.title}`;
    const paste = pasteField(`Paste ${what}, or drop a file`, this.rules.start.text, this.text, {
      changed: (text) => {
        this.text = text;
        // Until the server has seen it, nothing of what was there before is true.
        this.show(null);
      },
      paused: () => void this.look(),
    });
    return [
      paste,
      this.answer,
      this.plyPlace,
      ...(this.rules.editor
        ? [h('p', { class: 'field-help' }, 'Or ', h('a', { href: '/editor' }, 'set up a position'), ' by hand.')]
        : []),
    ];
  }

  /** Asks the server what the pasted text is. */
  private async look(): Promise<void> {
    const { text } = this;
    if (text.trim() === '') return this.show(null);
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > this.pgnBytes) return this.refuse(tooLarge(bytes, this.pgnBytes));
    try {
      const ask = this.isPgn ? server.checkPgn : server.checkPosition;
      const check = await ask(this.rules.name, this.isPgn ? text : text.trim());
      if (text === this.text) this.show(check);
    } catch (error) {
      if (text === this.text) this.refuse(error instanceof Error ? error.message : String(error));
    }
  }

  private refuse(problem: string): void {
    this.show(null);
    setText(this.answer, problem);
    this.answer.classList.add('problem');
  }

  private show(check: PositionCheck | null): void {
    this.check = check;
    this.ply = null;
    setText(this.answer, check ? describeCheck(check) : '');
    this.answer.classList.toggle('problem', check !== null && !check.ok);
    fill(this.plyPlace, check?.moves && check.moves.length > 0 && this.plyField(check));
    if (this.kind === 'paste') this.preview(check?.position ?? null);
  }

  /** Lets the game go on from an earlier move of the PGN. */
  private plyField(check: PositionCheck): HTMLElement {
    const moves = check.moves ?? [];
    const write = (ply: number): string => (ply === moves.length ? 'the last move' : `move ${ply} of ${moves.length}`);
    const limits = { min: 1, max: moves.length, step: 1 };
    return sliderField('Go on after', moves.length, limits, write, (ply) => {
      this.ply = ply === moves.length ? null : ply;
      this.preview(moves[ply - 1]?.position ?? null);
    });
  }
}
