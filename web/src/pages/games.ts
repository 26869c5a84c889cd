// My games: list, search, open, export, delete.
import { pictureOf } from '../board/picture';
import { confirm } from '../dialogs/dialog';
import { fill, h, setText } from '../dom';
import { selectField } from '../fields';
import { addShortcuts } from '../keys';
import { formatResult } from '../play/status';
import { allPgnUrl, analyseGame, deleteGame, type GameFilter, listGames, pgnUrl } from '../server/http';
import type { GameList, GameSummary } from '../server/types';
import { icon } from '../shell/icons';
import { notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';

const TYPING_MS = 200;

export function gamesPage(app: App): Page {
  const page = new GamesPage(app);
  return { element: page.element, title: 'My games', destroy: () => page.destroy() };
}

class GamesPage {
  readonly element: HTMLElement;
  private filter: GameFilter = { query: '', status: '', page: 1 };
  private readonly list = h('ul', { class: 'game-cards' });
  private readonly count = h('p', { class: 'field-help', role: 'status' });
  private readonly pages = h('nav', { class: 'button-row', 'aria-label': 'Pages of the list' });
  private readonly exportAll = h('a', { class: 'button', download: '' }, icon('download'), 'Export all as PGN');
  private readonly search = h('input', {
    id: 'games-search',
    type: 'search',
    placeholder: 'Name, opening, result, date…',
    autocomplete: 'off',
  });
  private readonly removeShortcuts: () => void;
  private timer = 0;

  constructor(private readonly app: App) {
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.show({ query: this.search.value, page: 1 }), TYPING_MS);
    });
    const statuses: { value: GameFilter['status']; label: string }[] = [
      { value: '', label: 'All games' },
      { value: 'playing', label: 'Unfinished' },
      { value: 'over', label: 'Finished' },
    ];
    // The address may ask for a part of the list.
    const wanted = new URLSearchParams(location.search).get('status');
    const asked = statuses.find(({ value }) => value === wanted)?.value ?? '';
    this.element = h(
      'div',
      { class: 'page' },
      h('h1', {}, 'My games'),
      h(
        'div',
        { class: 'toolbar' },
        h('div', { class: 'field search' }, h('label', { for: 'games-search' }, 'Search'), this.search),
        selectField('Show', statuses, asked, (status) => this.show({ status, page: 1 })),
        this.exportAll,
      ),
      this.count,
      this.list,
      this.pages,
    );
    this.removeShortcuts = addShortcuts([
      { keys: ['/'], label: 'Search', group: 'My games', run: () => this.search.focus() },
    ]);
    this.show({ status: asked });
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.removeShortcuts();
  }

  private show(changes: Partial<GameFilter>): void {
    this.filter = { ...this.filter, ...changes };
    const { filter } = this;
    this.exportAll.href = allPgnUrl({ query: filter.query, status: filter.status });
    listGames(filter).then((games) => filter === this.filter && this.draw(games), notifyError);
  }

  private draw({ games, total, page, pages }: GameList): void {
    setText(this.count, describeCount(total, this.filter.query !== '' || this.filter.status !== ''));
    fill(this.list, ...games.map((game) => this.card(game)));
    const step = (label: string, to: number): HTMLButtonElement =>
      h('button', { type: 'button', class: 'button', click: () => this.show({ page: to }) }, label);
    fill(
      this.pages,
      page > 1 && step('Newer', page - 1),
      pages > 1 && h('span', {}, `Page ${page} of ${pages}`),
      page < pages && step('Older', page + 1),
    );
  }

  private card(game: GameSummary): HTMLElement {
    const names = game.names.join(' – ');
    return h(
      'li',
      { class: 'game-card' },
      h(
        game.can_open ? 'a' : 'div',
        { class: 'game-open', ...(game.can_open && { href: `/game/${game.id}` }) },
        pictureOf(game.game, game.board, game.position),
        h(
          'span',
          { class: 'game-words' },
          h('strong', {}, names),
          h(
            'span',
            { class: `badge ${badgeKind(game)}` },
            game.result ? formatResult(game.result.score) : 'unfinished',
          ),
          h('span', { class: 'game-detail' }, game.result?.text ?? ''),
          h('span', { class: 'game-detail' }, describeGame(game)),
          h(
            'time',
            { class: 'game-detail', datetime: game.updated, title: formatDate(game.updated, 'short') },
            formatDate(game.updated),
          ),
        ),
      ),
      h(
        'span',
        { class: 'game-tools' },
        game.can_open &&
          game.game === 'chess' &&
          h(
            'button',
            {
              type: 'button',
              class: 'icon-button',
              title: 'Analyse',
              'aria-label': `Analyse ${names}`,
              click: () => void analyseGame(game.id).then((path) => this.app.go(path), notifyError),
            },
            icon('analysis'),
          ),
        game.can_open &&
          h(
            'a',
            {
              class: 'icon-button',
              href: pgnUrl(game.id),
              download: '',
              title: 'Export as PGN',
              'aria-label': `Export ${names} as PGN`,
            },
            icon('download'),
          ),
        h(
          'button',
          {
            type: 'button',
            class: 'icon-button',
            title: 'Delete',
            'aria-label': `Delete ${names}`,
            click: () => void this.remove(game),
          },
          icon('bin'),
        ),
      ),
    );
  }

  private async remove(game: GameSummary): Promise<void> {
    if (!(await confirm('Delete this game?', `${game.names.join(' – ')} cannot be brought back.`, 'Delete'))) return;
    try {
      await deleteGame(game.id);
      this.show({});
    } catch (error) {
      notifyError(error);
    }
  }
}

function describeCount(total: number, filtered: boolean): string {
  if (total === 0) return filtered ? 'No game matches.' : 'No games yet: every game you start is kept here.';
  return total === 1 ? '1 game' : `${total} games`;
}

function describeGame({ can_open, opening, title }: GameSummary): string {
  if (!can_open) return `${title}: its rules are not here; start philidor with --game to open it`;
  return opening ? `${opening.eco} ${opening.name}` : title;
}

function badgeKind(game: GameSummary): string {
  if (!game.result) return 'open';
  if (game.you === null || game.result.winner === null) return 'even';
  return game.result.winner === game.you ? 'won' : 'lost';
}

function formatDate(iso: string, timeStyle?: 'short'): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', ...(timeStyle && { timeStyle }) });
}
