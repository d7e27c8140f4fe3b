// Owns the exponents of measured times, and a plot of them: both axes logarithmic, one line per step.

export interface Series {
  readonly name: string;
  /** Size of the estate and time in ms. */
  readonly points: readonly { readonly size: number; readonly ms: number }[];
}

/** The exponent of the power of the size that fits the times best, by least squares of the logarithms. */
export function exponentOf({ points }: Series): number {
  const logs = points.map(({ size, ms }) => [Math.log(size), Math.log(ms)] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, pair) => sum + pair[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const slope = logs.reduce((sum, pair) => sum + (pair[0] - x) * (pair[1] - y), 0);
  return slope / logs.reduce((sum, pair) => sum + (pair[0] - x) ** 2, 0);
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [960, 560, 70, 330, 30, 50];
/** Readable on a light and on a dark page. */
const COLOURS = ['#2a78d6', '#c8501e', '#2e8b57', '#9a52c7', '#b8860b', '#c2356b', '#4a7f8c', '#7a7a7a'];

const decades = (low: number, high: number): readonly number[] => {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
};

const inWords = (ms: number): string =>
  ms >= 1_000 ? `${(ms / 1_000).toLocaleString('en-US')} s` : `${ms.toLocaleString('en-US')} ms`;

/** An SVG document with the times of every series over the sizes. */
export function plotOf(series: readonly Series[], title: string): string {
  const all = series.flatMap((each) => each.points);
  const sizes = decades(Math.min(...all.map((each) => each.size)), Math.max(...all.map((each) => each.size)));
  const times = decades(Math.min(...all.map((each) => each.ms)), Math.max(...all.map((each) => each.ms)));
  const scale = (marks: readonly number[], from: number, to: number) => (value: number) => {
    const [low, high] = [Math.log10(marks[0] ?? 1), Math.log10(marks.at(-1) ?? 10)];
    return from + ((Math.log10(value) - low) / Math.max(high - low, 1)) * (to - from);
  };
  const x = scale(sizes, LEFT, WIDTH - RIGHT);
  const y = scale(times, HEIGHT - BOTTOM, TOP);
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#999" stroke-opacity="0.35"/>`;
  const text = (at: readonly [number, number], content: string, more = '') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${content}</text>`;
  const grid = [
    ...sizes.flatMap((size) => [
      line(x(size), TOP, x(size), HEIGHT - BOTTOM),
      text([x(size), HEIGHT - BOTTOM + 20], size.toLocaleString('en-US'), 'text-anchor="middle"'),
    ]),
    ...times.flatMap((ms) => [
      line(LEFT, y(ms), WIDTH - RIGHT, y(ms)),
      text([LEFT - 8, y(ms) + 4], inWords(ms), 'text-anchor="end"'),
    ]),
  ];
  const curves = series.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = points.map(({ size, ms }) => `${x(size).toFixed(1)},${y(ms).toFixed(1)}`).join(' ');
    const dots = points.map(
      ({ size, ms }) =>
        `<circle cx="${x(size).toFixed(1)}" cy="${y(ms).toFixed(1)}" r="3" fill="${colour}"/>`,
    );
    const exponent = points.length > 1 ? `, n^${exponentOf({ name, points }).toFixed(2)}` : '';
    const label = text([WIDTH - RIGHT + 34, TOP + 12 + index * 20], `${name}${exponent}`, `fill="${colour}"`);
    const dashes = index < COLOURS.length ? '' : ' stroke-dasharray="5 3"';
    const key = `<line x1="${WIDTH - RIGHT + 12}" x2="${WIDTH - RIGHT + 28}" y1="${TOP + 8 + index * 20}" y2="${TOP + 8 + index * 20}" stroke="${colour}" stroke-width="2"${dashes}/>`;
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`,
      ...dots,
      key,
      label,
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#777" role="img">`,
    `<title>${title}</title>`,
    ...grid,
    ...curves,
    text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10], 'births', 'text-anchor="middle"'),
    '</svg>',
    '',
  ].join('\n');
}
