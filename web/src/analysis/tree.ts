// The moves of a study: the main line in numbered rows, variations indented below the move that they replace.
import { spokenMove } from '../chess/words';
import { type Child, fill, h } from '../dom';
import { sayNags, writeNags } from './glyphs';
import type { Study } from './study';
import type { ReviewedMove, StudyNode } from './types';

export interface TreeActions {
  select: (id: number) => void;
}

/** "12." or "12…" in front of a move; `ply` counts the half moves before and with it. */
export function moveNumber(ply: number): string {
  return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? '.' : '…'}`;
}

export class MoveTree {
  readonly element = h('div', { class: 'tree', tabindex: -1, role: 'group', 'aria-label': 'Moves' });
  private readonly buttons = new Map<number, HTMLButtonElement>();
  private marked: HTMLButtonElement | null = null;
  private drawn = '';

  constructor(private readonly actions: TreeActions) {
    // What is shown beside it comes and goes; the marked move stays in sight.
    new ResizeObserver(() => this.marked && this.scrollTo(this.marked)).observe(this.element);
  }

  /** Shows the tree; `judged` are the moves of a review by node. */
  update(study: Study, judged: ReadonlyMap<number, ReviewedMove>): void {
    // Selecting a move must stay cheap in a tree of thousands: what is drawn is drawn again only when it changed.
    const key = `${study.view?.id ?? ''} ${study.view?.revision ?? 0} ${judged.size} ${study.nodes.size}`;
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(study, judged);
    }
    this.mark(study.current);
  }

  private mark(id: number): void {
    const button = this.buttons.get(id) ?? null;
    if (button === this.marked) return;
    this.marked?.removeAttribute('aria-current');
    button?.setAttribute('aria-current', 'true');
    this.marked = button;
    if (!button) this.element.scrollTo(0, 0);
    else this.scrollTo(button);
  }

  /** Scrolls the list itself and never the page. */
  private scrollTo(button: HTMLElement): void {
    const { element } = this;
    const top = button.offsetTop;
    if (top < element.scrollTop || top + button.offsetHeight > element.scrollTop + element.clientHeight) {
      element.scrollTo(0, top - element.clientHeight / 2);
    }
  }

  private draw(study: Study, judged: ReadonlyMap<number, ReviewedMove>): void {
    this.buttons.clear();
    this.marked = null;
    const root = study.nodes.get(0);
    if (!root) return;
    const parts: HTMLElement[] = [];
    if (root.comment) parts.push(comment(root.comment));
    let row: HTMLElement | null = null;
    // The main line, row by row; a row ends where something stands between its moves.
    for (let node: StudyNode | undefined = root; node; node = study.nodes.get(node.children[0] ?? -1)) {
      const [mainId, ...others] = node.children;
      const main = study.nodes.get(mainId ?? -1);
      if (!main) break;
      const isWhite = main.ply % 2 === 1;
      if (main.before) {
        parts.push(comment(main.before));
        row = null;
      }
      if (isWhite || !row) {
        row = h('div', { class: 'tree-row' }, h('span', { class: 'move-number' }, String(Math.ceil(main.ply / 2))));
        if (!isWhite) row.append(h('span', { class: 'no-move' }, '…'));
        parts.push(row);
      }
      row.append(this.button(main, judged.get(main.id)));
      const below: HTMLElement[] = [];
      if (main.comment) below.push(comment(main.comment));
      for (const id of others) {
        const other = study.nodes.get(id);
        if (other) below.push(h('div', { class: 'variation' }, ...this.line(study, other, true)));
      }
      if (below.length > 0) {
        parts.push(h('div', { class: 'tree-notes' }, ...below));
        row = null;
      }
    }
    if (this.buttons.size === 0) parts.push(h('p', { class: 'no-moves' }, 'Play a move on the board to begin.'));
    fill(this.element, ...parts);
  }

  /** A variation from a move on: its moves in a run, with variations of its own in brackets. */
  private line(study: Study, first: StudyNode, isStart: boolean): Child[] {
    const parts: Child[] = [];
    let needsNumber = isStart;
    for (let node: StudyNode | undefined = first; node; node = study.nodes.get(node.children[0] ?? -1)) {
      if (node.before) parts.push(inlineComment(node.before));
      if (needsNumber || node.ply % 2 === 1) parts.push(h('span', { class: 'inline-number' }, moveNumber(node.ply)));
      parts.push(this.button(node, undefined));
      needsNumber = false;
      if (node.comment) {
        parts.push(inlineComment(node.comment));
        needsNumber = true;
      }
      const siblings = node === first ? [] : (study.nodes.get(node.parent ?? -1)?.children.slice(1) ?? []);
      for (const id of siblings) {
        const other = study.nodes.get(id);
        if (!other) continue;
        parts.push(h('span', { class: 'nested' }, ' (', ...this.line(study, other, true), ') '));
        needsNumber = true;
      }
    }
    return parts;
  }

  private button(node: StudyNode, judged: ReviewedMove | undefined): HTMLButtonElement {
    const own = writeNags(node.nags);
    // What the reviewer says is shown where nobody has said anything.
    const sign = own || (judged?.judgment ?? '');
    const words = [spokenMove(node.san), sayNags(node.nags) || (judged?.judgment ? `reviewed as ${sign}` : '')];
    const button = h(
      'button',
      {
        type: 'button',
        class: 'move',
        'data-node': node.id,
        'aria-label': `${node.san}${sign}, ${words.filter(Boolean).join(', ')}`,
        click: () => this.actions.select(node.id),
      },
      node.san,
      sign && h('span', { class: `glyph ${glyphKind(sign)}` }, sign),
    );
    this.buttons.set(node.id, button);
    return button;
  }
}

function glyphKind(sign: string): string {
  if (sign.startsWith('??')) return 'blunder';
  if (sign.startsWith('?!')) return 'inaccuracy';
  if (sign.startsWith('?')) return 'mistake';
  return 'plain';
}

function comment(text: string): HTMLElement {
  return h('p', { class: 'comment' }, text);
}

function inlineComment(text: string): HTMLElement {
  return h('span', { class: 'comment' }, text);
}
