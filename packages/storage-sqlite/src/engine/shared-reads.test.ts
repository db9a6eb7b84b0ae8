import { ticks } from "@telex/conformance/testing";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFile } from "../../test/support.ts";
import { Database } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";
import { integer } from "./rows.ts";

function open(file: string) {
  const database = new Database(file);
  onTestFinished(() => database.close());
  database.prepareForWriting();
  database.exec("CREATE TABLE IF NOT EXISTS numbers (value INTEGER) STRICT");
  const list = database.query("SELECT value FROM numbers ORDER BY value", (row) => integer(row, "value"));
  return {
    database,
    add: database.command("INSERT INTO numbers VALUES (?)"),
    read: () => database.read(() => list.all()),
    readTogether: () => database.readTogether(() => [list.all(), list.all()]),
  };
}

/** A file that two processes have opened. */
function openTwice() {
  const file = temporaryFile();
  return { ours: open(file), theirs: open(file) };
}

it("reads of requests that arrived together see one state", async () => {
  const { ours, theirs } = openTwice();
  const first = ours.read();
  const second = ours.read();
  expect(ours.database.inTransaction).toBe(true);
  theirs.add(1);
  const third = ours.read();
  expect(await Promise.all([first, second, third, ours.readTogether()])).toEqual([[], [], [], [[], []]]);
});

it("a request that arrives later sees changes of another process", async () => {
  const { ours, theirs } = openTwice();
  for (let value = 1; value <= 100; value += 1) {
    await Promise.all([ours.read(), ours.read()]);
    theirs.add(value);
    await ticks();
    const read = await Promise.all([ours.read(), ours.read(), ours.read()]);
    expect(read.map((all) => all.length)).toEqual([value, value, value]);
    await ticks();
  }
});

it("a single read needs no transaction, and none is left open", async () => {
  const { ours } = openTwice();
  const one = ours.read();
  expect(ours.database.inTransaction).toBe(false);
  await one;
  await ticks();
  await Promise.all([ours.read(), ours.read()]);
  expect(ours.database.inTransaction).toBe(true);
  await ticks();
  expect(ours.database.inTransaction).toBe(false);
});

it("a read sees the preceding writes of this process, even among reads that share a state", async () => {
  const { ours } = openTwice();
  const hooks = { ending: () => undefined, ended: () => undefined };
  const commit = new GroupCommit(ours.database, { busyTimeout: 5000, alongDelay: 50, hooks });
  for (let value = 1; value <= 100; value += 1) {
    const before = Promise.all([ours.read(), ours.read()]);
    await commit.write(() => ours.add(value));
    expect([await ours.read(), await ours.read()].map((all) => all.length)).toEqual([value, value]);
    expect((await before).map((all) => all.length)).toEqual([value - 1, value - 1]);
  }
  await commit.close();
});

it("a read that fails harms no other one", async () => {
  const { ours } = openTwice();
  const fail = () => ours.database.read(() => ours.database.query("SELECT * FROM nothing", () => null).all());
  const [, failed, ...others] = await Promise.allSettled([ours.read(), fail(), ours.read(), ours.readTogether()]);
  expect(failed).toMatchObject({ status: "rejected", reason: { code: "internal" } });
  expect(others).toMatchObject([{ value: [] }, { value: [[], []] }]);
});

it("a database that is closed while reads share a state stays closed", async () => {
  const { ours } = openTwice();
  await Promise.all([ours.read(), ours.read()]);
  ours.database.close();
  await ticks();
  await expect(ours.read()).rejects.toMatchObject({ code: "storage_unavailable" });
});
