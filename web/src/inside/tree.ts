// A tree that opens where one looks: only the open part is fetched and drawn, so it may have 100,000 nodes.
import { fill, h, setShown, svg } from '../dom';
import type { TreeNode } from '../server/types';
import { bound, decimal } from './numbers';

const WIDTH = 84;
const HEIGHT = 44;
const GAP_X = 12;
const GAP_Y = 48;
const ZOOMS = [0.25, 0.35, 0.5, 0.7, 1, 1.4, 2] as const;

export interface TreeHandlers {
  /** Fetches a node with those right below it. */
  open: (node: number) => Promise<TreeNode>;
  select: (node: number) => void;
}

interface Placed {
  node: TreeNode;
  x: number;
  y: number;
}

/** Places each node over its children, leaves side by side; exported for its test. */
export function layOut(root: TreeNode): Map<number, Placed> {
  const places = new Map<number, Placed>();
  let leaves = 0;
  const place = (node: TreeNode, ply: number): number => {
    const columns = node.children.map((child) => place(child, ply + 1));
    const first = columns[0];
    const last = columns.at(-1);
    let x: number;
    if (first !== undefined && last !== undefined) x = (first + last) / 2;
    else {
      x = leaves * (WIDTH + GAP_X);
      leaves += 1;
    }
    places.set(node.id, { node, x, y: ply * (HEIGHT + GAP_Y) + 18 });
    return x;
  };
  place(root, 0);
  return places;
}

/** The two lines in a node's box. */
export function nodeLines(node: TreeNode): [string, string] {
  if (node.N !== null) return [`N ${node.N.toLocaleString('en')}`, node.Q === null ? '' : `Q ${decimal(node.Q)}`];
  const value = node.value === null ? '?' : decimal(node.value, 0);
  if (node.skipped.length > 0) return [value, `cut ${node.skipped.length}`];
  return [value, node.parent === null ? '' : `${bound(node.alpha, true)} … ${bound(node.beta, false)}`];
}

/** A node in words, for those who listen. */
export function nodeWords(node: TreeNode): string {
  const parts = [node.move || 'Root'];
  if (node.N !== null) {
    parts.push(`${node.N} visits`);
    if (node.Q !== null) parts.push(`mean value ${decimal(node.Q)}`);
    if (node.P !== null) parts.push(`prior ${decimal(node.P)}`);
  } else {
    if (node.value !== null) parts.push(`value ${decimal(node.value, 0)}`);
    if (node.parent !== null) parts.push(`window ${bound(node.alpha, true)} to ${bound(node.beta, false)}`);
    if (node.is_cutoff) parts.push(`cut-off, ${node.skipped.length} moves skipped`);
  }
  if (node.ending) parts.push(node.ending);
  const hidden = node.below - node.children.length;
  if (hidden > 0) parts.push(`${hidden} more below`);
  return parts.join(', ');
}

export class TreeView {
  readonly element: HTMLElement;
  private readonly picture = svg('svg', { class: 'tree-picture' });
  private readonly frame: HTMLElement;
  private readonly words = h('p', { class: 'sr-only', 'aria-live': 'polite' });
  private root: TreeNode | null = null;
  private path = new Set<number>();
  private selected = 0;
  private zoom: number = ZOOMS.indexOf(1);

  constructor(private readonly handlers: TreeHandlers) {
    this.frame = h(
      'div',
      {
        class: 'tree-frame',
        tabindex: 0,
        role: 'application',
        'aria-label': 'Search tree: arrow keys walk, Enter opens or closes a node, plus and minus zoom',
      },
      this.picture,
    );
    const button = (label: string, text: string, by: number): HTMLElement =>
      h(
        'button',
        { type: 'button', class: 'icon-button', 'aria-label': label, title: label, click: () => this.zoomBy(by) },
        text,
      );
    this.element = h(
      'div',
      { class: 'tree-view' },
      h('div', { class: 'tree-zoom' }, button('Zoom out', '−', -1), button('Zoom in', '+', 1)),
      this.frame,
      this.words,
    );
    this.frame.addEventListener('keydown', (event) => this.pressed(event));
    this.picture.addEventListener('click', (event) => this.clicked(event));
    setShown(this.element, false);
  }

  /** Shows a tree; `path` is drawn in color. What was selected stays so if it is still there. */
  show(root: TreeNode, path: readonly number[]): void {
    this.root = root;
    this.path = new Set(path);
    if (!this.find(this.selected)) this.selected = root.id;
    setShown(this.element, true);
    this.draw();
  }

  private find(id: number, node = this.root): TreeNode | null {
    if (!node || node.id === id) return node;
    for (const child of node.children) {
      const found = this.find(id, child);
      if (found) return found;
    }
    return null;
  }

  private draw(): void {
    if (!this.root) return;
    const places = layOut(this.root);
    const all = [...places.values()];
    const width = Math.max(...all.map(({ x }) => x)) + WIDTH;
    const height = Math.max(...all.map(({ y }) => y)) + HEIGHT;
    const scale = ZOOMS[this.zoom] ?? 1;
    this.picture.setAttribute('viewBox', `-4 -4 ${width + 8} ${height + 8}`);
    this.picture.style.width = `${(width + 8) * scale}px`;
    this.picture.style.height = `${(height + 8) * scale}px`;
    const lines = all.flatMap((place) => place.node.children.map((child) => this.line(place, places.get(child.id))));
    fill(this.picture, ...lines, ...all.map((place) => this.box(place)));
    this.reveal(places.get(this.selected));
  }

  private line(from: Placed, to: Placed | undefined): SVGElement | null {
    if (!to) return null;
    const isPath = this.path.has(from.node.id) && this.path.has(to.node.id);
    const d = `M${from.x + WIDTH / 2} ${from.y + HEIGHT}L${to.x + WIDTH / 2} ${to.y}`;
    const line = svg('path', { class: isPath ? 'branch path' : 'branch', d });
    const share = from.node.N && to.node.N ? to.node.N / from.node.N : 0;
    line.style.strokeWidth = String(1 + 3 * share);
    return line;
  }

  private box({ node, x, y }: Placed): SVGElement {
    const [first, second] = nodeLines(node);
    const classes = ['tree-node', `side-${node.to_move === 0 ? 1 : 0}`];
    if (this.path.has(node.id)) classes.push('path');
    if (node.id === this.selected) classes.push('selected');
    if (node.is_cutoff) classes.push('cut');
    const hidden = node.below - node.children.length;
    return svg(
      'g',
      { class: classes.join(' '), transform: `translate(${x} ${y})`, 'data-node': node.id },
      svg('title', {}, nodeWords(node)),
      svg('rect', { width: WIDTH, height: HEIGHT, rx: 6 }),
      svg('text', { class: 'tree-move', x: WIDTH / 2, y: -5, 'text-anchor': 'middle' }, node.move),
      svg('text', { x: WIDTH / 2, y: 18, 'text-anchor': 'middle' }, first),
      svg('text', { class: 'soft', x: WIDTH / 2, y: 35, 'text-anchor': 'middle' }, second),
      hidden > 0 && svg('text', { class: 'soft', x: WIDTH, y: HEIGHT + 13, 'text-anchor': 'end' }, `+${hidden}`),
    );
  }

  /** Scrolls to a node without moving the page. */
  private reveal(place: Placed | undefined): void {
    if (!place) return;
    const scale = ZOOMS[this.zoom] ?? 1;
    const left = place.x * scale - this.frame.clientWidth / 2 + (WIDTH * scale) / 2;
    const top = place.y * scale - this.frame.clientHeight / 2;
    this.frame.scrollTo({ left: Math.max(0, left), top: Math.max(0, top) });
  }

  private zoomBy(by: number): void {
    this.zoom = Math.min(Math.max(this.zoom + by, 0), ZOOMS.length - 1);
    this.draw();
  }

  private clicked(event: Event): void {
    const group = (event.target as Element).closest('[data-node]');
    if (!group) return;
    this.choose(Number(group.getAttribute('data-node')));
    void this.toggle();
  }

  private choose(id: number): void {
    const node = this.find(id);
    if (!node) return;
    this.selected = id;
    this.words.textContent = nodeWords(node);
    this.draw();
    this.handlers.select(id);
  }

  /** Opens a closed node and closes an open one; the root stays open. */
  private async toggle(): Promise<void> {
    const node = this.find(this.selected);
    if (!node || node.below === 0) return;
    if (node.children.length > 0 && node.parent !== null && node.children.length === node.below) node.children = [];
    else node.children = mergeChildren(node, await this.handlers.open(node.id));
    this.draw();
  }

  private pressed(event: KeyboardEvent): void {
    const run = this.keyAction(event.key);
    if (!run) return;
    event.preventDefault();
    run();
  }

  private keyAction(key: string): (() => void) | null {
    if (key === 'Enter' || key === ' ') return () => void this.toggle();
    if (key === '+' || key === '=') return () => this.zoomBy(1);
    if (key === '-') return () => this.zoomBy(-1);
    const node = this.find(this.selected);
    const parent = node && node.parent !== null ? this.find(node.parent) : null;
    const siblings = parent?.children ?? [];
    const place = siblings.findIndex(({ id }) => id === this.selected);
    const goals: Record<string, TreeNode | null | undefined> = {
      ArrowUp: parent,
      ArrowDown: node?.children[0],
      ArrowLeft: siblings[place - 1],
      ArrowRight: siblings[place + 1],
      Home: this.root,
    };
    if (!(key in goals)) return null;
    const goal = goals[key];
    return () => goal && this.choose(goal.id);
  }
}

/** The children of a fresh answer, with what was open below them. */
function mergeChildren(old: TreeNode, fresh: TreeNode): TreeNode[] {
  const known = new Map(old.children.map((child) => [child.id, child]));
  return fresh.children.map((child) => ({ ...child, children: known.get(child.id)?.children ?? child.children }));
}
