import { setTimeout as delay } from "node:timers/promises";
import type { Server } from "../client/server.ts";
import { fieldLines } from "../terminal/output.ts";
import { untilKey } from "../terminal/keys.ts";
import { createRedraw, fit } from "../terminal/redraw.ts";
import { untilStopped } from "../terminal/signals.ts";
import { describeStatus, type Rates, ratesOf, type Status } from "./figures.ts";
import { readStatus } from "./status.ts";

interface TopOptions {
  /** Milliseconds between samples. */
  readonly interval: number;
  /** Milliseconds after which the command ends; null runs until `q` or Ctrl-C. */
  readonly duration: number | null;
  /** Prints lines of JSON instead of a screen. */
  readonly json: boolean;
}

function describeRates(rates: Rates | null): Readonly<Record<string, string>> {
  if (rates === null) return {};
  const { calls, refused, failed, delivered, cpu, loop } = rates;
  return {
    "per second": `${calls} calls, ${refused} refused, ${failed} failed, ${delivered} events delivered`,
    busy: `${cpu} % of a core, event loop ${loop} %`,
  };
}

type Show = (status: Status, rates: Rates | null) => void;

const showJson: Show = (status, rates) =>
  void process.stdout.write(`${JSON.stringify({ ...status, perSecond: rates })}\n`);

function createScreen({ url }: Server): Show {
  const draw = createRedraw(process.stdout);
  return (status, rates) => {
    const lines = fieldLines({ server: url, ...describeRates(rates), ...describeStatus(status) });
    const shown = [...lines.slice(0, Math.max(1, process.stdout.rows - 2)), "q ends it."];
    draw(shown.map((line) => fit(line, process.stdout.columns)));
  };
}

/** `telex top`: watches a server until `q` or Ctrl-C. */
export async function watchStatus(server: Server, { interval, duration, json }: TopOptions): Promise<void> {
  const show = json ? showJson : createScreen(server);
  using keys = untilKey();
  const stopped = AbortSignal.any([untilStopped(duration === null ? undefined : duration / 1000), keys.signal]);
  let before = await readStatus(server);
  show(before, null);
  for (;;) {
    await delay(interval, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return;
    const status = await readStatus(server);
    show(status, ratesOf(before, status));
    before = status;
  }
}
