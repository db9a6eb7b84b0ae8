import { measured } from "../lib/process.ts";
import type { Workload } from "../lib/workload.ts";
import { hasPostgres } from "../peers/postgres.ts";

const telex = new URL("../servers/search.ts", import.meta.url).pathname;
const fts5 = new URL("../limits/search-fts5.ts", import.meta.url).pathname;

const trgm = new URL("../limits/search-trgm.ts", import.meta.url).pathname;

/** Searches in a room, by the CPU time of a page, next to SQLite's FTS5, and to `pg_trgm` of PostgreSQL where it is installed. */
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
