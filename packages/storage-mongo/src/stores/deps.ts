import type { Db } from "mongodb";
import type { Batches } from "./batches.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { Forgetting } from "./forgetting.ts";
import type { Ids } from "./ids.ts";

/** What every store is made of. */
export interface StoreDeps {
  readonly db: Db;
  readonly batches: Batches;
  readonly ids: Ids;
  readonly time: Pick<DatabaseClock, "ahead">;
  readonly forgetting: Forgetting;
}
