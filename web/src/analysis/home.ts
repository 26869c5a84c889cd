// Where analysis begins: paste or drop a position or games, or go on with a study.
import { confirm } from '../dialogs/dialog';
import { fill, h, setText } from '../dom';
import { icon } from '../shell/icons';
import { notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';
import { whenDropped } from './dropping';
import { deleteFile, deleteStudy, listFiles, listStudies, newStudy, pathOf, takeIn } from './http';
import type { FileSummary, Imported, StudySummary } from './types';

const TYPING_MS = 200;

export function analysisPage(app: App): Page {
  const page = new AnalysisPage(app);
  return { element: page.element, title: 'Analysis', destroy: () => page.destroy() };
}

class AnalysisPage {
  readonly element: HTMLElement;
  private readonly area = h('textarea', {
    id: 'analysis-text',
    rows: 7,
    spellcheck: 'false',
    placeholder: '1. e4 e5 2. Nf3 …   or   8/8/8/4k3/8/8/4P3/4K3 w - - 0 1',
  });
  private readonly answer = h('p', { class: 'field-help', role: 'status' });
  private readonly studies = h('ul', { class: 'study-list' });
  private readonly files = h('ul', { class: 'study-list' });
  private readonly filesHeading = h('h2', { hidden: true }, 'Files of games');
  private readonly search = h('input', { id: 'studies-search', type: 'search', autocomplete: 'off' });
  private timer = 0;
  private readonly endDrops = whenDropped((text, name) => this.take(text, name));

  constructor(private readonly app: App) {
    const file = h('input', { id: 'analysis-file', type: 'file', accept: '.pgn,.txt,.fen,.epd' });
    file.addEventListener('change', () => file.files?.[0] && this.take(file.files[0], file.files[0].name));
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.list(), TYPING_MS);
    });
    const form = h(
      'form',
      { class: 'analysis-form' },
      h('label', { for: 'analysis-text' }, 'Paste a FEN or a PGN, or drop a file anywhere on this page'),
      this.area,
      h(
        'div',
        { class: 'button-row' },
        h('button', { type: 'submit', class: 'button primary' }, 'Analyse'),
        h('label', { class: 'button', for: 'analysis-file' }, icon('plus'), 'Open a file'),
        h('span', { class: 'sr-only' }, file),
        h('button', { type: 'button', class: 'button', click: () => this.begin() }, 'Start position'),
      ),
      this.answer,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.area.value.trim()) this.take(new Blob([this.area.value]), '');
    });
    this.element = h(
      'div',
      { class: 'page analysis-home' },
      h('h1', {}, 'Analysis'),
      form,
      this.filesHeading,
      this.files,
      h('h2', {}, 'Studies'),
      h('div', { class: 'field search' }, h('label', { for: 'studies-search' }, 'Search'), this.search),
      this.studies,
    );
    this.list();
    this.listFiles();
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.endDrops();
  }

  /** Sends a text to the server; what was pasted stays until it is understood. */
  private take(text: Blob, name: string): void {
    setText(this.answer, text.size > 1e6 ? 'Reading the games…' : '');
    this.answer.classList.remove('problem');
    takeIn(text, name).then(
      (made) => this.app.go(pathOf(made)),
      (error: unknown) => {
        setText(this.answer, error instanceof Error ? error.message : String(error));
        this.answer.classList.add('problem');
      },
    );
  }

  private begin(): void {
    newStudy({}).then((made: Imported) => this.app.go(pathOf(made)), notifyError);
  }

  private list(): void {
    const query = this.search.value;
    listStudies(query, 1).then(({ studies, total }) => {
      if (query !== this.search.value) return; // an answer that was overtaken
      fill(
        this.studies,
        ...studies.map((study) => this.study(study)),
        studies.length === 0 && h('li', { class: 'field-help' }, 'No studies yet.'),
        total > studies.length &&
          h('li', { class: 'field-help' }, `and ${total - studies.length} more: search for them`),
      );
    }, notifyError);
  }

  private listFiles(): void {
    listFiles().then(({ files }) => {
      this.filesHeading.toggleAttribute('hidden', files.length === 0);
      fill(this.files, ...files.map((file) => this.file(file)));
    }, notifyError);
  }

  private study({ id, title, result, updated }: StudySummary): HTMLElement {
    const date = new Date(updated).toLocaleDateString(undefined, { dateStyle: 'medium' });
    return h(
      'li',
      {},
      h('a', { href: `/analysis/${id}` }, title),
      h('span', { class: 'game-detail' }, [result === '*' ? '' : result, date].filter(Boolean).join(' · ')),
      bin(`Delete ${title}`, () => void this.remove(title, () => deleteStudy(id)).then(() => this.list())),
    );
  }

  private file({ id, name, games }: FileSummary): HTMLElement {
    return h(
      'li',
      {},
      h('a', { href: `/analysis/file/${id}` }, name),
      h('span', { class: 'game-detail' }, `${games.toLocaleString('en')} games`),
      bin(`Delete ${name}`, () => void this.remove(name, () => deleteFile(id)).then(() => this.listFiles())),
    );
  }

  private async remove(name: string, run: () => Promise<void>): Promise<void> {
    if (!(await confirm('Delete this?', `${name} cannot be brought back.`, 'Delete'))) return;
    await run().catch(notifyError);
  }
}

function bin(label: string, click: () => void): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'icon-button', title: 'Delete', 'aria-label': label, click },
    icon('bin'),
  );
}
