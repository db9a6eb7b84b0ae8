import { TelexError } from "@telex/core";
import { ticks } from "@telex/conformance/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFile } from "../../test/support.ts";
import { Database } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";
import type { SyncTimes } from "./log-sync.ts";
import { integer } from "./rows.ts";

interface Bench {
  readonly file: string;
  readonly database: Database;
  readonly commit: GroupCommit;
  /** Adds a number to the table. */
  readonly add: (value: number) => number;
  /** The numbers in the table, as another connection sees them. */
  readonly stored: () => number[];
  /** The number of transactions that have reached their end. */
  readonly ended: () => number;
  /** Advances the clock, which otherwise stands still. */
  readonly pass: (milliseconds: number) => void;
}

function open(file: string, sync?: SyncTimes): Database {
  const database = new Database(file);
  onTestFinished(() => database.close());
  database.prepareForWriting();
  database.waitBriefly();
  if (sync !== undefined) database.syncApart(sync);
  return database;
}

interface BenchOptions {
  readonly busyTimeout?: number;
  readonly sync?: SyncTimes | undefined;
}

function createBench({ busyTimeout = 5000, sync }: BenchOptions = {}): Bench {
  const file = temporaryFile();
  const database = open(file, sync);
  database.exec(`
    CREATE TABLE numbers (value INTEGER PRIMARY KEY, text TEXT) STRICT;
    CREATE TABLE children (parent INTEGER REFERENCES numbers DEFERRABLE INITIALLY DEFERRED) STRICT;`);
  let endings = 0;
  const hooks = { ending: () => void (endings += 1), ended: () => undefined };
  let time = 0;
  const commit = new GroupCommit(database, { busyTimeout, alongDelay: 50, hooks, now: () => time });
  const other = open(file).query("SELECT value FROM numbers ORDER BY value", (row) => integer(row, "value"));
  const insert = database.command("INSERT INTO numbers (value, text) VALUES (?, 'text')");
  return {
    file,
    database,
    commit,
    add: (value) => insert(value),
    stored: () => other.all(),
    ended: () => endings,
    pass: (milliseconds) => void (time += milliseconds),
  };
}

const codeOf = (result: PromiseSettledResult<unknown>): string =>
  result.status === "rejected" && TelexError.is(result.reason) ? result.reason.code : result.status;

const alwaysSlow: SyncTimes = { slow: 0, slowTime: Number.POSITIVE_INFINITY };

const ways = [
  { way: "that syncs in COMMIT", sync: undefined },
  { way: "that syncs apart, on a quick disk", sync: { slow: Number.POSITIVE_INFINITY } },
  { way: "that syncs apart, on a slow disk", sync: alwaysSlow },
];

describe.each(ways)("group commit $way", ({ sync }) => {
  it("commits the verbs of a tick together", async () => {
    const { commit, add, stored, ended } = createBench({ sync });
    await Promise.all(Array.from({ length: 100 }, (_, value) => commit.write(() => add(value))));
    expect(ended()).toBe(1);
    expect(stored()).toHaveLength(100);
  });

  it("runs the verbs of two ticks together if the last transaction had more than those of the first", async () => {
    const { commit, add, ended } = createBench({ sync });
    const write = (...values: readonly number[]) => values.map((value) => commit.write(() => add(value)));
    await Promise.all(write(1, 2, 3));
    const first = write(4);
    await ticks(1);
    await Promise.all([...first, ...write(5, 6)]);
    expect(ended()).toBe(2);
    // It never waits for a second tick.
    const alone = write(7);
    await ticks(2);
    expect(ended()).toBe(3);
    await Promise.all([...alone, ...write(8)]);
    expect(ended()).toBe(4);
  });

  it("resolves only when another connection sees the row", async () => {
    const { commit, add, stored } = createBench({ sync });
    await commit.write(() => add(7));
    expect(stored()).toEqual([7]);
  });

  it("runs verbs and settles promises in the order of the calls", async () => {
    const { commit, add } = createBench({ sync });
    const ran: number[] = [];
    const settled: number[] = [];
    const call = async (value: number): Promise<void> => {
      await commit.write(() => {
        ran.push(value);
        return add(value);
      });
      settled.push(value);
    };
    const order = Array.from({ length: 50 }, (_, index) => (index * 37) % 50);
    await Promise.all(order.map(call));
    expect(ran).toEqual(order);
    expect(settled).toEqual(order);
  });

  it("continues work that takes longer than a turn in further transactions, in order", async () => {
    const { commit, add, stored, ended, pass } = createBench({ sync });
    const slow = (value: number): Promise<number> =>
      commit.write(() => {
        pass(1.5);
        return add(value);
      });
    await Promise.all([1, 2, 3, 4, 5].map(slow));
    expect(ended()).toBe(3);
    expect(stored()).toEqual([1, 2, 3, 4, 5]);
  });

  it("a verb that fails leaves no trace and harms no other", async () => {
    const { commit, add, stored } = createBench({ sync });
    const results = await Promise.allSettled([
      commit.write(() => add(1)),
      commit.write(() => {
        add(2);
        throw new TelexError("queue_full", { params: { max: 1 } });
      }),
      commit.write(() => {
        add(3);
        return add(1);
      }),
      commit.write(() => add(4)),
    ]);
    expect(results.map(codeOf)).toEqual(["fulfilled", "queue_full", "internal", "fulfilled"]);
    expect(stored()).toEqual([1, 4]);
  });

  it("a failed verb rejects in the order of the calls", async () => {
    const { commit, add } = createBench({ sync });
    const told: number[] = [];
    const writes = [1, 1, 2].map((value, index) =>
      commit
        .write(() => add(value))
        .catch(() => 0)
        .finally(() => told.push(index)),
    );
    await Promise.all(writes);
    expect(told).toEqual([0, 1, 2]);
  });

  it("applies committed verbs to memory, and nothing of a failed one", async () => {
    const { commit, add } = createBench({ sync });
    const applied: number[] = [];
    const write = (value: number): Promise<number> =>
      commit.write(
        () => add(value),
        () => void applied.push(value),
      );
    await Promise.allSettled([write(1), write(2), write(1), write(3)]);
    expect(applied).toEqual([1, 2, 3]);
  });

  it("a commit that fails rejects every verb of its batch and changes nothing", async () => {
    const { commit, database, add, stored } = createBench({ sync });
    const orphan = database.command("INSERT INTO children (parent) VALUES (99)");
    const applied: string[] = [];
    const results = await Promise.allSettled([
      commit.write(
        () => add(1),
        () => void applied.push("first"),
      ),
      commit.write(
        () => orphan(),
        () => void applied.push("second"),
      ),
    ]);
    expect(results.map(codeOf)).toEqual(["internal", "internal"]);
    expect(applied).toEqual([]);
    expect(stored()).toEqual([]);
    await commit.write(() => add(2));
    expect(stored()).toEqual([2]);
  });

  it("a full disk is storage_full, changes nothing, and is over when there is space again", async () => {
    const { commit, database, add, stored } = createBench({ sync });
    await commit.write(() => add(1));
    database.exec(`PRAGMA max_page_count = ${Number(database.pragma("page_count"))}`);
    const many = Array.from({ length: 3000 }, (_, index) => index + 10);
    const results = await Promise.allSettled([commit.write(() => many.forEach(add)), commit.write(() => add(2))]);
    expect(results.map(codeOf)).toContain("storage_full");
    expect(results.map(codeOf)).not.toContain("internal");
    expect(stored()).toEqual(results[1].status === "fulfilled" ? [1, 2] : [1]);
    database.exec("PRAGMA max_page_count = 100000");
    await commit.write(() => many.forEach(add));
    expect(stored()).toContain(3009);
  });

  it("a disk that has turned read-only is storage_full", async () => {
    const { commit, database, add, stored } = createBench({ sync });
    database.exec("PRAGMA query_only = ON");
    const results = await Promise.allSettled([commit.write(() => add(1)), commit.write(() => add(2))]);
    expect(results.map(codeOf)).toEqual(["storage_full", "storage_full"]);
    database.exec("PRAGMA query_only = OFF");
    await commit.write(() => add(3));
    expect(stored()).toEqual([3]);
  });

  it("waits for another process that writes, without blocking the event loop", async () => {
    const { file, commit, add, stored, ended } = createBench({ sync });
    const other = open(file);
    other.exec("BEGIN IMMEDIATE");
    const writes = Promise.all([1, 2, 3].map((value) => commit.write(() => add(value))));
    await commitWith(other);
    await writes;
    expect(stored()).toEqual([1, 2, 3]);
    expect(ended()).toBe(1);
  });

  it("a lock that is never released is storage_unavailable", async () => {
    const { file, commit, add, stored, pass } = createBench({ busyTimeout: 40, sync });
    const other = open(file);
    other.exec("BEGIN IMMEDIATE");
    const writes = Promise.allSettled([commit.write(() => add(1)), commit.write(() => add(2))]);
    await ticks();
    pass(40);
    const results = await writes;
    expect(results.map(codeOf)).toEqual(["storage_unavailable", "storage_unavailable"]);
    other.exec("ROLLBACK");
    await commit.write(() => add(3));
    expect(stored()).toEqual([3]);
  });

  it("shows no SQL to the caller, and keeps the cause for the log", async () => {
    const { commit, add } = createBench({ sync });
    await commit.write(() => add(1));
    const error: unknown = await commit.write(() => add(1)).catch((reason: unknown) => reason);
    expect(TelexError.is(error) && error.message).toBe("internal");
    expect(error).toHaveProperty("cause.message", "UNIQUE constraint failed: numbers.value");
  });

  it("completes waiting verbs when it closes, and refuses later ones", async () => {
    const { commit, add, stored } = createBench({ sync });
    const write = commit.write(() => add(1));
    await commit.close();
    await write;
    expect(stored()).toEqual([1]);
    await expect(commit.write(() => add(2))).rejects.toMatchObject({ code: "storage_unavailable" });
  });
});

/** Lets the other connection keep its lock for some ticks. */
async function commitWith(other: Database): Promise<void> {
  await ticks();
  other.exec("COMMIT");
}

it("writes work without a waiting caller with the next verb, in order", async () => {
  const { commit, add, stored, ended } = createBench();
  const along = commit.writeAlong(() => add(1));
  expect(stored()).toEqual([]);
  await commit.write(() => add(2));
  await along;
  expect(stored()).toEqual([1, 2]);
  expect(ended()).toBe(1);
});

it("writes work without a waiting caller alone if no verb follows, and before it is closed", async () => {
  const { commit, add, stored } = createBench();
  await commit.writeAlong(() => add(1));
  expect(stored()).toEqual([1]);
  const along = commit.writeAlong(() => add(2));
  await commit.close();
  await along;
  expect(stored()).toEqual([1, 2]);
  await expect(commit.writeAlong(() => add(3))).rejects.toMatchObject({ code: "storage_unavailable" });
});

describe("while a slow disk syncs", () => {
  /** A transaction has been committed, and its sync is in progress. */
  async function startSync() {
    const bench = createBench({ sync: alwaysSlow });
    await bench.commit.write(() => bench.add(1));
    const order: string[] = [];
    const write = async (value: number): Promise<void> => {
      await bench.commit.write(
        () => {
          order.push(`ran ${value}`);
          return bench.add(value);
        },
        () => void order.push(`applied ${value}`),
      );
    };
    const writes = [write(2)];
    // Runs after the transaction in the same phase of the event loop, so no callback of a thread comes in between.
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.stored()).toEqual([1, 2]);
    expect(order).toEqual(["ran 2"]);
    return { ...bench, order, write, writes };
  }

  it("no read runs, and reads requested then run after it", async () => {
    const { database, order, writes } = await startSync();
    const count = database.query("SELECT count(*) AS count FROM numbers", (row) => integer(row, "count"));
    const read = database.read(() => {
      order.push("read");
      return count.only();
    });
    expect(await read).toBe(2);
    await Promise.all(writes);
    expect(order).toEqual(["ran 2", "applied 2", "read"]);
  });

  it("verbs wait, and share the next transaction", async () => {
    const { ended, order, write, writes } = await startSync();
    const more = [write(3), write(4)];
    await Promise.all([...writes, ...more]);
    expect(order).toEqual(["ran 2", "applied 2", "ran 3", "ran 4", "applied 3", "applied 4"]);
    expect(ended()).toBe(3);
  });

  it("closing waits for it", async () => {
    const { commit, order } = await startSync();
    await commit.close();
    expect(order).toEqual(["ran 2", "applied 2"]);
  });
});

it("reads continue after a sync, even if its caller throws", async () => {
  const { database } = createBench({ sync: { slow: Number.POSITIVE_INFINITY } });
  const fault = (): never => {
    throw new Error("a fault of a caller");
  };
  expect(() => database.sync(fault)).toThrow("a fault of a caller");
  expect(await database.read(() => "read")).toBe("read");
});
