import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { anonymous, type Storage } from "../src/index.ts";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { createConnection, createKit } from "./kit.ts";

const hour = 60 * 60_000;

/** More changes than the memory store keeps when they are old. */
async function changeOften({ users }: Storage): Promise<void> {
  for (let count = 0; count < 1100; count += 1) await users.amendUser(3, { phone: `${count}` });
}

it("a process that has missed changes trusts nothing that it kept, and closes its connections", async () => {
  const clock = createManualClock();
  const others = createMemoryStorage({ clock });
  let awake = Promise.resolve();
  const since: Storage["changes"]["since"] = async (seq) => {
    await awake;
    return others.changes.since(seq);
  };
  const kit = await createKit({ clock, storage: { ...others, changes: { ...others.changes, since } } });
  const { telex, alice, bob, room, token, lines } = kit;
  if (alice.kind !== "token" || alice.tokenId === null) throw new Error("The token is stored.");
  const { connection, closed } = createConnection(bob);
  telex.attach(connection);
  const message = { groupId: room, groupType: 1, message: "hello" } as const;
  await telex.messages.send(bob, message);

  const { promise, resolve } = Promise.withResolvers<void>();
  awake = promise;
  await clock.advance(1000);
  await others.tokens.revokeToken({ tokenId: alice.tokenId }, clock.now());
  await others.groups.amendMembers(room, { add: [], remove: [bob.kind === "token" ? bob.userId : 0] });
  await changeOften(others);
  await clock.advance(2 * hour);
  await changeOften(others);
  resolve();
  await ticks();

  expect(closed).toEqual(["stopping"]);
  expect(await telex.authenticate(token)).toEqual(anonymous);
  await expect(telex.messages.send(bob, message)).rejects.toMatchObject({ code: "group_not_found" });
  expect(lines.filter((line) => line.includes("watch.missed"))).toHaveLength(1);
});
