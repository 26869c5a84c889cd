// The tags of a study: who played, when, and how it ended.
import { fill, h } from '../dom';
import { selectField, textField } from '../fields';
import type { Edit, StudyView } from './types';

const EDITED = ['White', 'Black', 'Event', 'Site', 'Date', 'Round'] as const;
const FIXED = ['FEN', 'SetUp', 'Variant', 'Result'];
const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];

export class Information {
  readonly element = h('div', { class: 'information' });
  private drawn = '';

  constructor(private readonly edit: (edit: Edit) => void) {}

  update({ tags }: StudyView): void {
    const key = JSON.stringify(tags);
    if (key === this.drawn) return;
    this.drawn = key;
    const set = (name: string, value: string): void => this.edit({ type: 'tags', tags: { [name]: value } });
    const plain = (name: string): string => (tags[name] === '?' ? '' : (tags[name] ?? ''));
    const others = Object.entries(tags).filter(([name]) => ![...EDITED, ...FIXED].includes(name));
    fill(
      this.element,
      ...EDITED.map((name) => textField(name, plain(name), 400, (value) => set(name, value))),
      selectField(
        'Result',
        RESULTS.map((result) => ({ value: result, label: result === '*' ? 'none' : result })),
        tags['Result'] ?? '*',
        (value) => set('Result', value),
      ),
      others.length > 0 &&
        h('dl', { class: 'tags' }, ...others.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    );
  }
}
