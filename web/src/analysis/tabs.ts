// Tabs: one of several panels is shown; arrow keys go from tab to tab.
import { h, setShown } from '../dom';

export interface Tab {
  name: string;
  label: string;
  content: HTMLElement;
  shown?: (shown: boolean) => void;
}

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  current = '';

  constructor(
    private readonly tabs: readonly Tab[],
    label: string,
  ) {
    this.buttons = tabs.map((tab, index) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          class: 'tab',
          id: `tab-${tab.name}`,
          'aria-controls': `panel-${tab.name}`,
          click: () => this.show(tab.name),
          keydown: (event) => this.pressed(event as KeyboardEvent, index),
        },
        tab.label,
      ),
    );
    const panels = tabs.map((tab) =>
      h(
        'div',
        { role: 'tabpanel', class: 'tab-panel', id: `panel-${tab.name}`, 'aria-labelledby': `tab-${tab.name}` },
        tab.content,
      ),
    );
    this.element = h(
      'div',
      { class: 'tabs' },
      h('div', { role: 'tablist', class: 'tab-list', 'aria-label': label }, ...this.buttons),
      ...panels,
    );
    this.show(tabs[0]?.name ?? '');
  }

  show(name: string): void {
    this.current = name;
    this.tabs.forEach((tab, index) => {
      const isShown = tab.name === name;
      const button = this.buttons[index];
      button?.setAttribute('aria-selected', String(isShown));
      button?.setAttribute('tabindex', isShown ? '0' : '-1');
      const panel = tab.content.parentElement;
      if (panel) setShown(panel, isShown);
      tab.shown?.(isShown);
    });
  }

  private pressed(event: KeyboardEvent, index: number): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (index + by + this.tabs.length) % this.tabs.length;
    this.show(this.tabs[next]?.name ?? '');
    this.buttons[next]?.focus();
  }
}
