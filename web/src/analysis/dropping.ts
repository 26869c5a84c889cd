// Files and texts that are dropped anywhere in the window. Without this a browser leaves the page for the file.
import { notifyError } from '../shell/messages';
import type { App } from '../shell/page';
import { pathOf, takeIn } from './http';

/** Opens what is dropped, until the function that it returns is called. */
export function openDropped(app: App): () => void {
  return whenDropped((text, name) => {
    takeIn(text, name).then((made) => app.go(pathOf(made)), notifyError);
  });
}

/** Hands over what is dropped, with a file's name, until the function that it returns is called. */
export function whenDropped(take: (text: Blob, name: string) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  document.addEventListener('dragover', (event) => isTaken(event) && event.preventDefault(), { signal });
  document.addEventListener(
    'drop',
    (event) => {
      if (!isTaken(event)) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData('text/plain');
      if (file) take(file, file.name);
      else if (text) take(new Blob([text]), '');
    },
    { signal },
  );
  return () => ending.abort();
}

/** A text that is dropped into a field belongs there; a file is never meant to replace the page. */
function isTaken(event: DragEvent): boolean {
  const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  return !isField || (event.dataTransfer?.types.includes('Files') ?? false);
}
