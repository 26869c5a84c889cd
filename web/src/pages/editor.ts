// The position editor: put pieces anywhere, see at once whether the position is legal, play from it.
import { EditableBoard, enPassantSquares, type Tool } from '../board/editable';
import { EMPTY_CELLS, type FenFields, parseFen, possibleCastling, START_FEN, writeFen } from '../chess/fen';
import { pieceImage } from '../chess/pieces';
import { fill, h, setText } from '../dom';
import { choiceField, selectField } from '../fields';
import { addShortcuts } from '../keys';
import { Announcer } from '../play/announcer';
import { analysePosition, checkPosition } from '../server/http';
import type { GridShape } from '../server/types';
import { copyText } from '../shell/clipboard';
import { icon } from '../shell/icons';
import { notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';

const NAMES: Record<string, string> = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
const CASTLINGS: readonly (readonly [string, string])[] = [
  ['K', 'White O-O'],
  ['Q', 'White O-O-O'],
  ['k', 'Black O-O'],
  ['q', 'Black O-O-O'],
];
const TYPING_MS = 150;

export function editorPage(app: App): Page {
  const chess = app.about.games.find((rules) => rules.editor);
  if (!chess || chess.board.kind !== 'grid') throw new Error('The server has no game with an editor.');
  const page = new EditorPage(app, chess.name, chess.board);
  return { element: page.element, title: 'Editor', destroy: () => page.destroy() };
}

class EditorPage {
  readonly element: HTMLElement;
  private fields: FenFields;
  private readonly announcer = new Announcer();
  private readonly board: EditableBoard;
  private readonly tools = new Map<Tool, HTMLButtonElement>();
  private readonly options = h('div', { class: 'editor-options' });
  private readonly answer = h('p', { class: 'field-help', role: 'status' });
  private readonly fen = h('input', { id: 'editor-fen', type: 'text', spellcheck: 'false', autocomplete: 'off' });
  private readonly analyse = h('button', { type: 'button', class: 'button' }, icon('analysis'), 'Analyse');
  private readonly play = h('button', { type: 'button', class: 'button primary big' }, icon('play'), 'Play from here');
  private readonly removeShortcuts: () => void;
  private timer = 0;

  constructor(
    app: App,
    private readonly game: string,
    private readonly shape: GridShape,
  ) {
    this.board = new EditableBoard(shape, {
      changed: (cells) => this.edit({ cells }),
      say: (text) => this.announcer.tellNow(text),
    });
    // The address keeps the position: going back to the editor, or reloading it, finds it as it was.
    // A game can hand over its position in the same way.
    const kept = (history.state as { fen?: string } | null)?.fen;
    this.fields = parseFen(kept ?? START_FEN) ?? (parseFen(START_FEN) as FenFields);
    this.fen.addEventListener('input', () => this.readFen());
    this.play.addEventListener('click', () => app.go('/new', { position: writeFen(this.fields) }));
    this.analyse.addEventListener('click', () => {
      analysePosition(writeFen(this.fields)).then((path) => app.go(path), notifyError);
    });
    this.element = this.layOut();
    this.removeShortcuts = addShortcuts([
      { keys: ['b'], label: 'Go to the board', group: 'Editor', run: () => this.board.element.focus() },
      { keys: ['f'], label: 'Flip the board', group: 'Editor', run: () => this.board.flip() },
    ]);
    this.choose('move');
    this.board.cells = this.fields.cells;
    this.edit({});
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.removeShortcuts();
    this.board.destroy();
  }

  private layOut(): HTMLElement {
    return h(
      'div',
      { class: 'table editor' },
      h(
        'section',
        { class: 'table-board', 'aria-label': 'Board' },
        this.palette('kqrbnp', 'Black pieces'),
        h('div', { class: 'board-place' }, this.board.element),
        this.palette('KQRBNP', 'White pieces'),
      ),
      h(
        'aside',
        { class: 'panel' },
        h('h1', {}, 'Position editor'),
        h('p', { class: 'field-help' }, 'Drag pieces, or choose one and press the squares where it should stand.'),
        h(
          'div',
          { class: 'button-row' },
          button('Start position', () => this.set(START_FEN)),
          button('Clear', () => this.clear()),
          button('Flip', () => this.board.flip()),
        ),
        this.options,
        h(
          'div',
          { class: 'field fen-field' },
          h('label', { for: 'editor-fen' }, 'FEN'),
          this.fen,
          button('Copy', () => void copyText(this.fen.value, 'FEN')),
        ),
        this.answer,
        this.play,
        this.analyse,
      ),
      ...this.announcer.elements,
    );
  }

  /** One side's pieces, to choose or to drag; the rows also hold the two tools. */
  private palette(letters: string, label: string): HTMLElement {
    const white = letters === letters.toUpperCase();
    const buttons = [...letters].map((letter) => {
      const name = `${white ? 'White' : 'Black'} ${NAMES[letter.toLowerCase()] ?? ''}`;
      const tool = this.toolButton(letter, name, pieceImage(letter));
      for (const event of ['mousedown', 'touchstart'] as const) {
        tool.addEventListener(event, (pressed) => {
          this.choose(letter);
          this.board.dragNew(letter, pressed);
          pressed.preventDefault();
        });
      }
      return tool;
    });
    const extra = white
      ? this.toolButton('remove', 'Remove pieces', icon('bin'))
      : this.toolButton('move', 'Move pieces', icon('hand'));
    return h('div', { class: 'palette', role: 'group', 'aria-label': label }, ...buttons, extra);
  }

  private toolButton(tool: Tool, name: string, image: Element): HTMLButtonElement {
    const element = h(
      'button',
      { type: 'button', class: 'tool cg-wrap', title: name, 'aria-label': name, click: () => this.choose(tool) },
      image,
    );
    this.tools.set(tool, element);
    return element;
  }

  private choose(tool: Tool): void {
    this.board.tool = tool;
    for (const [name, element] of this.tools) element.setAttribute('aria-pressed', String(name === tool));
  }

  private clear(): void {
    this.board.cells = EMPTY_CELLS;
    this.edit({ cells: EMPTY_CELLS, castling: '', enPassant: '-' });
  }

  private set(fen: string): void {
    const fields = parseFen(fen);
    if (!fields) return;
    this.board.cells = fields.cells;
    this.edit(fields);
  }

  private readFen(): void {
    const fields = parseFen(this.fen.value);
    if (!fields) {
      this.show('This is not a FEN yet: it needs eight rows between "/".', false);
      return;
    }
    this.fields = fields;
    this.board.cells = fields.cells;
    this.drawOptions();
    this.checkSoon();
  }

  private edit(changes: Partial<FenFields>): void {
    this.fields = { ...this.fields, ...changes };
    const possible = enPassantSquares(this.shape, this.fields.cells, this.fields.toMove);
    if (!possible.includes(this.fields.enPassant)) this.fields.enPassant = '-';
    this.fields.castling = possibleCastling(this.fields.castling, this.fields.cells);
    this.fen.value = writeFen(this.fields);
    this.drawOptions();
    this.checkSoon();
  }

  private drawOptions(): void {
    const { toMove, castling, enPassant, cells } = this.fields;
    const sides = [
      { value: 'w' as const, label: 'White' },
      { value: 'b' as const, label: 'Black' },
    ];
    const squares = ['-', ...enPassantSquares(this.shape, cells, toMove)];
    fill(
      this.options,
      choiceField('To move', sides, toMove, (side) => this.edit({ toMove: side })),
      h(
        'fieldset',
        { class: 'castling' },
        h('legend', {}, 'Castling still allowed'),
        ...CASTLINGS.map(([letter, label]) => this.castlingBox(letter, label, castling)),
      ),
      squares.length > 1 &&
        selectField(
          'En passant on',
          squares.map((square) => ({ value: square, label: square === '-' ? 'none' : square })),
          enPassant,
          (square) => this.edit({ enPassant: square }),
        ),
    );
  }

  private castlingBox(letter: string, label: string, castling: string): HTMLElement {
    const isPossible = possibleCastling(letter, this.fields.cells) !== '';
    const box = h('input', { type: 'checkbox', checked: castling.includes(letter), disabled: !isPossible });
    box.addEventListener('change', () => {
      const wanted = new Set(this.fields.castling);
      if (box.checked) wanted.add(letter);
      else wanted.delete(letter);
      this.edit({ castling: [...'KQkq'].filter((right) => wanted.has(right)).join('') });
    });
    return h('label', { class: 'check' }, box, label);
  }

  /** Keeps the position at once, for whoever leaves or reloads now, and asks about it when nothing more comes. */
  private checkSoon(): void {
    history.replaceState({ fen: writeFen(this.fields) }, '');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), TYPING_MS);
  }

  private async check(): Promise<void> {
    const fen = writeFen(this.fields);
    try {
      const answer = await checkPosition(this.game, fen);
      if (fen !== writeFen(this.fields)) return;
      if (!answer.ok) this.show(answer.problem ?? 'This position is not legal.', false);
      else if (answer.result) this.show(`The game is over here: ${answer.result.text}`, false);
      else this.show(`A legal position with ${answer.legal_count ?? 0} moves.`, true);
    } catch (error) {
      notifyError(error);
    }
  }

  private show(text: string, playable: boolean): void {
    setText(this.answer, text);
    this.answer.classList.toggle('problem', !playable);
    this.play.disabled = !playable;
    this.analyse.disabled = !playable;
  }
}

function button(label: string, click: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'button', click }, label);
}
