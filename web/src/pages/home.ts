// The first page: go on with a game, or start one; the board beside the form shows what it will begin with.
import type { BoardView } from '../board/board';
import { createBoard } from '../board/create';
import { pictureOf } from '../board/picture';
import { fill, h } from '../dom';
import { NewGameForm, type Preview } from '../newgame/form';
import { listGames } from '../server/http';
import type { GameList, GameSummary } from '../server/types';
import { notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';

export function homePage(app: App): Page {
  const boardPlace = h('div', { class: 'board-place' });
  const unfinished = h('div', { class: 'unfinished' });
  const preview = new PreviewBoard(boardPlace);
  const pasted = takePasted();
  const form = new NewGameForm(
    app.about,
    (shown) => preview.show(shown),
    (game) => app.go(`/game/${game.id}`),
    pasted,
  );
  const element = h(
    'div',
    { class: 'table home' },
    h('section', { class: 'table-board', inert: true, 'aria-hidden': 'true' }, boardPlace),
    h('aside', { class: 'panel' }, unfinished, h('h1', {}, 'New game'), form.element),
  );
  listGames({ status: 'playing' }).then((list) => fill(unfinished, ...newestUnfinished(list)), notifyError);
  return { element, title: '', destroy: () => preview.destroy() };
}

/** The game that was played last and is not over, and where to find the others. */
function newestUnfinished({ games, total }: GameList): HTMLElement[] {
  const game = games.find(({ can_open }) => can_open);
  if (!game) return [];
  const heading = h('div', { class: 'unfinished-heading' }, h('h2', {}, 'Continue'));
  if (total > 1) heading.append(h('a', { href: '/games?status=playing' }, `all ${total} unfinished games`));
  const detail = [game.title, moveCount(game), game.opening?.name].filter(Boolean).join(' · ');
  const link = h(
    'a',
    { class: 'continue', href: `/game/${game.id}` },
    pictureOf(game.game, game.board, game.position),
    h('span', {}, h('strong', {}, game.names.join(' – ')), h('small', {}, detail)),
  );
  return [heading, link];
}

function moveCount({ ply_count }: GameSummary): string {
  return ply_count === 1 ? '1 move' : `${ply_count} moves`;
}

/** A position handed over by the editor; it belongs to this entry of the history, so a reload keeps it. */
function takePasted(): string {
  const { state } = history as { state: unknown };
  if (typeof state !== 'object' || state === null || !('position' in state)) return '';
  return String(state.position);
}

/** A board to look at, of whatever game is chosen. */
class PreviewBoard {
  private board: BoardView | null = null;
  private game = '';

  constructor(private readonly place: HTMLElement) {}

  show({ rules, position, bottom }: Preview): void {
    if (!this.board || this.game !== rules.name) {
      this.board?.destroy();
      this.game = rules.name;
      this.board = createBoard(rules.name, rules.board, { move: () => {}, say: () => {} });
      fill(this.place, this.board.element);
    }
    this.board.update({ position, last: null, legal: [], bottom, movable: null });
  }

  destroy(): void {
    this.board?.destroy();
  }
}
