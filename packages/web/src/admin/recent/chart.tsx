/** The coordinates of the drawing, which scales with its container. */
const [wide, high] = [300, 84];

type Values = readonly (number | null)[];

interface ChartProps {
  /** The values of the steps, the oldest first. Null if there is no value. */
  readonly values: Values;
  /** Describes the chart for screen readers. */
  readonly label: string;
  /** A line for a continuous figure, bars for rare events. */
  readonly look: "line" | "bars";
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The points of each run of values without a gap. */
function runsOf(values: Values): readonly (readonly Point[])[] {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const pitch = wide / Math.max(1, values.length - 1);
  const runs: Point[][] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const point = { x: index * pitch, y: high - (value / most) * high };
    if (index > 0 && values[index - 1] !== null) runs.at(-1)?.push(point);
    else runs.push([point]);
  });
  return runs;
}

const round = (value: number): string => value.toFixed(1);

const pathOf = (points: readonly Point[]): string =>
  `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;

/** The area below a line. */
const areaOf = (points: readonly Point[]): string => `${pathOf(points)}V${high}H${round(points[0]?.x ?? 0)}Z`;

const Line = ({ values }: Pick<ChartProps, "values">) => (
  <>
    {runsOf(values).map((points) => (
      <g key={points[0]?.x}>
        <path class="area" d={areaOf(points)} />
        <path class="drawn" d={pathOf(points)} />
      </g>
    ))}
  </>
);

/** The minimum width of a bar, so that a single one remains visible. */
const thinnest = 3;

function Bars({ values }: Pick<ChartProps, "values">) {
  const width = Math.max(thinnest, wide / values.length - 0.4);
  return (
    <>
      {runsOf(values)
        .flat()
        .filter(({ y }) => y < high)
        .map(({ x, y }) => (
          <rect key={x} x={Math.max(0, Math.min(x - width / 2, wide - width))} y={y} width={width} height={high - y} />
        ))}
    </>
  );
}

/** The grid: quarters of the time, and halves of the highest value. */
const grid = `M0 0H${wide}M0 ${high / 2}H${wide}M0 ${high}H${wide}${[1, 2, 3].map((quarter) => `M${(wide / 4) * quarter} 0V${high}`).join("")}`;

/** A chart that scales to its highest value. */
export const Chart = ({ values, label, look }: ChartProps) => (
  <svg class="chart" viewBox={`0 0 ${wide} ${high}`} role="img" aria-label={label} preserveAspectRatio="none">
    <path class="grid" d={grid} />
    {look === "line" ? <Line values={values} /> : <Bars values={values} />}
  </svg>
);
