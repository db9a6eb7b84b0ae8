import type { RecentClient, TrendStep } from "@telex/metrics/client";
import { useState } from "preact/hooks";
import { useApp, useFormat, useNumbers } from "../../app/context.ts";
import { Button } from "../../ui/forms/button.tsx";
import { useFetched } from "../parts/fetched.tsx";
import { Chart } from "./chart.tsx";
import { useRecent } from "./context.ts";
import { useRecentTexts } from "./texts.ts";
import "./recent.css";

type Trends = Awaited<ReturnType<RecentClient["trends"]>>;
type Figure = "calls" | "messages" | "devices" | "errors" | "p99";

const figures: readonly Figure[] = ["calls", "messages", "devices", "errors", "p99"];
const hourChoices = [1, 3, 12, 24] as const;

const readers: Readonly<Record<Figure, (step: TrendStep) => number | null>> = {
  calls: ({ calls }) => calls,
  messages: ({ messages }) => messages,
  devices: ({ devices }) => devices,
  errors: ({ failed }) => failed,
  p99: ({ p99 }) => p99,
};

/** The number next to a chart: the last value of a state, or the sum of events. */
function shownOf(figure: Figure, values: readonly (number | null)[]): number | null {
  if (figure === "devices") return values.at(-1) ?? 0;
  if (figure === "p99") return values.findLast((value) => value !== null) ?? null;
  return values.reduce((sum: number, value) => sum + (value ?? 0), 0);
}

interface TrendProps {
  readonly figure: Figure;
  readonly steps: readonly TrendStep[];
  readonly hours: number;
}

function useWords(figure: Figure): (value: number | null) => string {
  const texts = useRecentTexts();
  const numbers = useNumbers();
  return (value) => {
    if (value === null) return texts.none;
    const rounded = numbers.format(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
    return figure === "p99" ? texts.milliseconds(rounded) : rounded;
  };
}

function Trend({ figure, steps, hours }: TrendProps) {
  const texts = useRecentTexts();
  const words = useWords(figure);
  const format = useFormat();
  const since = steps[0]?.at;
  const values = steps.map(readers[figure]);
  const most = texts.most(words(Math.max(0, ...values.map((value) => value ?? 0))));
  const title = texts.figures[figure];
  const shown = words(shownOf(figure, values));
  const label = `${title}, ${texts.ofHours(hours)}: ${shown} ${texts.about[figure]}, ${most}`;
  return (
    <figure class="trend paper">
      <figcaption>
        <span>
          {title} <small>{texts.about[figure]}</small>
        </span>
        <b>{shown}</b>
      </figcaption>
      <Chart values={values} label={label} look={figure === "errors" ? "bars" : "line"} />
      <p class="hint ends">
        <span>{since === undefined ? texts.ago(hours) : format.time(Date.parse(since))}</span>
        <span>{most}</span>
        <span>{texts.now}</span>
      </p>
    </figure>
  );
}

function Head({ hours, onHours }: { readonly hours: number; readonly onHours: (hours: number) => void }) {
  const texts = useRecentTexts();
  return (
    <header class="list-head">
      <h2>{texts.title}</h2>
      <div class="chips" role="group" aria-label={texts.hours}>
        {hourChoices.map((value) => (
          <Button key={value} class="chip" aria-pressed={value === hours} onClick={() => onHours(value)}>
            {texts.ofHours(value)}
          </Button>
        ))}
      </div>
    </header>
  );
}

function Charts({ trends: { server, list }, hours }: { readonly trends: Trends; readonly hours: number }) {
  const texts = useRecentTexts();
  return (
    <>
      <div class="trends">
        {figures.map((figure) => (
          <Trend key={figure} figure={figure} steps={list} hours={hours} />
        ))}
      </div>
      {server !== null && <p class="hint">{texts.ofServer(server)}</p>}
    </>
  );
}

/** Charts of the last hours, updated every few seconds. Hidden on servers that do not record them. */
export function LastHours() {
  const recent = useRecent();
  const { now } = useApp();
  const [hours, setHours] = useState<number>(3);
  const { value } = useFetched(() => recent.trends({ hours }), [recent, hours, now.value]);
  if (value === null) return null;
  return (
    <section class="last-hours">
      <Head hours={hours} onHours={setHours} />
      <Charts trends={value} hours={hours} />
    </section>
  );
}
