import { person } from "@telex/conformance";
import { expect, it } from "vitest";
import { contentsOf } from "./history.ts";
import { roomMessage } from "./messages.ts";
import { openStorage, startChild, temporaryFile } from "./support.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

it("two processes write to one file, and each sees the changes of the other", { timeout: 30_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file, exclusive: true });
  await storage.users.appendUser(person());
  const child = startChild("append.ts", file, "400");
  await new Promise((resolve) => child.lines.once("line", resolve));
  const ids: number[] = [];
  for (let count = 0; count < 400; count += 1) {
    const appended = await storage.messages.append(roomMessage(1, `parent ${count}`));
    if (appended.outcome === "appended") ids.push(appended.message.id);
  }
  await child.exited;
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const contents = await contentsOf(storage, 1);
  const from = (who: string): string[] => contents.filter((content) => content.startsWith(who));
  expect(from("parent")).toEqual(upTo(400).map((number) => `parent ${number - 1}`));
  expect(from("child")).toEqual(upTo(400).map((number) => `child ${number - 1}`));
  expect(await storage.users.findUser(1)).toMatchObject({ nickname: "Renamed" });
  expect(await storage.changes.since(0)).toEqual([{ seq: 1, kind: "user", key: "1" }]);
});
