// What a page is, and what it may use of what is around it.
import type { About } from '../server/types';

/** What a page may use of what is around it. */
export interface App {
  about: About;
  /** Opens another address of ours; `state` is handed to its page. */
  go: (path: string, state?: unknown) => void;
}

export interface Page {
  element: HTMLElement;
  title: string;
  destroy?: () => void;
}
