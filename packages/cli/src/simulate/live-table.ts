import { styleText } from "node:util";
import type { DeviceMessageView } from "@telex/core";
import { printable, tableLines } from "../output.ts";
import { createRedraw, fit } from "../redraw.ts";

/** A terminal, as the table uses it. */
interface Screen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
}

/** What the devices of a run receive, as a table that is drawn again while it changes. */
export interface LiveTable {
  /** A device has received a text. */
  note(message: DeviceMessageView): void;
  /** Draws it for the last time and leaves it where it is. */
  stop(): void;
}

interface Row {
  received: number;
  last: string;
  /** Counts up: the busiest lately come first. */
  turn: number;
}

/** Milliseconds between two drawings. */
const pace = 200;
/** Lines of the terminal that are not the table's. */
const margin = 4;

/** The lines of the table: as many devices as fit, the last to receive first, and a sum below. */
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
      timer ??= setTimeout(draw, pace);
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      draw();
    },
  };
}
