// Plays against a network that a run has saved.
import { fill, h } from '../dom';
import { choiceField, selectField } from '../fields';
import { createGame } from '../server/http';
import type { Checkpoint, CheckpointView, GameView, NewGame } from '../server/types';
import { notifyError } from '../shell/messages';
import { getCheckpoint } from './server';
import { sizeText } from './words';

export class CheckpointForm {
  readonly element = h('section', { class: 'run-play', 'aria-label': 'Play against a network' });
  private drawn = '';
  private chosen = '';
  private level = 1;
  private side: 'first' | 'random' | 'second' = 'first';

  constructor(
    private readonly run: string,
    private readonly created: (game: GameView) => void,
  ) {}

  /** Lists the networks; the form stays as it is while they are the same. */
  update(checkpoints: readonly Checkpoint[]): void {
    const names = JSON.stringify(checkpoints.map(({ name }) => name));
    if (names === this.drawn) return;
    this.drawn = names;
    const [newest] = checkpoints;
    if (!newest) {
      fill(
        this.element,
        h('h2', {}, 'Play against a network'),
        h('p', { class: 'field-help' }, 'This run has saved no network yet.'),
      );
      return;
    }
    if (!checkpoints.some(({ name }) => name === this.chosen)) this.chosen = newest.name;
    const options = checkpoints.map(({ name, bytes }) => ({ value: name, label: `${name} (${sizeText(bytes)})` }));
    const more = h('div', { class: 'run-play-more' });
    fill(
      this.element,
      h('h2', {}, 'Play against a network'),
      selectField('Network', options, this.chosen, (name) => {
        this.chosen = name;
        // Whoever is quicker than the server must not start a game against the network that was chosen before.
        fill(more);
        void this.load(more);
      }),
      more,
    );
    void this.load(more);
  }

  private async load(place: HTMLElement): Promise<void> {
    const { chosen } = this;
    try {
      const view = await getCheckpoint(this.run, chosen);
      if (chosen === this.chosen) fill(place, ...this.fields(view));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (chosen === this.chosen) fill(place, h('p', { class: 'field-help problem' }, message));
    }
  }

  private fields({ game, opponent }: CheckpointView): HTMLElement[] {
    const { strength } = opponent;
    const fields: HTMLElement[] = [];
    if (strength.kind === 'levels') {
      this.level = strength.default;
      const levels = strength.levels.map((label, place) => ({ value: String(place + 1), label }));
      fields.push(selectField('Level', levels, String(this.level), (level) => (this.level = Number(level))));
    }
    const sides = [
      { value: 'first' as const, label: 'Begin' },
      { value: 'random' as const, label: 'Random' },
      { value: 'second' as const, label: 'Answer' },
    ];
    fields.push(choiceField('You', sides, this.side, (side) => (this.side = side)));
    const start = (): void => {
      const chosen = strength.kind === 'levels' ? { level: this.level } : null;
      const wanted: NewGame = {
        game,
        opponent: opponent.name,
        strength: chosen,
        habits: [],
        side: this.side,
        clock: null,
        start: { kind: 'standard' },
      };
      createGame(wanted).then(this.created, notifyError);
    };
    fields.push(h('button', { type: 'button', class: 'button primary', click: start }, 'Start the game'));
    return fields;
  }
}
