import type { Socket } from "node:net";
import { createManualClock, type Person } from "@telex/conformance/testing";
import { describe, expect, it, vi } from "vitest";
import {
  chatPath,
  type Client,
  clientFrame,
  open,
  openRaw,
  startTelex,
  textOf,
  textTo,
  upgradeRequest,
} from "./harness.ts";

/** Counts further writes to a socket, and records the written bytes. */
function countWrites(socket: Socket) {
  const single = vi.spyOn(socket, "_write");
  const joined = vi.spyOn(socket, "_writev");
  return {
    count: () => single.mock.calls.length + joined.mock.calls.length,
    chunks: () => [
      ...single.mock.calls.map(([chunk]: readonly unknown[]) => chunk),
      ...joined.mock.calls.flatMap(([chunks]) => chunks.map(({ chunk }: { readonly chunk: unknown }) => chunk)),
    ],
  };
}

async function room(count: number) {
  // The clock is stopped: a ping is a write, too, and would interfere on a slow machine.
  const running = await startTelex({ clock: createManualClock() });
  const people: Person[] = [];
  for (let index = 0; index < count; index += 1) people.push(await running.user(`Member ${index}`));
  const alice = await running.user("Alice");
  const groupId = await running.group([alice, ...people]);
  const members: { readonly client: Client; readonly socket: Socket }[] = [];
  for (const { token } of people) {
    const known = new Set(running.sockets);
    const client = await open(running.url(token));
    client.send("x");
    await client.next();
    const [socket] = [...running.sockets].filter((one) => !known.has(one));
    if (socket !== undefined) members.push({ client, socket });
  }
  return { ...running, alice, groupId, members };
}

describe("a burst of 20 messages to 50 members", () => {
  it("leaves in far fewer writes than frames, and each joined buffer is one for all", async () => {
    const { url, alice, groupId, members, telex } = await room(50);
    expect(members).toHaveLength(50);
    const counts = members.map(({ socket }) => countWrites(socket));
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    const holder = { kind: "token", userId: alice.id, scopes: ["chat"], tokenId: null, expiresAt: null } as const;
    const sender = await open(url(alice.token));
    await Promise.all(texts.map((message) => telex.messages.send(holder, { groupId, groupType: 1, message })));
    for (const { client } of members) for (const text of texts) expect(textOf(await client.next())).toBe(text);
    sender.socket.terminate();

    const writes = counts.reduce((sum, one) => sum + one.count(), 0);
    // One message begins a walk immediately; later messages of the same tick leave with it or with the next walk.
    expect(writes).toBeLessThanOrEqual(2 * members.length);
    const chunks = new Set(counts.flatMap((one) => one.chunks()));
    expect(chunks.size).toBeLessThanOrEqual(2);
  });

  it("from a client reaches everybody whole, in few writes", async () => {
    const { url, alice, groupId, members } = await room(50);
    const counts = members.map(({ socket }) => countWrites(socket));
    const senders = await Promise.all(Array.from({ length: 20 }, () => open(url(alice.token))));
    for (const [index, sender] of senders.entries()) sender.send(textTo(groupId, `message ${index}`));
    for (const { client } of members) {
      const received = new Set<string>();
      while (received.size < 20) received.add(textOf(await client.next()));
    }
    for (const one of counts) expect(one.count()).toBeLessThanOrEqual(20);
    const all = new Set(counts.flatMap((one) => one.chunks()));
    expect(all.size).toBeLessThanOrEqual(20);
  });
});

it("answers of one turn to one connection leave in one write", async () => {
  const { port, sockets, user } = await startTelex();
  const alice = await user("Alice");
  const raw = openRaw(port);
  raw.socket.write(upgradeRequest(`${chatPath}/${alice.token}`));
  await raw.until((received) => received.includes("\r\n\r\n"));
  const [socket] = sockets;
  if (socket === undefined) throw new Error("no connection");
  const writes = countWrites(socket);
  raw.socket.write(
    Buffer.concat(Array.from({ length: 50 }, (_, index) => clientFrame(1, JSON.stringify({ identifier: index })))),
  );
  await raw.until((received) => received.includes('"identifier":49,'));
  expect(writes.count()).toBe(1);
});
