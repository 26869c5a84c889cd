// A chart with a few curves, as SVG; what it shows is also said in words.
import { h, svg } from '../dom';
import type { ChartView, CurveView } from '../server/types';
import { numberText } from './words';

const WIDTH = 320;
const HEIGHT = 130;

/** The smallest and the largest of numbers; a little apart where all are the same. */
export function rangeOf(values: readonly number[]): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** A curve's way through the drawing. */
export function pathOf(curve: CurveView, [left, right]: [number, number], [low, high]: [number, number]): string {
  const places = curve.x.map((x, index) => {
    const y = curve.y[index] ?? low;
    const across = ((x - left) / (right - left)) * WIDTH;
    return `${across.toFixed(1)} ${(HEIGHT * (1 - (y - low) / (high - low))).toFixed(1)}`;
  });
  return `M${places.join(' L')}`;
}

export function drawChart(chart: ChartView): HTMLElement {
  const xs = rangeOf(chart.curves.flatMap(({ x }) => x));
  const ys = rangeOf(chart.curves.flatMap(({ y }) => y));
  const words = chart.curves.map(
    ({ name, y }) => `${name} from ${numberText(y[0] ?? 0)} to ${numberText(y.at(-1) ?? 0)}`,
  );
  const label = `${chart.title} by ${chart.x_label}: ${words.join(', ')}`;
  const curves = chart.curves.map((curve, place) =>
    svg('path', { class: `curve curve-${place}`, d: pathOf(curve, xs, ys) }),
  );
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    ...curves,
  );
  const legend = chart.curves.map(({ name, y }, place) =>
    h(
      'li',
      {},
      h('span', { class: `legend-mark curve-${place}`, 'aria-hidden': 'true' }),
      `${name} `,
      h('strong', {}, numberText(y.at(-1) ?? 0)),
    ),
  );
  return h(
    'figure',
    { class: 'run-chart' },
    h('figcaption', {}, chart.title),
    h(
      'div',
      { class: 'run-plot' },
      h('span', { class: 'y-high' }, numberText(ys[1])),
      h('span', { class: 'y-low' }, numberText(ys[0])),
      picture,
    ),
    h('p', { class: 'x-label' }, `${chart.x_label} ${numberText(xs[0])} to ${numberText(xs[1])}`),
    h('ul', { class: 'run-legend' }, ...legend),
  );
}
