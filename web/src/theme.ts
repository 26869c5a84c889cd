// Runs before the first paint, as a script of its own: a dark page must not begin with a white flash.
import { settings } from './settings';

document.documentElement.dataset['theme'] = settings().theme;
document.documentElement.dataset['board'] = settings().board_theme;
