import { writeCsv } from "@telex/auth-server/client";
import type { AuditEvent, RecentClient } from "@telex/metrics/client";
import { saveBlob } from "../../ui/files/save-blob.ts";

/** The filter for events, without a page. */
export type AuditFilter = Omit<Parameters<RecentClient["audit"]>[0], "before" | "limit">;

const pageSize = 1000;

/** All matching events, newest first. A server keeps a few thousand. */
async function fetchAll(recent: RecentClient, filter: AuditFilter): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = [];
  for (;;) {
    const last = events.at(-1);
    const before = last === undefined ? {} : { before: last.id };
    const { list } = await recent.audit({ ...filter, ...before, limit: pageSize });
    events.push(...list);
    if (list.length < pageSize) return events;
  }
}

const first = ["at", "level", "event"] as const;

/** A table with a column for each field that occurs in the events. */
function tableOf(events: readonly AuditEvent[]): string {
  const names = [...new Set(events.flatMap(({ fields }) => Object.keys(fields)))].toSorted();
  const rows = events.map((event) => [
    ...first.map((name) => event[name]),
    ...names.map((name) => event.fields[name] ?? null),
  ]);
  return writeCsv([[...first, ...names], ...rows]);
}

/** Downloads all matching events. */
export async function exportEvents(recent: RecentClient, filter: AuditFilter, form: "csv" | "json"): Promise<void> {
  const events = await fetchAll(recent, filter);
  const [text, type] =
    form === "csv" ? [tableOf(events), "text/csv"] : [JSON.stringify(events, null, 2), "application/json"];
  saveBlob(new Blob([text], { type }), `audit.${form}`);
}
