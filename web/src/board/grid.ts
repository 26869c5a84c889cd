// The board of every other game: N x M squares or points, played by click, drag or keyboard.
import { fill, h, svg } from '../dom';
import type { GridShape, Move, Side, Square } from '../server/types';
import { settings, watchSettings } from '../settings';
import { type Art, artClass, artOf } from './art';
import { type BoardHandlers, type BoardModel, type BoardView, describeSquare, squaresOf } from './board';
import { openChooser } from './chooser';
import { Cursor } from './cursor';
import {
  allSquares,
  drawCoordinates,
  drawGround,
  drawPiece,
  extentOf,
  type Point,
  pointAt,
  squareAt,
  squareCenter,
  viewBoxOf,
} from './drawing';
import { wantsMotion } from './motion';
import { destinations, movesBetween, placementsOn } from './moves';

/** From so many lines on, a finger covers more than one point. */
const CLOSE_POINTS = 13;

export class GridBoard implements BoardView {
  readonly element: HTMLElement;
  private readonly picture: SVGSVGElement;
  private readonly ground = svg('g');
  private readonly marks = svg('g', { class: 'marks' });
  private readonly pieces = svg('g');
  private readonly notes = svg('g', { class: 'notes' });
  private readonly overlay = svg('g', { class: 'overlay' });
  private readonly art: Art;
  private readonly cursor: Cursor;
  private readonly unwatch: () => void;
  private model: BoardModel | null = null;
  private selected: Square | null = null;
  private suggested: Move | null = null;
  private hovered: Square | null = null;
  private dragged: { from: Square; element: SVGGElement; hasMoved: boolean } | null = null;

  constructor(
    private readonly shape: GridShape,
    private readonly handlers: BoardHandlers,
  ) {
    this.art = artOf(shape);
    this.cursor = new Cursor(shape);
    const viewBox = viewBoxOf(shape);
    const layers = [this.ground, this.marks, this.pieces, this.notes, this.overlay];
    this.picture = svg('svg', { viewBox, 'aria-hidden': 'true' }, ...layers);
    this.element = h(
      'div',
      {
        class: `board grid-board ${artClass(shape)}`,
        tabindex: 0,
        role: 'application',
        'aria-roledescription': 'game board',
        'aria-label': 'Board: arrow keys walk over the squares, Enter moves',
        'aria-describedby': 'board-words',
      },
      this.picture,
    );
    this.element.style.setProperty('--columns', String(extentOf(shape).width));
    this.element.style.setProperty('--rows', String(extentOf(shape).height));
    this.listen();
    this.unwatch = watchSettings(() => this.draw());
  }

  update(model: BoardModel): void {
    const before = this.model;
    this.model = model;
    if (before?.position.text !== model.position.text) this.selected = null;
    this.draw();
    if (before && model.position.ply === before.position.ply + 1) this.animateLast(model);
  }

  suggest(move: Move | null): void {
    this.suggested = move;
    this.draw();
  }

  annotate(marks: readonly SVGElement[]): void {
    fill(this.notes, ...marks);
  }

  focus(): void {
    this.element.focus();
  }

  destroy(): void {
    this.unwatch();
  }

  /** The side at the bottom; a board that does not turn always shows the first side's view. */
  private get bottom(): Side {
    return this.shape.turns ? (this.model?.bottom ?? 0) : 0;
  }

  private draw(): void {
    const model = this.model;
    if (!model) return;
    fill(
      this.ground,
      drawGround(this.shape, this.art, this.bottom),
      settings().coordinates && drawCoordinates(this.shape, this.bottom),
    );
    fill(
      this.pieces,
      ...allSquares(this.shape).map((square) => drawPiece(this.shape, this.art, model.position, square, this.bottom)),
    );
    this.drawMarks();
  }

  private drawMarks(): void {
    const model = this.model;
    if (!model) return;
    fill(
      this.marks,
      ...(this.isOnPoints ? [] : squaresOf(model.last).map((square) => this.mark(square, 'last-move'))),
      this.selected && this.mark(this.selected, 'selected'),
    );
    fill(
      this.overlay,
      ...(this.isOnPoints ? squaresOf(model.last).map((square) => this.ring(square)) : []),
      ...(model.won ?? []).map((square) => this.ring(square, 'won-stone')),
      ...(settings().legal_dots ? this.goals().map((square) => this.dot(square)) : []),
      this.preview(),
      ...this.suggestion(),
      this.element.matches(':focus-visible') && this.mark(this.cursor.square, 'cursor'),
    );
  }

  /** Where the selected piece can go. */
  private goals(): Square[] {
    if (!this.model || this.selected === null) return [];
    return destinations(this.model.legal).get(this.selected) ?? [];
  }

  private mark(square: Square, kind: string): SVGElement {
    const { x, y } = squareCenter(this.shape, square, this.bottom);
    const rx = this.art.cell ? 0.5 : 0;
    return svg('rect', { class: `mark ${kind}`, x: x - 0.5, y: y - 0.5, width: 1, height: 1, rx });
  }

  /** On points there is no square to color behind the last stone. */
  private get isOnPoints(): boolean {
    return this.shape.style === 'points';
  }

  private ring(square: Square, kind = 'last-stone'): SVGElement {
    const { x, y } = squareCenter(this.shape, square, this.bottom);
    return svg('circle', { class: kind, cx: x, cy: y, r: 0.43 });
  }

  private dot(square: Square): SVGElement {
    const { x, y } = squareCenter(this.shape, square, this.bottom);
    return svg('circle', { class: 'goal', cx: x, cy: y, r: 0.14 });
  }

  /** The stone that a click would place, pale. */
  private preview(): SVGElement | null {
    const model = this.model;
    if (!model || this.hovered === null) return null;
    const goal = placementsOn(model.legal, this.hovered)[0]?.to;
    const entry = Object.entries(this.shape.pieces).find(([, piece]) => piece.side === model.position.to_move);
    if (!goal || !entry) return null;
    const { x, y } = squareCenter(this.shape, goal, this.bottom);
    return svg('g', { class: 'preview', transform: `translate(${x} ${y})` }, this.art.piece(...entry));
  }

  private suggestion(): SVGElement[] {
    const squares = squaresOf(this.suggested);
    const [from, to] = squares.map((square) => squareCenter(this.shape, square, this.bottom));
    if (!from) return [];
    if (!to) return [svg('circle', { class: 'suggestion ring', cx: from.x, cy: from.y, r: 0.42 })];
    return [
      svg('line', { class: 'suggestion', x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
      svg('circle', { class: 'suggestion end', cx: to.x, cy: to.y, r: 0.16 }),
    ];
  }

  /** Lets the piece that moved come from where it was; a placed stone falls, or fades in. */
  private animateLast(model: BoardModel): void {
    const to = model.last?.to;
    if (!wantsMotion() || !to || !model.last) return;
    const element = this.pieces.querySelector<SVGGElement>(`[data-square="${CSS.escape(to)}"]`);
    if (!element) return;
    const goal = squareCenter(this.shape, to, this.bottom);
    const falls = model.last.from === null && this.art.cell !== undefined;
    const origin = model.last.from ? squareCenter(this.shape, model.last.from, this.bottom) : { x: goal.x, y: -0.5 };
    const frames =
      model.last.from || falls
        ? [{ transform: `translate(${origin.x - goal.x}px, ${origin.y - goal.y}px)` }, { transform: 'none' }]
        : [{ opacity: 0 }, { opacity: 1 }];
    element.animate(frames, { duration: falls ? 90 * (goal.y + 0.5) : 180, easing: falls ? 'ease-in' : 'ease-out' });
  }

  private listen(): void {
    const { element } = this;
    element.addEventListener('pointerdown', (event) => this.pointerDown(event));
    element.addEventListener('pointermove', (event) => this.pointerMove(event));
    element.addEventListener('pointerup', (event) => this.pointerUp(event));
    element.addEventListener('pointercancel', () => this.endDrag());
    element.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && this.hover(null));
    element.addEventListener('keydown', (event) => this.keyPressed(event));
    for (const name of ['focus', 'blur']) element.addEventListener(name, () => this.drawMarks());
  }

  private pointerSquare(event: PointerEvent): Square | null {
    return squareAt(this.shape, this.pointerPoint(event), this.bottom);
  }

  private pointerPoint(event: PointerEvent): Point {
    const box = this.picture.getBoundingClientRect();
    return pointAt(this.shape, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }

  private pointerDown(event: PointerEvent): void {
    const square = this.pointerSquare(event);
    if (event.button !== 0 || square === null || !this.model) return;
    const hadSelection = this.selected !== null;
    if (event.pointerType === 'touch' && this.asksTwice(square)) return;
    this.press(square);
    if (this.selected !== square) return;
    const piece = this.pieces.querySelector<SVGGElement>(`[data-square="${CSS.escape(square)}"]`);
    if (!piece) return;
    this.dragged = { from: square, element: piece, hasMoved: false };
    piece.classList.add('dragged');
    this.element.setPointerCapture(event.pointerId);
    if (!hadSelection) event.preventDefault();
  }

  /** Where points are close together, a finger first shows the stone and then places it: says whether it was the first. */
  private asksTwice(square: Square): boolean {
    if (!this.isOnPoints || this.shape.width < CLOSE_POINTS || this.hovered === square) return false;
    if (placementsOn(this.model?.legal ?? [], square).length === 0) return false;
    this.hover(square);
    this.handlers.say(`${square}: press again to play`);
    return true;
  }

  private pointerMove(event: PointerEvent): void {
    if (!this.dragged) {
      if (event.pointerType === 'mouse') this.hover(this.pointerSquare(event));
      return;
    }
    const center = squareCenter(this.shape, this.dragged.from, this.bottom);
    const point = this.pointerPoint(event);
    const x = point.x - center.x;
    const y = point.y - center.y;
    this.dragged.hasMoved ||= Math.hypot(x, y) > 0.2;
    if (this.dragged.hasMoved) this.dragged.element.setAttribute('transform', `translate(${x} ${y})`);
  }

  private pointerUp(event: PointerEvent): void {
    const dragged = this.dragged;
    this.endDrag();
    const square = this.pointerSquare(event);
    if (dragged?.hasMoved && square !== null && square !== dragged.from) this.press(square);
  }

  private endDrag(): void {
    this.dragged?.element.removeAttribute('transform');
    this.dragged?.element.classList.remove('dragged');
    this.dragged = null;
  }

  private hover(square: Square | null): void {
    if (square === this.hovered) return;
    this.hovered = square;
    this.drawMarks();
  }

  /** A click, drop or Enter on a square: selects, moves or places. */
  private press(square: Square): void {
    const legal = this.model?.legal ?? [];
    const moves = this.selected === null ? placementsOn(legal, square) : movesBetween(legal, this.selected, square);
    const canSelect = destinations(legal).has(square);
    this.selected = moves.length === 0 && canSelect && this.selected !== square ? square : null;
    this.hovered = null;
    this.drawMarks();
    if (moves.length > 0) this.choose(moves, square);
    else if (this.selected === null) this.handlers.pressed?.(square);
  }

  private choose(moves: readonly Move[], square: Square): void {
    const [only] = moves;
    if (only && moves.length === 1) {
      this.handlers.move(only);
      return;
    }
    const { x, y } = squareCenter(this.shape, square, this.bottom);
    const left = (x - 0.5 - pointAt(this.shape, 0, 0).x) / extentOf(this.shape).width;
    const place = { left: 100 * left, fromTop: y < this.shape.height / 2 };
    openChooser(this.element, moves, place, this.model?.position.to_move === 0, (move) => {
      if (move) this.handlers.move(move);
    });
  }

  private keyPressed(event: KeyboardEvent): void {
    if (!this.model || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.cursor.walk(event.key, this.bottom)) this.tellSquare();
    else if (event.key === 'Enter' || event.key === ' ') {
      this.press(this.cursor.square);
      if (this.selected) this.tellSquare(`, selected, can go to ${this.goals().join(', ')}`);
    } else if (event.key === 'Escape') this.selected = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.drawMarks();
  }

  private tellSquare(more = ''): void {
    const cells = this.model?.position.cells ?? '';
    this.handlers.say(describeSquare(this.shape, cells, this.cursor.square) + more);
  }
}
