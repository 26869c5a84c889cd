// The page of training runs: all of them in a table, or one with its curves, newest games and networks.
import { fill, h, setShown, setText } from '../dom';
import type { RunList, RunSummary, RunView } from '../server/types';
import { notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';
import { drawChart } from './chart';
import { CheckpointForm } from './opponent';
import { Replay } from './replay';
import { getRun, listRuns, newestGames } from './server';
import { ageText, generationText, numberText } from './words';

const QUICK_MS = 3000;
const SLOW_MS = 15_000;

export function runsPage(app: App, name: string): Page {
  const page = name ? new RunPage(app, name) : new RunsPage();
  return { element: page.element, title: name || 'Runs', destroy: () => page.destroy() };
}

/** Asks again and again while the page is open and seen: soon where something goes on. */
class Following {
  private timer = 0;
  private isOver = false;

  /** `look` says whether to look again soon. */
  constructor(private readonly look: () => Promise<boolean>) {
    void this.again();
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private async again(): Promise<void> {
    let isSoon = false;
    try {
      if (!document.hidden) isSoon = await this.look();
    } catch (error) {
      notifyError(error);
    }
    if (!this.isOver) this.timer = window.setTimeout(() => void this.again(), isSoon ? QUICK_MS : SLOW_MS);
  }
}

class RunsPage {
  private readonly place = h('div', {});
  readonly element = h('div', { class: 'page runs' }, h('h1', {}, 'Training runs'), this.place);
  private readonly following = new Following(async () => {
    const list = await listRuns();
    this.show(list);
    return list.runs.some(({ state }) => state === 'running');
  });

  destroy(): void {
    this.following.stop();
  }

  private show({ is_given, runs }: RunList): void {
    if (!is_given || runs.length === 0) {
      const what = is_given ? 'There are no runs in the folder yet. ' : 'The server has no folder of runs. ';
      const how = h('code', {}, is_given ? 'philidor train hexapawn-zero' : 'philidor play --runs DIR');
      fill(this.place, h('p', {}, what, is_given ? 'Make one: ' : 'Start it with one: ', how));
      return;
    }
    const columns = ['Run', 'Game', 'State', 'Generation', 'Games', 'Loss', 'Last verdict', 'Changed'];
    fill(
      this.place,
      h(
        'div',
        { class: 'runs-scroll', tabindex: 0, role: 'region', 'aria-label': 'All runs' },
        h(
          'table',
          { class: 'runs-table' },
          h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, column)))),
          h('tbody', {}, ...runs.map(row)),
        ),
      ),
    );
  }
}

function row(run: RunSummary): HTMLElement {
  const texts = [
    run.game,
    run.state,
    generationText(run),
    run.games ? run.games.toLocaleString('en') : '',
    run.loss === null ? '' : numberText(run.loss),
    run.problem ?? run.verdict,
    ageText(run.age_s),
  ];
  const link = h('a', { href: `/runs/${encodeURIComponent(run.name)}` }, run.name);
  return h(
    'tr',
    { class: `run-${run.state}` },
    h('th', { scope: 'row' }, link),
    ...texts.map((text) => h('td', {}, text)),
  );
}

class RunPage {
  private readonly facts = h('dl', { class: 'run-facts' });
  private readonly problem = h('p', { class: 'field-help problem', role: 'alert', hidden: true });
  private readonly charts = h('section', { class: 'run-charts', 'aria-label': 'Curves' });
  private readonly replay = new Replay();
  private readonly form: CheckpointForm;
  private readonly following: Following;
  readonly element: HTMLElement;
  private drawnCharts = '';
  private replayed = '';

  constructor(
    app: App,
    private readonly name: string,
  ) {
    this.form = new CheckpointForm(name, (game) => app.go(`/game/${game.id}`));
    this.element = h(
      'div',
      { class: 'page runs' },
      h('p', {}, h('a', { href: '/runs' }, 'All runs')),
      h('h1', {}, name),
      this.problem,
      this.facts,
      this.charts,
      h('div', { class: 'run-columns' }, this.replay.element, this.form.element),
    );
    this.following = new Following(async () => {
      const view = await getRun(this.name);
      this.show(view);
      return view.summary.state === 'running';
    });
  }

  destroy(): void {
    this.following.stop();
    this.replay.destroy();
  }

  private show({ summary, charts, checkpoints, shards }: RunView): void {
    const facts: [string, string][] = [
      ['Game', summary.game],
      ['State', `${summary.state}, ${ageText(summary.age_s)}`],
      ['Generation', generationText(summary)],
      ['Games', summary.games ? summary.games.toLocaleString('en') : ''],
      ['Loss', summary.loss === null ? '' : numberText(summary.loss)],
      ['Last verdict', summary.verdict],
    ];
    const known = facts.filter(([, value]) => value !== '');
    fill(this.facts, ...known.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
    setShown(this.problem, summary.problem !== null);
    setText(this.problem, summary.problem ?? '');
    const drawn = JSON.stringify(charts);
    if (drawn !== this.drawnCharts) {
      this.drawnCharts = drawn;
      if (charts.length === 0) fill(this.charts, h('p', { class: 'field-help' }, 'No curves yet.'));
      else fill(this.charts, ...charts.map(drawChart));
    }
    this.form.update(checkpoints);
    this.lookForGames(`${shards}/${summary.games}`);
  }

  /** Shows new games when there are any; who is replaying one is not disturbed by nothing. */
  private lookForGames(state: string): void {
    if (state === this.replayed) return;
    this.replayed = state;
    newestGames(this.name).then(
      (list) => this.replay.show(list),
      (error: unknown) => this.replay.fail(error instanceof Error ? error.message : String(error)),
    );
  }
}
