// Which page an address shows. A new page is a new file and one line here.
import { filePage } from './analysis/file';
import { analysisPage } from './analysis/home';
import { studyPage } from './analysis/page';
import { insidePage } from './inside/page';
import { editorPage } from './pages/editor';
import { gamesPage } from './pages/games';
import { homePage } from './pages/home';
import { settingsPage } from './pages/settings';
import { playPage } from './play/page';
import { runsPage } from './runs/page';
import type { IconName } from './shell/icons';
import type { App, Page } from './shell/page';

export interface Route {
  pattern: RegExp;
  open: (app: App, parameter: string) => Page;
  /** Where the page appears in the navigation; left out: nowhere. */
  menu?: { path: string; label: string; icon: IconName; key: string };
}

export const ROUTES: readonly Route[] = [
  { pattern: /^\/(?:new)?$/, open: homePage, menu: { path: '/', label: 'Play', icon: 'play', key: '1' } },
  { pattern: /^\/games$/, open: gamesPage, menu: { path: '/games', label: 'My games', icon: 'games', key: '2' } },
  {
    pattern: /^\/analysis$/,
    open: analysisPage,
    menu: { path: '/analysis', label: 'Analysis', icon: 'analysis', key: '5' },
  },
  { pattern: /^\/analysis\/file\/([a-z0-9]+)$/, open: filePage },
  { pattern: /^\/analysis\/([a-z0-9]+)$/, open: studyPage },
  { pattern: /^\/editor$/, open: editorPage, menu: { path: '/editor', label: 'Editor', icon: 'editor', key: '3' } },
  { pattern: /^\/inside$/, open: insidePage, menu: { path: '/inside', label: 'Inside', icon: 'inside', key: '7' } },
  {
    pattern: /^\/settings$/,
    open: settingsPage,
    menu: { path: '/settings', label: 'Settings', icon: 'settings', key: '4' },
  },
  {
    pattern: /^\/runs(?:\/([A-Za-z0-9._-]+))?$/,
    open: runsPage,
    menu: { path: '/runs', label: 'Runs', icon: 'runs', key: '6' },
  },
  { pattern: /^\/game\/([a-z0-9]+)$/, open: playPage },
];

/** The route of a path and what its pattern captured; null for an address that we do not have. */
export function findRoute(path: string): { route: Route; parameter: string } | null {
  for (const route of ROUTES) {
    const match = route.pattern.exec(path);
    if (match) return { route, parameter: match[1] ?? '' };
  }
  return null;
}
