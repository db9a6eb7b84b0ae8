import { ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

/** A connection that notes when it is paused and resumed. */
function open(turns: ReturnType<typeof createTurns>, name: string, noted: string[]) {
  return turns.open({
    pause: () => void noted.push(`${name} pauses`),
    resume: () => void noted.push(`${name} resumes`),
  });
}

it("one connection is resumed in each tick, in the order in which they sent too much", async () => {
  const noted: string[] = [];
  const turns = createTurns({ maxBytes: 100, perTick: 1 });
  for (const name of ["first", "second"]) open(turns, name, noted).came(101);
  expect(noted).toEqual(["first pauses", "second pauses"]);
  await ticks(1);
  expect(noted).toHaveLength(3);
  await ticks(1);
  expect(noted.slice(2)).toEqual(["first resumes", "second resumes"]);
});

it("the bytes of a tick are added up, and those of another are not", async () => {
  const noted: string[] = [];
  const turn = open(createTurns({ maxBytes: 100, perTick: 1 }), "one", noted);
  turn.came(60);
  await ticks(1);
  turn.came(60);
  expect(noted).toEqual([]);
  turn.came(60);
  expect(noted).toEqual(["one pauses"]);
});

it("a connection that has closed loses its turn", async () => {
  const noted: string[] = [];
  const turns = createTurns({ maxBytes: 100, perTick: 2 });
  const closed = open(turns, "closed", noted);
  closed.came(101);
  open(turns, "open", noted).came(101);
  closed.closed();
  await ticks(1);
  expect(noted).toEqual(["closed pauses", "open pauses", "open resumes"]);
});
