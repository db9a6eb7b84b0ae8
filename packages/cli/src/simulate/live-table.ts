import { styleText } from "node:util";
import type { DeviceMessageView } from "@telex/core";
import { printable, tableLines } from "../terminal/output.ts";
import { createRedraw, fit } from "../terminal/redraw.ts";

/** The parts of a terminal that the table uses. */
interface Screen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
}

/** A table of received texts that is redrawn when it changes. */
export interface LiveTable {
  /** Notes a received text. */
  note(message: DeviceMessageView): void;
  /** Draws the table a last time and leaves it on the screen. */
  stop(): void;
}

interface Row {
  received: number;
  last: string;
  /** Grows with each text, so that the busiest devices come first. */
  turn: number;
}

/** Minimum milliseconds between redraws. */
const minInterval = 200;
/** Lines of the terminal below and above the table. */
const margin = 4;

/** The lines of the table: as many devices as fit, the most recent first, and a sum. */
function drawTable(
  rows: ReadonlyMap<string, Row>,
  { columns, rows: height }: Pick<Screen, "columns" | "rows">,
): string[] {
  const shown = [...rows].toSorted(([, a], [, b]) => b.turn - a.turn).slice(0, Math.max(1, height - margin));
  const cells = shown.map(([deviceId, { received, last }]) => [deviceId, received, received === 0 ? null : last]);
  const total = [...rows.values()].reduce((sum, { received }) => sum + received, 0);
  const hidden = rows.size - shown.length;
  const sum = `${rows.size} devices, ${total} received${hidden > 0 ? `, ${hidden} not shown` : ""}`;
  return [...tableLines(["device", "received", "last text"], cells), styleText("dim", sum)].map((line) =>
    fit(line, columns),
  );
}

/** A table of these devices on a terminal. */
export function createLiveTable(deviceIds: readonly string[], screen: Screen): LiveTable {
  const rows = new Map<string, Row>(deviceIds.map((id) => [id, { received: 0, last: "", turn: 0 }]));
  let turn = 0;
  const redraw = createRedraw(screen);
  let timer: NodeJS.Timeout | null = null;
  const draw = (): void => {
    timer = null;
    redraw(drawTable(rows, screen));
  };
  draw();
  return {
    note({ deviceId, content }) {
      const row = rows.get(deviceId);
      if (row === undefined) return;
      turn += 1;
      rows.set(deviceId, { received: row.received + 1, last: printable(content), turn });
      timer ??= setTimeout(draw, minInterval);
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      draw();
    },
  };
}
