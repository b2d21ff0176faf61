/** Line of a chart. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
}

export interface Axis {
  readonly name: string;
  /** Values that are written beside the axis, rising; it goes from the first to the last. */
  readonly ticks: readonly number[];
  /** Whether steps are factors. Default: false. */
  readonly isLogarithmic?: boolean;
}

const [WIDTH, HEIGHT] = [640, 360];
/** Space around the lines, for what is written. */
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 20, 36, 48];
/** Colours that people of all kinds of sight tell apart (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00'];
const LEGEND_LINE = 16;

/** Draws a chart as an SVG file. */
export function drawChart({ title, x, y, lines }: Chart): string {
  const across = scaleOf(x, LEFT, WIDTH - RIGHT);
  const up = scaleOf(y, HEIGHT - BOTTOM, TOP);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 20, title, 'font-size="14" font-weight="bold"'),
    ...x.ticks.map((tick) => text(across(tick), HEIGHT - BOTTOM + 16, label(tick), 'text-anchor="middle"')),
    ...y.ticks.flatMap((tick) => [
      `<path d="M${LEFT} ${up(tick)}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
      text(LEFT - 6, up(tick) + 4, label(tick), 'text-anchor="end"'),
    ]),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x.name, 'text-anchor="middle"'),
    text(
      0,
      0,
      y.name,
      `text-anchor="middle" transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"`,
    ),
  ];
  for (const [at, { name, points }] of lines.entries()) {
    const colour = COLOURS[at % COLOURS.length]!;
    const path = points.map(([px, py]) => `${across(px)} ${up(py)}`).join('L');
    const height = TOP + 12 + LEGEND_LINE * at;
    parts.push(
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(([px, py]) => `<circle cx="${across(px)}" cy="${up(py)}" r="3" fill="${colour}"/>`),
      `<path d="M${LEFT + 10} ${height}h18" stroke="${colour}" stroke-width="2"/>`,
      text(LEFT + 34, height + 4, name),
    );
  }
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

/** Returns the place of a value; what lies outside of the axis is drawn at its end. */
function scaleOf(
  { ticks, isLogarithmic = false }: Axis,
  from: number,
  to: number,
): (value: number) => number {
  const of = (value: number): number => (isLogarithmic ? Math.log(value) : value);
  const [first, last] = [ticks[0]!, ticks.at(-1)!];
  return (value) => {
    const inside = Math.min(last, Math.max(first, value));
    return Math.round(10 * (from + ((to - from) * (of(inside) - of(first))) / (of(last) - of(first)))) / 10;
  };
}

function label(value: number): string {
  return value.toLocaleString('en');
}

function text(x: number, y: number, what: string, attributes = ''): string {
  const safe = what.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" ${attributes}>${safe}</text>`;
}
