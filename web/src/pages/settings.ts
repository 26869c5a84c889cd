// Settings: they take effect and are kept the moment they are changed.
import { h } from '../dom';
import { choiceField, switchField, textField } from '../fields';
import { BOARD_THEMES, changeSettings, type Settings, settings } from '../settings';
import { notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';

export function settingsPage(app: App): Page {
  const now = settings();
  const element = h(
    'div',
    { class: 'page narrow settings' },
    h('h1', {}, 'Settings'),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, 'You'),
      textField('Your name, on the board and in PGN', now.name, app.about.limits.name_chars, (name) =>
        change({ name: name.trim() || 'You' }),
      ),
    ),
    appearance(now),
    behavior(now),
    h('p', { class: 'field-help' }, `philidor ${app.about.version}. Settings and games are kept on this computer.`),
  );
  return { element, title: 'Settings' };
}

function change(changes: Partial<Settings>): void {
  changeSettings(changes).catch(notifyError);
}

function appearance(now: Settings): HTMLElement {
  const themes: { value: Settings['theme']; label: string }[] = [
    { value: 'auto', label: 'As the system' },
    { value: 'light', label: 'Light' },
    { value: 'dark', label: 'Dark' },
  ];
  const boards = BOARD_THEMES.map((value) => ({
    value,
    label: value[0]?.toUpperCase() + value.slice(1),
    content: h('span', { class: 'swatch', 'data-board': value, 'aria-hidden': 'true' }),
  }));
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Look'),
    choiceField('Colors', themes, now.theme, (theme) => change({ theme })),
    choiceField('Board', boards, now.board_theme, (board_theme) => change({ board_theme })),
    switchField('Coordinates', 'Letters and numbers at the edge', now.coordinates, (coordinates) =>
      change({ coordinates }),
    ),
    switchField('Animation', 'Pieces glide to their squares', now.animation, (animation) => change({ animation })),
  );
}

function behavior(now: Settings): HTMLElement {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Play'),
    switchField('Evaluation bar', 'Who stands better, beside the board', now.eval_bar, (eval_bar) =>
      change({ eval_bar }),
    ),
    switchField('Legal moves', 'Dots where a piece can go', now.legal_dots, (legal_dots) => change({ legal_dots })),
    switchField('Sounds', 'A knock for each move', now.sound, (sound) => change({ sound })),
    switchField('Keyboard shortcuts', 'Single keys; the list is under ?', now.shortcuts, (shortcuts) =>
      change({ shortcuts }),
    ),
  );
}
