// The keys of a game's page.
import type { Shortcut } from '../keys';
import type { GameView } from '../server/types';
import { type Actions, canTakeBack } from './controls';

/** What the keys can do, besides what the buttons can. */
export interface KeyActions extends Actions {
  game: () => GameView | null;
  typeMove: () => void;
  goToBoard: () => void;
  /** Forward or backward through the moves; infinity is the end. */
  step: (by: number) => void;
  toggleEvaluation: () => void;
  sayPosition: () => void;
  sayStatus: () => void;
  sayClocks: () => void;
}

export function gameShortcuts(actions: KeyActions): Shortcut[] {
  return [...playing(actions), ...lookingBack(actions), ...listening(actions)];
}

function playing(actions: KeyActions): Shortcut[] {
  // A key does what its button does, and nothing while that is disabled.
  const may = (name: keyof GameView['can'], run: () => void) => (): void => {
    if (actions.game()?.can[name]) run();
  };
  const takeBack = (): void => {
    const game = actions.game();
    if (game && canTakeBack(game)) actions.takeBack();
  };
  const group = 'Game';
  return [
    { keys: ['m', '/'], label: 'Type a move', group, run: actions.typeMove },
    { keys: ['b'], label: 'Go to the board', group, run: actions.goToBoard },
    { keys: ['t'], label: 'Take back', group, run: takeBack },
    { keys: ['h'], label: 'Hint', group, run: may('hint', actions.hint) },
    { keys: ['d'], label: 'Offer a draw', group, run: may('offer_draw', actions.offerDraw) },
    { keys: ['R'], label: 'Resign', group, run: may('resign', actions.resign) },
    { keys: ['r'], label: 'Rematch, after the end', group, run: may('rematch', actions.rematch) },
    { keys: ['f'], label: 'Flip the board', group, run: actions.flip },
    { keys: ['e'], label: 'Show or hide the evaluation bar', group, run: actions.toggleEvaluation },
    { keys: ['n'], label: 'New game', group, run: actions.newGame },
  ];
}

function lookingBack({ step }: KeyActions): Shortcut[] {
  const group = 'Looking back';
  return [
    { keys: ['ArrowLeft'], label: 'One move back', group, run: () => step(-1) },
    { keys: ['ArrowRight'], label: 'One move on', group, run: () => step(1) },
    { keys: ['Home', 'ArrowUp'], label: 'First position', group, run: () => step(-Infinity) },
    { keys: ['End', 'ArrowDown'], label: 'Current position', group, run: () => step(Infinity) },
  ];
}

function listening(actions: KeyActions): Shortcut[] {
  const group = 'Screen reader';
  return [
    { keys: ['p'], label: 'Say the position', group, run: actions.sayPosition },
    { keys: ['l'], label: 'Say the last move and whose turn it is', group, run: actions.sayStatus },
    { keys: ['c'], label: 'Say the clocks', group, run: actions.sayClocks },
  ];
}
