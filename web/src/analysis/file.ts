// A file of many games as a list: search it by names, opening and result, and open its games.
import { fill, h, setText } from '../dom';
import { addShortcuts } from '../keys';
import { notify, notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';
import { listFileGames, newStudy, pathOf } from './http';
import type { FileGame, FileView } from './types';

const TYPING_MS = 150;

export function filePage(app: App, id: string): Page {
  const page = new FilePage(app, id);
  return { element: page.element, title: 'Games', destroy: () => page.destroy() };
}

class FilePage {
  readonly element: HTMLElement;
  private readonly heading = h('h1', {}, 'Games');
  private readonly count = h('p', { class: 'field-help', role: 'status' });
  private readonly rows = h('tbody', {});
  private readonly pages = h('nav', { class: 'button-row', 'aria-label': 'Pages of the list' });
  private readonly search = h('input', {
    id: 'file-search',
    type: 'search',
    autocomplete: 'off',
    placeholder: 'Name, opening, result, date…',
  });
  private readonly removeShortcuts: () => void;
  private timer = 0;
  private asked = 0;

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.show(1), TYPING_MS);
    });
    const names = ['', 'White', 'Black', 'Result', 'Opening', 'Moves', 'Date'];
    this.element = h(
      'div',
      { class: 'page' },
      this.heading,
      h('p', {}, h('a', { href: '/analysis' }, 'All studies and files')),
      h('div', { class: 'field search' }, h('label', { for: 'file-search' }, 'Search'), this.search),
      this.count,
      h(
        'table',
        { class: 'file-games' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...names.map((name) => h('th', { scope: 'col' }, name || h('span', { class: 'sr-only' }, 'Number'))),
          ),
        ),
        this.rows,
      ),
      this.pages,
    );
    this.removeShortcuts = addShortcuts([
      { keys: ['/'], label: 'Search', group: 'Games', run: () => this.search.focus() },
    ]);
    this.show(1);
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.removeShortcuts();
  }

  private show(page: number): void {
    this.asked += 1;
    const { asked } = this;
    listFileGames(this.id, this.search.value, page).then(
      (view) => asked === this.asked && this.draw(view),
      (error: unknown) => {
        setText(this.heading, 'This file is not here');
        notifyError(error);
      },
    );
  }

  private draw({ file, games, total, page, pages }: FileView): void {
    setText(this.heading, file.name);
    setText(
      this.count,
      total === file.games
        ? `${total.toLocaleString('en')} games`
        : `${total.toLocaleString('en')} of ${file.games.toLocaleString('en')} games`,
    );
    fill(this.rows, ...games.map((game) => this.row(game)));
    const step = (label: string, to: number): HTMLButtonElement =>
      h('button', { type: 'button', class: 'button', click: () => this.show(to) }, label);
    fill(
      this.pages,
      page > 1 && step('Previous', page - 1),
      pages > 1 && h('span', {}, `Page ${page} of ${pages}`),
      page < pages && step('Next', page + 1),
    );
  }

  private row(game: FileGame): HTMLElement {
    const names = `${game.white} – ${game.black}`;
    const open = (): void => {
      if (game.problem) notify(`Game ${game.number} cannot be read: ${game.problem}`, 'error');
      else newStudy({ file: this.id, number: game.number }).then((made) => this.app.go(pathOf(made)), notifyError);
    };
    return h(
      'tr',
      { class: game.problem ? 'broken' : '' },
      h('td', {}, String(game.number)),
      h(
        'td',
        {},
        h('button', { type: 'button', class: 'link-button', 'aria-label': `Open ${names}`, click: open }, game.white),
      ),
      h('td', {}, game.black),
      h('td', {}, game.result === '*' ? '' : game.result.replace('1/2-1/2', '½-½')),
      h('td', { class: 'wide' }, game.problem ? 'cannot be read' : game.opening),
      h('td', { class: 'wide' }, String(Math.ceil(game.plies / 2))),
      h('td', { class: 'wide' }, game.date.replaceAll('.??', '')),
    );
  }
}
