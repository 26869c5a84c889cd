// The page of one study: the board, engines beside it, the tree of moves, the review, and what people would play.
import { ChessBoard } from '../board/chess';
import { describeBoard } from '../board/board';
import { spokenMove } from '../chess/words';
import { confirm } from '../dialogs/dialog';
import { fill, h, setShown, setText } from '../dom';
import { Announcer } from '../play/announcer';
import { EvaluationBar } from '../play/evaluation';
import { TypedMove } from '../play/typed';
import { addShortcuts } from '../keys';
import type { GridShape, Move, Side } from '../server/types';
import { copyText } from '../shell/clipboard';
import { icon, type IconName } from '../shell/icons';
import { notify, notifyError, showConnection } from '../shell/messages';
import type { App, Page } from '../shell/page';
import { engineArrows } from './arrows';
import { openDropped } from './dropping';
import { DEFAULT_CHOICE, EnginePanel } from './engine';
import { Exercise } from './exercise';
import { analysts, crowds, studyPgnUrl } from './http';
import { MOVE_GLYPHS, toggled } from './glyphs';
import { Information } from './information';
import { readKept, writeKept } from './kept';
import type { LineActions } from './lines';
import { Notes } from './notes';
import { PeoplePanel } from './people';
import { ReviewPanel } from './review';
import { analysisShortcuts } from './shortcuts';
import { positionOf, Study } from './study';
import { Tabs } from './tabs';
import { MoveTree } from './tree';
import type { Edit, EngineView, LineMove, ReviewedMove, StudyNode } from './types';
import { valueOf } from './words';

export function studyPage(app: App, id: string): Page {
  const page = new StudyPage(app, id);
  return { element: page.element, title: 'Analysis', destroy: () => page.destroy() };
}

class StudyPage {
  readonly element = h('div', { class: 'table analysis' });
  private readonly study: Study;
  private readonly board: ChessBoard;
  private readonly shape: GridShape;
  private readonly announcer = new Announcer();
  private readonly bar = new EvaluationBar();
  private readonly heading = h('h1', { class: 'game-heading' });
  private readonly opening = h('p', { class: 'opening' });
  private readonly problems = h('p', { class: 'study-problems', role: 'status' });
  private readonly verdict = h('p', { class: 'place-verdict', role: 'status' });
  private readonly words = h('p', { id: 'board-words', class: 'sr-only' });
  private readonly tree: MoveTree;
  private readonly notes: Notes;
  private readonly typed: TypedMove;
  private readonly review: ReviewPanel;
  private readonly people: PeoplePanel;
  private readonly information: Information;
  private readonly tabs: Tabs;
  private readonly engines = h('div', { class: 'engines' });
  private readonly exercisePlace = h('div', { class: 'exercise-place' });
  private readonly panels: EnginePanel[] = [];
  private readonly cleanups: (() => void)[] = [];
  private readonly lineActions: LineActions;
  private exercise: Exercise | null = null;
  private judged = new Map<number, ReviewedMove>();
  private judgedOf: unknown = null;
  private preview: LineMove | null = null;
  private bottom: Side = 0;
  private hasArrows = true;
  private hasBar = true;

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    const chess = app.about.games.find(({ name }) => name === 'chess');
    if (!chess || chess.board.kind !== 'grid') throw new Error('The server has no chess.');
    this.shape = chess.board;
    this.board = new ChessBoard(this.shape, {
      move: (move) => this.play(move),
      say: (text) => this.announcer.tellNow(text),
    });
    this.study = this.connect();
    this.lineActions = {
      preview: (move) => this.showPreview(move),
      play: (moves) => this.edit({ type: 'line', node: this.study.current, moves: moves.map(({ text }) => text) }),
    };
    const select = (node: number): void => this.study.select(node);
    this.tree = new MoveTree({ select });
    this.notes = new Notes(
      this.study,
      (edit) => this.edit(edit),
      () => void this.remove(),
    );
    this.typed = new TypedMove((text) => this.playText(text));
    this.typed.setExample('e4, Nf3, O-O, e2e4');
    this.review = new ReviewPanel(this.study, {
      ...this.lineActions,
      select,
      send: (command) => this.study.send(command),
      annotate: () => this.edit({ type: 'annotate' }),
      practice: (side) => this.practice(side),
    });
    this.people = new PeoplePanel(this.study, this.lineActions);
    this.information = new Information((edit) => this.edit(edit));
    this.tabs = new Tabs(
      [
        {
          name: 'moves',
          label: 'Moves',
          content: h('div', { class: 'moves-tab' }, this.tree.element, this.notes.element),
        },
        { name: 'review', label: 'Review', content: this.review.element },
        { name: 'people', label: 'People', content: this.people.element, shown: (shown) => this.people.show(shown) },
        { name: 'game', label: 'Game', content: this.information.element },
      ],
      'What is shown',
    );
    this.layOut();
    this.cleanups.push(addShortcuts(this.shortcuts()), openDropped(app));
    analysts().then((names) => this.makeEngines(names), notifyError);
    crowds().then((found) => {
      this.people.offer(found);
      this.review.offer(found);
    }, notifyError);
  }

  destroy(): void {
    this.notes.save();
    for (const cleanup of this.cleanups) cleanup();
    this.study.close();
    this.board.destroy();
  }

  private connect(): Study {
    return new Study(this.id, {
      changed: () => this.update(),
      engine: (view) => this.engineSaid(view),
      review: () => this.update(),
      tried: (tried) => this.exercise?.judge(tried),
      people: (people) => this.people.receive(people),
      refused: (message, edit) => this.refused(message, edit),
      connection: showConnection,
      gone: () => this.showGone(),
    });
  }

  private layOut(): void {
    fill(
      this.element,
      h(
        'section',
        { class: 'table-board', 'aria-label': 'Board' },
        this.bar.element,
        h('div', { class: 'board-place' }, this.board.element),
        this.words,
      ),
      h(
        'aside',
        { class: 'panel', 'aria-label': 'Analysis' },
        h(
          'header',
          { class: 'panel-header' },
          this.heading,
          this.opening,
          h('div', { class: 'take-away' }, ...this.takeAway()),
        ),
        this.problems,
        this.engines,
        this.exercisePlace,
        this.tabs.element,
        this.verdict,
        h('div', { class: 'study-bar' }, this.steps(), this.typed.element),
      ),
      ...this.announcer.elements,
    );
    setShown(this.element, false);
  }

  private takeAway(): HTMLElement[] {
    const fen = (): string => this.study.node?.fen ?? '';
    return [
      iconButton('flip', 'Flip the board (f)', () => this.flip()),
      iconButton('play', 'Play from this position', () => this.app.go('/new', { position: fen() })),
      iconButton('editor', 'Set up this position in the editor', () => this.app.go('/editor', { fen: fen() })),
      iconButton('inside', 'Look inside this position', () => {
        this.app.go(`/inside?${new URLSearchParams({ game: 'chess', text: fen() }).toString()}`);
      }),
      iconButton('copy', 'Copy the position (FEN)', () => void copyText(fen(), 'FEN')),
      h(
        'a',
        {
          class: 'icon-button',
          href: studyPgnUrl(this.id),
          download: '',
          title: 'Save as PGN',
          'aria-label': 'Save as PGN',
        },
        icon('download'),
      ),
    ];
  }

  private steps(): HTMLElement {
    const steps: [IconName, string, number][] = [
      ['first', 'Start (↑)', -Infinity],
      ['previous', 'One move back (←)', -1],
      ['next', 'One move on (→)', 1],
      ['last', 'End of the line (↓)', Infinity],
    ];
    return h(
      'div',
      { class: 'move-steps study-steps' },
      ...steps.map(([name, label, by]) => iconButton(name, label, () => this.study.step(by))),
    );
  }

  // --- Engines --------------------------------------------------------------------------------------------------

  private makeEngines(names: readonly string[]): void {
    const opponents = this.app.about.opponents.filter(({ name }) => names.includes(name));
    const kept = readKept();
    const add = iconButton('plus', 'Add a second engine', () => {
      this.panels.push(make(1));
      draw();
      this.panels[1]?.switch(true);
    });
    const draw = (): void => {
      fill(this.engines, ...this.panels.map(({ element }) => element));
      setShown(add, this.panels.length < 2);
    };
    const make = (seat: Side): EnginePanel => {
      const choice = kept.choices[seat] ?? { ...DEFAULT_CHOICE, engine: seat === 0 ? 'nnue' : 'classic' };
      const panel: EnginePanel = new EnginePanel(seat, opponents, choice, {
        ...this.lineActions,
        order: (order) => {
          this.study.order(seat, order);
          if (!order) this.update();
        },
        chosen: (chosen, on) => {
          kept.choices[seat] = chosen;
          if (seat === 0) kept.on = on;
          writeKept(kept);
        },
        extra: seat === 0 ? add : null,
        close:
          seat === 0
            ? null
            : () => {
                panel.switch(false);
                this.panels.pop();
                draw();
              },
      });
      return panel;
    };
    this.panels.push(make(0));
    draw();
    if (kept.on) this.panels[0]?.switch(true);
  }

  private engineSaid(view: EngineView): void {
    this.panels[view.seat]?.update(view, this.study.node);
    if (view.seat === 0) this.drawBar();
    this.drawArrows();
  }

  private drawArrows(): void {
    const isFree = this.hasArrows && !this.preview && !this.exercise;
    this.board.setArrows(isFree ? engineArrows(this.panels, this.study.current) : []);
  }

  /** The bar shows what the first engine says, or else what the review said of this move. */
  private drawBar(): void {
    const [panel] = this.panels;
    const view = panel?.on && panel.view?.node === this.study.current && !panel.view.threat ? panel.view : null;
    const known = view?.score || view?.wdl ? view : this.judged.get(this.study.current);
    // During an exercise it would tell the answer.
    const evaluation =
      known && !this.exercise ? { score: known.score, value: 0.999 * valueOf(known.score, known.wdl) } : null;
    this.bar.update(evaluation, this.bottom, this.hasBar);
  }

  // --- What is shown --------------------------------------------------------------------------------------------

  private update(): void {
    const { study } = this;
    const { node, view } = study;
    if (!node || !view) return;
    setShown(this.element, true);
    this.takeReview();
    setText(this.heading, view.title);
    document.title = `${view.title} · philidor`;
    const named = study
      .lineTo(node.id)
      .reverse()
      .find(({ opening }) => opening)?.opening;
    setText(this.opening, named ? `${named.eco} ${named.name}` : '');
    setText(this.problems, view.problems.length > 0 ? `Left out: ${view.problems.join('; ')}` : '');
    setText(this.verdict, this.describePlace());
    this.drawBoard();
    this.tree.update(study, this.judged);
    this.notes.update();
    this.review.update();
    this.people.update();
    this.information.update(view);
    for (const panel of this.panels) panel.update(panel.view, node);
    this.drawBar();
    this.drawArrows();
    this.tellMove(node);
  }

  private takeReview(): void {
    const { review } = this.study;
    if (review === this.judgedOf) return;
    this.judgedOf = review;
    this.judged = new Map(review?.moves.map((move) => [move.node, move]) ?? []);
    if (!review) this.endExercise();
  }

  private describePlace(): string {
    const { place } = this.study;
    if (place?.result) return place.result.text;
    if (!place?.tables) return '';
    const { text, moves } = place.tables;
    return `Endgame tables: ${text}. ${moves.length > 4 ? `${moves.length} moves keep it.` : moves.join(', ')}`;
  }

  private drawBoard(): void {
    const { study, preview } = this;
    const { node } = study;
    if (!node) return;
    // While a move is on its way the board shows it; what the server answers is drawn next.
    if (study.isEditing && !preview) return;
    const shown = preview ?? node;
    const position = positionOf(shown, node.ply);
    const legal = preview ? [] : (study.place?.legal ?? []);
    const awaited = !preview && !study.place;
    this.board.update({
      position,
      last: shown.to ? shown : null,
      legal,
      awaited,
      bottom: this.bottom,
      movable: legal.length > 0 || awaited ? position.to_move : null,
    });
    setText(this.words, describeBoard(this.shape, position.cells ?? '', ['White', 'Black']));
  }

  private showPreview(move: LineMove | null): void {
    if (this.preview === move) return;
    this.preview = move;
    this.drawBoard();
    this.drawArrows();
  }

  private told = -1;

  private tellMove(node: StudyNode): void {
    if (node.id === this.told) return;
    const isFirst = this.told === -1;
    this.told = node.id;
    if (isFirst) return;
    const side = node.ply % 2 === 1 ? 'White' : 'Black';
    const words = node.san ? `${side}: ${spokenMove(node.san)}. ${node.comment}` : 'Start position.';
    this.announcer.tell(words);
  }

  // --- What is done ---------------------------------------------------------------------------------------------

  private edit(edit: Edit): void {
    this.study.edit(edit);
  }

  private play(move: Move): void {
    this.playText(move.text);
  }

  private playText(text: string): void {
    this.typed.refuse('');
    if (this.exercise?.play(text)) return;
    this.edit({ type: 'move', node: this.study.current, move: text });
    this.typed.clear();
  }

  private refused(message: string, edit: Edit | null): void {
    if (edit?.type === 'move') this.typed.refuse(message);
    else if (edit === null && this.exercise) this.exercise.refuse(message);
    this.people.refuse(message);
    if (edit) this.notes.restore(edit);
    notify(message, 'error');
    this.drawBoard();
  }

  private async remove(): Promise<void> {
    const { node } = this.study;
    if (!node || node.parent === null) return;
    const question = `${node.san} and all that follows it will be deleted.`;
    if (node.children.length > 0 && !(await confirm('Delete from here?', question, 'Delete'))) return;
    this.edit({ type: 'delete', node: node.id });
  }

  private practice(side: Side | null): void {
    const { review } = this.study;
    if (!review) return;
    const select = (node: number): void => this.study.select(node);
    this.element.classList.add('exercising');
    this.exercise = new Exercise(this.study, review, side, {
      preview: this.lineActions.preview,
      play: this.lineActions.play,
      select,
      show: (node, mover) => {
        this.bottom = mover;
        this.study.select(node);
        this.update();
      },
      end: () => this.endExercise(),
    });
    fill(this.exercisePlace, this.exercise.element);
    this.update();
  }

  private endExercise(): void {
    if (!this.exercise) return;
    this.exercise = null;
    this.element.classList.remove('exercising');
    fill(this.exercisePlace);
    this.update();
  }

  private flip(): void {
    this.bottom = this.bottom === 0 ? 1 : 0;
    this.update();
  }

  private shortcuts(): ReturnType<typeof analysisShortcuts> {
    return analysisShortcuts({
      step: (by) => this.study.step(by),
      stepAside: (by) => this.study.stepAside(by),
      flip: () => this.flip(),
      engine: () => this.panels[0]?.switch(!this.panels[0].on),
      threat: () => this.panels[0]?.switchThreat(),
      best: () => this.playBest(),
      arrows: () => {
        this.hasArrows = !this.hasArrows;
        this.drawArrows();
      },
      bar: () => {
        this.hasBar = !this.hasBar;
        this.drawBar();
      },
      comment: () => {
        this.tabs.show('moves');
        this.notes.focus();
      },
      typeMove: () => this.typed.focus(),
      goToBoard: () => this.board.focus(),
      remove: () => void this.remove(),
      promote: () => {
        const { node } = this.study;
        if (node?.parent !== null && node) this.edit({ type: 'promote', node: node.id, main: false });
      },
      glyph: (sign) => {
        const { node } = this.study;
        const glyph = MOVE_GLYPHS.find((each) => each.sign === sign);
        if (node && glyph && node.parent !== null)
          this.edit({ type: 'nags', node: node.id, nags: toggled(node.nags, glyph.nag) });
      },
      tab: (name) => this.tabs.show(name),
      sayPosition: () => this.announcer.tellNow(this.words.textContent ?? ''),
      sayEngine: () => this.announcer.tellNow(this.panels[0]?.spoken() ?? 'The engine is off.'),
    });
  }

  private playBest(): void {
    const [panel] = this.panels;
    const line =
      panel?.on && !panel.threat && panel.view?.node === this.study.current ? panel.view.lines[0] : undefined;
    const [move] = line?.moves ?? [];
    if (move) this.playText(move.text);
  }

  private showGone(): void {
    setShown(this.element, true);
    this.element.className = '';
    fill(
      this.element,
      h(
        'div',
        { class: 'page narrow' },
        h('h1', {}, 'This study is not here'),
        h('p', {}, 'It was deleted, or the address is wrong. ', h('a', { href: '/analysis' }, 'All studies')),
      ),
    );
  }
}

function iconButton(name: IconName, label: string, click: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon-button', title: label, 'aria-label': label, click }, icon(name));
}
