// Line icons, drawn on a 24 x 24 grid.
import { svg } from '../dom';

const PATHS = {
  play: 'M8 5.5v13l10.5-6.5z',
  runs: 'M4 4v16h16M7.5 15.5l3.5-4 3 2.5 5-7',
  games: 'M5 6h14M5 12h14M5 18h9',
  editor: 'M4 20l1-4.5L15.5 5a2 2 0 0 1 3 0l.5.5a2 2 0 0 1 0 3L8.5 19zM13.5 7l3.5 3.5',
  analysis: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.3 15.3L20 20',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5',
  inside: 'M12 4v4M12 8l-5 4M12 8l5 4M7 12v4M17 12v4M17 12l3 4M5.5 16h3v3h-3zM15.5 16h3v3h-3zM10.5 3h3v3h-3z',
  help: 'M9 9.2a3 3 0 1 1 4.3 2.7c-.9.45-1.3 1-1.3 2.1M12 17.5v.1',
  plus: 'M12 5v14M5 12h14',
  back: 'M9 6L4 11l5 5M4 11h10a5.5 5.5 0 0 1 0 11h-2',
  bulb: 'M9.5 18h5M10.5 21h3M12 3a6.2 6.2 0 0 0-3.8 11.1c.7.55 1.1 1.2 1.3 1.9h5c.2-.7.6-1.35 1.3-1.9A6.2 6.2 0 0 0 12 3z',
  flag: 'M6 21V4M6 5c4-2.5 8 2.5 12 0v9c-4 2.5-8-2.5-12 0',
  draw: 'M6 9h12M6 15h12',
  flip: 'M8 4v15M8 19l-4-4M8 19l4-4M16 20V5M16 5l-4 4M16 5l4 4',
  again: 'M19 12a7 7 0 1 1-2.3-5.2M19 4v4.5h-4.5',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14',
  bin: 'M5 7h14M10 7V4.5h4V7M7 7l.8 13h8.4L17 7',
  first: 'M7 5v14M18 5.5v13L9.5 12z',
  previous: 'M16 5.5v13L7.5 12z',
  next: 'M8 5.5v13l8.5-6.5z',
  last: 'M17 5v14M6 5.5v13l8.5-6.5z',
  up: 'M12 19V5M6 11l6-6 6 6',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  hand: 'M12 3v18M3 12h18M12 3L9.5 5.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon without a meaning of its own: the element around it says in words what it does. */
export function icon(name: IconName): SVGSVGElement {
  return svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
}
