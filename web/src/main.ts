// Starts the pages: asks the server what it offers, shows the page of the address, follows links.
import { openHelp } from './dialogs/help';
import { fill, h } from './dom';
import { addShortcuts, enableShortcuts, listenForShortcuts } from './keys';
import { findRoute, ROUTES } from './routes';
import * as server from './server/http';
import { followOtherTabs, receiveSettings, watchSettings } from './settings';
import { icon } from './shell/icons';
import { messageElements, notify, notifyError, showConnection } from './shell/messages';
import type { App, Page } from './shell/page';

const main = h('main', { id: 'main', tabindex: -1 });
const links = ROUTES.flatMap(({ menu, pattern }) => {
  if (!menu) return [];
  const link = h('a', { href: menu.path }, icon(menu.icon), h('span', {}, menu.label));
  return [{ link, pattern }];
});

function header(): HTMLElement {
  return h(
    'header',
    { class: 'top' },
    h('a', { class: 'skip-link', href: '#main' }, 'Skip to the board'),
    h('a', { class: 'brand', href: '/' }, h('span', { class: 'brand-mark', 'aria-hidden': 'true' }), 'philidor'),
    h('nav', { 'aria-label': 'Pages' }, ...links.map(({ link }) => link)),
    h(
      'button',
      { type: 'button', class: 'icon-button help-button', 'aria-label': 'Help', title: 'Help (?)', click: openHelp },
      icon('help'),
    ),
  );
}

class Navigator {
  private page: Page | null = null;

  constructor(private readonly app: App) {
    window.addEventListener('popstate', () => this.show(false));
    document.addEventListener('click', (event) => this.followLink(event));
  }

  /** Shows the page of the current address. */
  show(moveFocus: boolean): void {
    this.page?.destroy?.();
    this.page = null;
    showConnection(null);
    const found = findRoute(location.pathname);
    this.page = found ? found.route.open(this.app, found.parameter) : notFoundPage();
    fill(main, this.page.element);
    document.title = this.page.title ? `${this.page.title} · philidor` : 'philidor';
    for (const { link, pattern } of links) {
      if (pattern.test(location.pathname)) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    if (moveFocus) main.focus({ preventScroll: true });
  }

  private followLink(event: MouseEvent): void {
    const link = (event.target as Element).closest('a');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.origin !== location.origin || link.hash || link.hasAttribute('download')) return;
    event.preventDefault();
    this.app.go(link.pathname + link.search);
  }
}

function notFoundPage(): Page {
  const element = h(
    'div',
    { class: 'page narrow' },
    h('h1', {}, 'There is nothing here'),
    h('p', {}, 'This address has no page. ', h('a', { href: '/' }, 'Play a game'), ' instead?'),
  );
  return { element, title: 'Not found' };
}

function listenToSettings(): void {
  followOtherTabs();
  watchSettings((settings) => {
    document.documentElement.dataset['theme'] = settings.theme;
    document.documentElement.dataset['board'] = settings.board_theme;
    enableShortcuts(settings.shortcuts);
  });
}

async function start(): Promise<void> {
  fill(document.getElementById('app') as HTMLElement, header(), main, ...messageElements);
  listenForShortcuts();
  listenToSettings();
  // A promise that nobody waits for must not fail in silence.
  window.addEventListener('unhandledrejection', (event) => notifyError(event.reason));
  const about = await server.about();
  receiveSettings(about.settings);
  // Who trains nothing has no use for the page of runs.
  document.documentElement.dataset['runs'] = String(about.has_runs);
  const app: App = {
    about,
    go: (path, state = null) => {
      history.pushState(state, '', path);
      navigator.show(true);
    },
  };
  const navigator = new Navigator(app);
  addShortcuts([
    { keys: ['?'], label: 'Show this help', group: 'Everywhere', run: openHelp },
    ...ROUTES.flatMap(({ menu }) =>
      menu ? [{ keys: [menu.key], label: menu.label, group: 'Everywhere', run: () => app.go(menu.path) }] : [],
    ),
  ]);
  navigator.show(false);
  // It stays until it is closed, as an error does: it may be the only word of it that is read.
  if (about.notice) notify(about.notice, 'error');
}

void start().catch(notifyError);
