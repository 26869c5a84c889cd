// What the engines of the analysis board would play, as arrows: a color for each engine, wider where the move is better.
import type { Arrow } from '../board/chess';
import type { EnginePanel } from './engine';

const BRUSHES = ['paleBlue', 'paleGreen'] as const;

/** The first moves of what the engines say of this node; a share of the visits or of people is the width itself. */
export function engineArrows(panels: readonly EnginePanel[], node: number): Arrow[] {
  const arrows: Arrow[] = [];
  panels.forEach((panel, seat) => {
    const view = panel.on && panel.view?.node === node ? panel.view : null;
    view?.lines.forEach((line, rank) => {
      const [move] = line.moves;
      if (!move?.from || !move.to) return;
      const width = line.share === null ? Math.max(3, 11 - 3 * rank) : 2 + 12 * line.share;
      const brush = view.threat ? 'paleRed' : (BRUSHES[seat] ?? 'paleGrey');
      arrows.push({ from: move.from, to: move.to, brush, width });
    });
  });
  return arrows;
}
