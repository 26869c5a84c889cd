// The keys of the analysis board; where Lichess has a key for it, it is the same.
import type { Shortcut } from '../keys';

export interface AnalysisKeys {
  step: (by: number) => void;
  stepAside: (by: 1 | -1) => void;
  flip: () => void;
  engine: () => void;
  threat: () => void;
  best: () => void;
  arrows: () => void;
  bar: () => void;
  comment: () => void;
  typeMove: () => void;
  goToBoard: () => void;
  remove: () => void;
  promote: () => void;
  glyph: (sign: string) => void;
  tab: (name: string) => void;
  sayPosition: () => void;
  sayEngine: () => void;
}

export function analysisShortcuts(keys: AnalysisKeys): Shortcut[] {
  return [...moving(keys), ...engines(keys), ...editing(keys)];
}

function moving({ step, stepAside, flip, typeMove, goToBoard, tab }: AnalysisKeys): Shortcut[] {
  const group = 'Moves';
  return [
    { keys: ['ArrowLeft', 'k'], label: 'One move back', group, run: () => step(-1) },
    { keys: ['ArrowRight', 'j'], label: 'One move on', group, run: () => step(1) },
    { keys: ['ArrowUp', 'Home', '0'], label: 'Start', group, run: () => step(-Infinity) },
    { keys: ['ArrowDown', 'End', '$'], label: 'End of the line', group, run: () => step(Infinity) },
    { keys: [']'], label: 'Next variation', group, run: () => stepAside(1) },
    { keys: ['['], label: 'Previous variation', group, run: () => stepAside(-1) },
    { keys: ['f'], label: 'Flip the board', group, run: flip },
    { keys: ['m', '/'], label: 'Type a move', group, run: typeMove },
    { keys: ['b'], label: 'Go to the board', group, run: goToBoard },
    { keys: ['r'], label: 'Show the review', group, run: () => tab('review') },
    { keys: ['h'], label: 'Show what people play', group, run: () => tab('people') },
    { keys: ['t'], label: 'Show the moves', group, run: () => tab('moves') },
  ];
}

function engines({ engine, threat, best, arrows, bar, sayPosition, sayEngine }: AnalysisKeys): Shortcut[] {
  const group = 'Engine';
  return [
    { keys: ['l'], label: 'Engine on or off', group, run: engine },
    { keys: [' '], label: 'Play the best move', group, run: best },
    { keys: ['x'], label: 'Show the threat', group, run: threat },
    { keys: ['a'], label: 'Arrows on or off', group, run: arrows },
    { keys: ['e'], label: 'Evaluation bar on or off', group, run: bar },
    { keys: ['p'], label: 'Say the position', group, run: sayPosition },
    { keys: ['s'], label: 'Say what the engine thinks', group, run: sayEngine },
  ];
}

function editing({ comment, remove, promote, glyph }: AnalysisKeys): Shortcut[] {
  const group = 'Study';
  return [
    { keys: ['c'], label: 'Comment on this move', group, run: comment },
    { keys: ['!'], label: 'Good move', group, run: () => glyph('!') },
    { keys: ['M'], label: 'Mistake', group, run: () => glyph('?') },
    { keys: ['U'], label: 'Move the variation up', group, run: promote },
    { keys: ['Delete'], label: 'Delete from here', group, run: remove },
  ];
}
