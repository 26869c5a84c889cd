// The new-game form: game, opponent, strength, side, clock, start.
import { fill, h } from '../dom';
import { choiceField, numberField, selectField } from '../fields';
import * as server from '../server/http';
import type { About, GameView, Position, Rules, Side } from '../server/types';
import { changeSettings, settings } from '../settings';
import { notify, notifyError } from '../shell/messages';
import { type Choices, type FormContext, newGameRequest, readChoices, type SideChoice } from './choices';
import { clockFields } from './clock';
import { opponentFields } from './opponent';
import { StartFields } from './start';

const LOOK_AGAIN_MS = 500;

export interface Preview {
  rules: Rules;
  position: Position;
  bottom: Side;
}

export class NewGameForm implements FormContext {
  readonly element = h('form', { class: 'new-game', novalidate: true });
  choices: Choices;
  rules: Rules;
  listsAll = false;
  private start: StartFields;
  private position: Position | null = null;
  private showsRules = false;

  constructor(
    readonly about: About,
    private readonly preview: (preview: Preview) => void,
    private readonly created: (game: GameView) => void,
    pasted: string,
  ) {
    this.choices = readChoices(settings().new_game, about);
    this.takeLevel(settings().human_level);
    if (pasted) this.choices.game = 'chess';
    this.rules = this.listedRules();
    this.start = this.startFields(pasted);
    this.redraw();
    this.showPreview();
    if (this.choices.size && this.rules.sizes) void this.resize(this.choices.size);
    this.followInquiries();
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit().catch(notifyError);
    });
  }

  /** Takes over the level that has followed the person's results. */
  private takeLevel(elo: number): void {
    if (elo > 0 && this.choices.habits.includes('follow')) this.choices.strength['human'] = { elo };
  }

  readonly edit = (changes: Partial<Choices>): void => {
    this.choices = { ...this.choices, ...changes };
    this.showPreview();
  };

  readonly redraw = (): void => {
    // The field that was just used is drawn anew; whoever uses the keyboard must not lose their place.
    const names = [...this.element.querySelectorAll<HTMLElement>('input, select, textarea')];
    const focused = names.findIndex((field) => field === document.activeElement);
    fill(
      this.element,
      this.gameField(),
      ...this.rulesInWords(),
      ...this.sizeFields(),
      ...opponentFields(this),
      this.sideField(),
      ...clockFields(this),
      this.start.element,
      h('button', { type: 'submit', class: 'button primary big' }, 'Start the game'),
    );
    if (focused >= 0) this.element.querySelectorAll<HTMLElement>('input, select, textarea')[focused]?.focus();
  };

  /** Looks again, while the page is open, until all programs have said who they are. */
  private followInquiries(): void {
    const { opponents } = this.about;
    if (!opponents.some(({ status }) => status === 'asking')) return;
    setTimeout(() => {
      if (this.element.isConnected) void this.lookAgain().catch(notifyError);
    }, LOOK_AGAIN_MS);
  }

  private async lookAgain(): Promise<void> {
    const fresh = (await server.about()).opponents;
    const hasNews = JSON.stringify(fresh) !== JSON.stringify(this.about.opponents);
    this.about.opponents.splice(0, Infinity, ...fresh);
    if (hasNews) this.redraw();
    this.followInquiries();
  }

  private listedRules(): Rules {
    const { games } = this.about;
    const found = games.find((rules) => rules.name === this.choices.game) ?? games[0];
    if (!found) throw new Error('The server offers no game.');
    return found;
  }

  private startFields(pasted: string): StartFields {
    const show = (position: Position | null): void => {
      this.position = position;
      this.showPreview();
    };
    return new StartFields(this.rules, show, pasted);
  }

  private setRules(rules: Rules): void {
    this.rules = rules;
    this.position = null;
    this.start = this.startFields('');
    this.redraw();
    this.showPreview();
  }

  private gameField(): HTMLElement {
    const options = this.about.games.map(({ name, title }) => ({ value: name, label: title }));
    const choose = (game: string): void => {
      this.edit({ game, size: null });
      this.setRules(this.listedRules());
    };
    // A handful of games fits into a row; with many of one's own a list is clearer.
    return options.length <= 5
      ? choiceField('Game', options, this.choices.game, choose)
      : selectField('Game', options, this.choices.game, choose);
  }

  private rulesInWords(): HTMLElement[] {
    const { rules, title } = this.rules;
    if (!rules) return [];
    const paragraphs = rules.split('\n\n').map((text) => h('p', {}, text));
    const details = h(
      'details',
      { class: 'rules' },
      h('summary', {}, `How to play ${title.toLowerCase()}`),
      ...paragraphs,
    );
    details.open = this.showsRules;
    details.addEventListener('toggle', () => {
      this.showsRules = details.open;
    });
    return [details];
  }

  private sizeFields(): HTMLElement[] {
    const { sizes, board } = this.rules;
    if (!sizes || board.kind !== 'grid') return [];
    const size = { width: board.width, height: board.height };
    const field = (label: string, key: 'width' | 'height'): HTMLElement =>
      numberField(label, size[key], { min: sizes[key][0], max: sizes[key][1], step: 1 }, (value) => {
        void this.resize({ ...size, [key]: value });
      });
    return [h('div', { class: 'field-row' }, field('Columns', 'width'), field('Rows', 'height'))];
  }

  private async resize(size: { width: number; height: number }): Promise<void> {
    try {
      const rules = await server.rules(`${this.choices.game}-${size.width}x${size.height}`);
      this.choices = { ...this.choices, size };
      this.setRules(rules);
    } catch (error) {
      notifyError(error);
    }
  }

  private sideField(): HTMLElement {
    const [first, second] = this.rules.sides;
    const options: { value: SideChoice; label: string }[] = [
      { value: 'first', label: first },
      { value: 'random', label: 'Random' },
      { value: 'second', label: second },
    ];
    return choiceField('You play', options, this.choices.side, (side) => this.edit({ side }));
  }

  private showPreview(): void {
    const bottom = this.choices.side === 'second' ? 1 : 0;
    this.preview({ rules: this.rules, position: this.position ?? this.rules.start, bottom });
  }

  private async submit(): Promise<void> {
    const { start } = this.start;
    if (!start) {
      notify('The pasted text is not a position or a game yet.', 'error');
      return;
    }
    const game = await server.createGame(newGameRequest(this.choices, this.about, this.rules, start));
    this.created(game);
    await changeSettings({ new_game: JSON.stringify(this.choices) });
  }
}
