import { measured } from "../lib/process.ts";
import type { Workload } from "../lib/workload.ts";
import { hasPostgres } from "../peers/postgres.ts";

const telex = new URL("../servers/search.ts", import.meta.url).pathname;
const rooms = new URL("../servers/search-rooms.ts", import.meta.url).pathname;
const fts5 = new URL("../limits/search-fts5.ts", import.meta.url).pathname;

const trgm = new URL("../limits/search-trgm.ts", import.meta.url).pathname;

/** Searches in a room, by the CPU time of a page, compared with SQLite's FTS5 and, if it is installed, with PostgreSQL's `pg_trgm`. */
export const searchWorkloads = (sizes: readonly number[]): readonly Workload[] =>
  sizes.map((size) => ({
    name: `search ${size}`,
    about: `searches in a room of ${size} messages`,
    subjects: [
      { name: "fts5", round: measured(fts5, (folder) => [folder, String(size)]) },
      ...(hasPostgres() ? [{ name: "pg_trgm", round: measured(trgm, (folder) => [folder, String(size)]) }] : []),
      { name: "telex", round: measured(telex, (folder) => [folder, String(size)]) },
    ],
  }));

/** Searches over many rooms with few messages each, by requests and the CPU time of the most expensive one. */
export const roomSearchWorkloads = (): readonly Workload[] => [
  {
    name: "search-rooms",
    about: "searches in 200 rooms of 50 messages, without the index and with it",
    subjects: [{ name: "telex", round: measured(rooms, (folder) => [folder, "200", "50"]) }],
  },
];
