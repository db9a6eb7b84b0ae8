/** Units of the drawing, which grows with its place. */
const [wide, high] = [2, 40];

interface ChartProps {
  /** The values of the steps, the oldest first; null where there is none. */
  readonly values: readonly (number | null)[];
  /** Says it all, for those who do not see it. */
  readonly label: string;
  readonly look: "calm" | "alarm";
}

/** A row of bars, as high as the highest value. */
export function Chart({ values, label, look }: ChartProps) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  return (
    <svg
      class={`bars ${look}`}
      viewBox={`0 0 ${values.length * wide} ${high + 1}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <rect class="base" y={high} width={values.length * wide} height={1} />
      {values.map((value, index) => {
        const height = ((value ?? 0) / most) * high;
        return height > 0 && <rect key={index} x={index * wide} y={high - height} width={wide - 0.4} height={height} />;
      })}
    </svg>
  );
}
