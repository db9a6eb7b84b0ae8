import type { Db } from "mongodb";
import type { Batches } from "../batches/batches.ts";
import type { DatabaseClock } from "../clock/database-clock.ts";
import type { Cleanup } from "../clock/cleanup.ts";
import type { Ids } from "../clock/ids.ts";

export interface StoreDeps {
  readonly db: Db;
  readonly batches: Batches;
  readonly ids: Ids;
  readonly time: Pick<DatabaseClock, "ahead">;
  readonly cleanup: Cleanup;
}
