// What is said of a move: its comment and glyphs, and what becomes of it in the tree.
import { fill, h, setShown } from '../dom';
import { icon, type IconName } from '../shell/icons';
import { MOVE_GLYPHS, POSITION_GLYPHS, toggled } from './glyphs';
import type { Study } from './study';
import type { Edit } from './types';

const SAVE_MS = 800;

export class Notes {
  readonly element: HTMLElement;
  private readonly area = h('textarea', {
    id: 'study-comment',
    rows: 1,
    maxlength: 5000,
    placeholder: 'A comment on this move',
  });
  private readonly glyphs = h('div', { class: 'glyph-row', role: 'group', 'aria-label': 'Glyphs' });
  private readonly actions = h('div', { class: 'notes-actions' });
  /** The node whose comment is being typed; its text is not overwritten by what comes in. */
  private typing: number | null = null;
  private timer = 0;

  constructor(
    private readonly study: Study,
    private readonly edit: (edit: Edit) => void,
    private readonly remove: () => void,
  ) {
    this.area.addEventListener('input', () => {
      this.typing = this.study.current;
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.save(), SAVE_MS);
    });
    this.area.addEventListener('blur', () => this.save());
    this.area.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.area.blur();
    });
    this.element = h(
      'section',
      { class: 'study-notes', 'aria-label': 'Notes' },
      h('label', { class: 'sr-only', for: 'study-comment' }, 'Comment'),
      h('div', { class: 'notes-row' }, this.area, this.actions),
      this.glyphs,
    );
  }

  focus(): void {
    this.area.focus();
  }

  /** Saves what was typed, before the tab looks elsewhere. */
  save(): void {
    clearTimeout(this.timer);
    const node = this.typing === null ? null : this.study.nodes.get(this.typing);
    this.typing = null;
    if (node && this.area.value.trim() !== node.comment)
      this.edit({ type: 'comment', node: node.id, text: this.area.value });
  }

  /** Gives a text back whose saving was refused. */
  restore(edit: Edit): void {
    if (edit.type !== 'comment') return;
    this.area.value = edit.text;
    this.typing = this.study.current;
  }

  update(): void {
    const { node } = this.study;
    if (!node) return;
    if (this.typing !== null && this.typing !== node.id) this.save();
    if (this.typing === null && !this.study.isEditing && this.area.value !== node.comment)
      this.area.value = node.comment;
    const buttons = [...MOVE_GLYPHS, ...POSITION_GLYPHS].map(({ nag, sign, words }) =>
      h(
        'button',
        {
          type: 'button',
          class: 'glyph-button',
          title: words,
          'aria-label': words,
          'aria-pressed': String(node.nags.includes(nag)),
          click: () => this.edit({ type: 'nags', node: node.id, nags: toggled(node.nags, nag) }),
        },
        sign,
      ),
    );
    fill(this.glyphs, ...buttons);
    setShown(this.glyphs, node.parent !== null);
    const siblings = node.parent === null ? [] : (this.study.nodes.get(node.parent)?.children ?? []);
    const isMain = this.study.mainLine().some(({ id }) => id === node.id);
    fill(
      this.actions,
      siblings.indexOf(node.id) > 0 &&
        action('up', 'Move this variation up (U)', () => this.edit({ type: 'promote', node: node.id, main: false })),
      !isMain &&
        action('first', 'Make this the main line', () => this.edit({ type: 'promote', node: node.id, main: true })),
      node.parent !== null && action('bin', 'Delete from here (Delete)', this.remove),
    );
  }
}

function action(name: IconName, label: string, click: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon-button', title: label, 'aria-label': label, click }, icon(name));
}
