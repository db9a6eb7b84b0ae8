import type { Day } from "./day.ts";
import { useAboutTexts } from "./texts.ts";

/** The coordinates of the drawing, which scales with its container. */
const [wide, high, gap] = [10, 48, 2];

/** Charts the texts of the last 24 hours. Those to the device are below those from it. */
export function DayChart({ day: { hours, isComplete } }: { readonly day: Day }) {
  const texts = useAboutTexts();
  const most = Math.max(1, ...hours.map(({ to, from }) => to + from));
  const [to, from] = [hours.reduce((sum, each) => sum + each.to, 0), hours.reduce((sum, each) => sum + each.from, 0)];
  const said = texts.counts(to, from, isComplete);
  const heightOf = (count: number): number => (count / most) * high;
  return (
    <figure class="day-chart">
      <svg viewBox={`0 0 ${hours.length * wide} ${high + 1}`} role="img" aria-label={said} preserveAspectRatio="none">
        {hours.map((each, index) => (
          <g key={index} transform={`translate(${index * wide})`}>
            <rect class="base" y={high} width={wide - gap} height={1} />
            <rect class="to" y={high - heightOf(each.to)} width={wide - gap} height={heightOf(each.to)} />
            <rect
              class="from"
              y={high - heightOf(each.to + each.from)}
              width={wide - gap}
              height={heightOf(each.from)}
            />
          </g>
        ))}
      </svg>
      <p class="hint ends">
        <span>{texts.hoursAgo}</span>
        <span>{texts.now}</span>
      </p>
      <figcaption>{said}</figcaption>
    </figure>
  );
}
