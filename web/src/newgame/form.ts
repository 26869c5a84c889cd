// The new-game form: game, opponent, strength, side, clock, start.
import { fill, h } from '../dom';
import { choiceField, numberField, selectField, switchField } from '../fields';
import { isGo } from '../go/position';
import { goName, USUAL } from '../go/choices';
import { goFields, GoStart } from '../go/start';
import * as server from '../server/http';
import type { About, GameView, GridShape, Opponent, Position, Rules, Side } from '../server/types';
import { changeSettings, settings } from '../settings';
import { notify, notifyError } from '../shell/messages';
import { type Choices, familyOf, type FormContext, newGameRequest, readChoices, type SideChoice } from './choices';
import { clockFields } from './clock';
import { networkField } from './networks';
import { opponentFields } from './opponent';
import { StartFields } from './start';

const LOOK_AGAIN_MS = 500;

export interface Preview {
  rules: Rules;
  position: Position;
  bottom: Side;
}

export class NewGameForm implements FormContext {
  private readonly fields = h('div', { class: 'new-game-fields' });
  readonly element = h(
    'form',
    { class: 'new-game', novalidate: true },
    this.fields,
    h('button', { type: 'submit', class: 'button primary big' }, 'Start the game'),
  );
  choices: Choices;
  rules: Rules;
  listsAll = false;
  private start: StartFields | GoStart;
  private position: Position | null = null;
  private showsRules = false;
  /** Other rules on their way. */
  private loading: Promise<void> = Promise.resolve();
  /** The name of the rules that were asked for last: an answer that was overtaken is not shown. */
  private wanted = '';

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
    if (this.choices.size && this.rules.sizes) {
      this.loading = this.load(this.nameFor(this.choices.size), {});
    }
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
      this.fields,
      this.gameField(),
      ...this.rulesInWords(),
      ...this.sizeFields(),
      ...opponentFields(this),
      this.listsAll && this.rules.name === 'chess' && networkField(this.welcome),
      this.sideField(),
      ...clockFields(this),
      this.start.element,
      this.evaluationField(),
    );
    if (focused >= 0) this.element.querySelectorAll<HTMLElement>('input, select, textarea')[focused]?.focus();
  };

  /** Asks the server again who there is, and chooses the one who has come. */
  private readonly welcome = async ({ name }: Opponent): Promise<void> => {
    const { opponents, games } = await server.about();
    this.about.opponents.splice(0, Infinity, ...opponents);
    this.about.games.splice(0, Infinity, ...games);
    this.rules = this.listedRules();
    if (this.rules.opponents.includes(name)) this.edit({ opponent: name });
    this.redraw();
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

  private startFields(pasted: string): StartFields | GoStart {
    const show = (position: Position | null): void => {
      this.position = position;
      this.showPreview();
    };
    if (isGo(this.rules.name)) return new GoStart(this.rules, this.choices.go, show, (game) => this.adopt(game));
    return new StartFields(this.rules, show, this.about.limits.pgn_bytes, pasted);
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
      this.wanted = game;
      this.edit({ game, size: null, go: USUAL });
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
    const { sizes, board, start, name } = this.rules;
    if (!sizes || board.kind !== 'grid') return [];
    if (isGo(name)) {
      return goFields(board, start, this.choices.go, ({ side, ...changes }) => {
        const size = side === undefined ? this.chosenSize(board) : { width: side, height: side };
        const go = { ...this.choices.go, ...changes };
        this.loading = this.load(goName(size.width, go), { game: this.family, go, size });
      });
    }
    const size = { width: board.width, height: board.height };
    const field = (label: string, key: 'width' | 'height'): HTMLElement =>
      numberField(label, size[key], { min: sizes[key][0], max: sizes[key][1], step: 1 }, (value) => {
        const wanted = { ...this.chosenSize(board), [key]: value };
        this.loading = this.load(this.nameFor(wanted), { game: this.family, size: wanted });
      });
    return [h('div', { class: 'field-row' }, field('Columns', 'width'), field('Rows', 'height'))];
  }

  /** A size that was chosen counts although its rules, and the fields drawn from them, may still be on their way. */
  private chosenSize({ width, height }: GridShape): { width: number; height: number } {
    return this.choices.size ?? { width, height };
  }

  private nameFor(size: { width: number; height: number }): string {
    const { family } = this;
    return isGo(family) ? goName(size.width, this.choices.go) : `${family}-${size.width}x${size.height}`;
  }

  /** The game of the menu, whose other sizes are no longer the one that was named when philidor was started. */
  private get family(): string {
    return familyOf(this.choices.game, this.about);
  }

  /** Takes another size or other rules of the same game. */
  private async load(name: string, changes: Partial<Pick<Choices, 'game' | 'size' | 'go'>>): Promise<void> {
    const { game, size, go } = this.choices;
    this.choices = { ...this.choices, ...changes };
    this.wanted = name;
    try {
      const rules = await server.rules(name);
      if (this.wanted === name) this.setRules(rules);
    } catch (error) {
      if (this.wanted === name) this.choices = { ...this.choices, game, size, go };
      notifyError(error);
    }
  }

  /** Takes the rules of a game that was pasted; the field that it was pasted into stays. */
  private async adopt(name: string): Promise<void> {
    try {
      this.wanted = name;
      const rules = await server.rules(name);
      if (this.wanted !== name) return;
      this.rules = rules;
      const { board } = rules;
      this.choices.game = this.family;
      if (board.kind === 'grid') this.choices.size = { width: board.width, height: board.height };
      this.redraw();
      this.showPreview();
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

  /** Whoever wants to learn from a game may see who is better; a bar that falls also tells of the opponent's traps. */
  private evaluationField(): HTMLElement {
    const change = (on: boolean): void => void changeSettings({ eval_bar: on }).catch(notifyError);
    return switchField(
      'Show who is better',
      'A bar beside the board, also during the game',
      settings().eval_bar,
      change,
    );
  }

  private showPreview(): void {
    const bottom = this.choices.side === 'second' ? 1 : 0;
    this.preview({ rules: this.rules, position: this.position ?? this.rules.start, bottom });
  }

  private async submit(): Promise<void> {
    await this.loading;
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
