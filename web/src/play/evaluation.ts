// The evaluation bar, and what an engine counted while it thought.
import { h, setShown, setText } from '../dom';
import type { Evaluation, Score, Side, Thought } from '../server/types';

/** "+0.4", "−1.2", "#3": the first side's view; nothing where the game is over. */
export function formatScore(score: Score | null, value: number): string {
  if (Math.abs(value) === 1) return '';
  if (score && score.mate !== null) return `#${minus(String(score.mate))}`;
  // The bar is narrow: who leads by ten pawns needs no tenths.
  if (score && score.cp !== null) return signed(score.cp / 100, Math.abs(score.cp) < 1000 ? 1 : 0);
  return signed(value, 1);
}

function signed(value: number, digits: number): string {
  const text = minus(value.toFixed(digits));
  return Number(value.toFixed(digits)) > 0 ? `+${text}` : text;
}

function minus(text: string): string {
  return text.replace('-', '−');
}

/** "depth 12 · 345,678 nodes · 1.2 M/s"; the book's players bring counters of their own. */
export function formatThought(thought: Thought & { nps?: number | null }): string {
  const parts: string[] = [];
  const count = (value: number, things: string): string =>
    `${value.toLocaleString('en')} ${value === 1 ? things.replace(/s$/, '') : things}`;
  if (thought.depth !== null) parts.push(`depth ${thought.depth}`);
  // A program that does not say how much it has looked at has none.
  if (thought.nodes) parts.push(count(thought.nodes, 'nodes'));
  for (const [name, value] of Object.entries(thought.counters)) {
    if (name !== 'nodes' && name !== 'depth') parts.push(count(value, name.replaceAll('_', ' ')));
  }
  if (thought.nps) parts.push(`${compact(thought.nps)}/s`);
  if (thought.time_ms !== null) parts.push(`${(thought.time_ms / 1000).toFixed(1)} s`);
  return parts.join(' · ');
}

function compact(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  return value >= 1e3 ? `${Math.round(value / 1e3)} k` : String(value);
}

export class EvaluationBar {
  private readonly fill = h('div', { class: 'eval-fill' });
  private readonly label = h('span', { class: 'eval-label' });
  readonly element = h(
    'div',
    { class: 'eval-bar', role: 'meter', 'aria-label': 'Evaluation', 'aria-valuemin': -1, 'aria-valuemax': 1 },
    this.fill,
    this.label,
  );

  /** Shows an evaluation; null: none is known yet, and the bar keeps its place. */
  update(evaluation: Pick<Evaluation, 'value' | 'score'> | null, bottom: Side, shown: boolean): void {
    setShown(this.element, shown);
    this.element.classList.toggle('unknown', evaluation === null);
    this.element.classList.toggle('second-below', bottom === 1);
    const value = evaluation?.value ?? 0;
    const text = evaluation ? formatScore(evaluation.score, value) : '';
    this.fill.style.setProperty('--share', `${50 + 50 * value}%`);
    this.element.classList.toggle('second-leads', value < 0);
    setText(this.label, text);
    this.element.setAttribute('aria-valuenow', value.toFixed(2));
    this.element.setAttribute('aria-valuetext', text || 'unknown');
    this.element.title = 'Who stands better; E hides the bar';
  }
}
