import type { Storage } from "@telex/core";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createInbox } from "test-support/raw-socket";
import {
  clientFrame,
  open,
  openRaw,
  startTelex,
  type StartOptions,
  textOf,
  textTo,
  upgradeRequest,
  chatPath,
} from "./harness.ts";

/** Stores messages immediately, and resolves on request of the test. */
function heldAppends() {
  const asked = createInbox<() => void>();
  const wrap = (storage: Storage): Storage => ({
    ...storage,
    messages: {
      ...storage.messages,
      append: async (message) => {
        const appending = storage.messages.append(message);
        await new Promise<void>((resolve) => asked.put(resolve));
        return appending;
      },
    },
  });
  return { asked, wrap };
}

async function scene(options: StartOptions = {}) {
  const running = await startTelex(options);
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  return { ...running, alice, bob, groupId: await running.group([alice, bob]) };
}

describe("the commands of one connection", () => {
  it("are in progress simultaneously, and are answered in their order", async () => {
    const { asked, wrap } = heldAppends();
    const { url, alice, groupId } = await scene({ wrap });
    const client = await open(url(alice.token));
    for (const identifier of [1, 2, 3]) client.send(textTo(groupId, "x", identifier));
    client.send({ identifier: 4, command: "fast" });
    const held = [await asked.take(), await asked.take(), await asked.take()];
    for (const goOn of held.toReversed()) goOn();
    for (const identifier of [1, 2, 3]) expect(await client.next()).toMatchObject({ identifier, code: 200 });
    expect(await client.next()).toMatchObject({ identifier: 4, code: 500 });
  });

  it("do not wait for those of another connection", async () => {
    const { asked, wrap } = heldAppends();
    const { url, alice, bob, groupId } = await scene({ wrap });
    const [slow, fast] = [await open(url(alice.token)), await open(url(bob.token))];
    slow.send(textTo(groupId, "held"));
    const goOn = await asked.take();
    fast.send({ identifier: "f", command: "nothing" });
    expect(await fast.next()).toMatchObject({ identifier: "f" });
    goOn();
    expect(await slow.next()).toMatchObject({ code: 200 });
  });

  it("are mirrored in the order in which they were sent", async () => {
    const { url, alice, bob, groupId } = await scene();
    const [sender, receiver] = [await open(url(alice.token)), await open(url(bob.token))];
    const texts = Array.from({ length: 200 }, (_, index) => String(index));
    for (const text of texts) sender.send(textTo(groupId, text));
    const received: string[] = [];
    while (received.length < texts.length) received.push(textOf(await receiver.next()));
    expect(received).toEqual(texts);
    for (const text of texts) expect(await sender.next()).toMatchObject({ identifier: text, code: 200 });
  });

  it("are not run any more when the connection is gone", async () => {
    const { asked, wrap } = heldAppends();
    const { url, alice, bob, groupId, ws } = await scene({ wrap, ws: { limits: { commandQueue: 2 } } });
    const client = await open(url(alice.token));
    for (const identifier of [1, 2, 3]) client.send(textTo(groupId, String(identifier), identifier));
    const held = [await asked.take(), await asked.take()];
    client.socket.terminate();
    const other = await open(url(bob.token));
    await until(() => ws.size === 1);
    for (const goOn of held) goOn();
    // The command in progress is executed; the waiting one is not.
    for (const text of ["1", "2"]) expect(textOf(await other.next())).toBe(text);
    other.send(textTo(groupId, "last"));
    (await asked.take())();
    expect(await other.next()).toMatchObject({ identifier: "last", code: 200 });
  });
});

describe("a connection with very many commands", () => {
  it("is not read while 64 are in progress or wait, so that its client has to wait", async () => {
    const { asked, wrap } = heldAppends();
    const { port, alice, groupId, sockets } = await scene({ wrap });
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(`${chatPath}/${alice.token}`));
    await raw.until((received) => received.includes("\r\n\r\n"));
    raw.socket.write(clientFrame(1, JSON.stringify(textTo(groupId, "held", 0))));
    const goOn = await asked.take();
    const filler = clientFrame(1, JSON.stringify({ identifier: "y".repeat(60_000), command: "n" }));
    let taken = true;
    for (let count = 0; count < 400 && taken; count += 1)
      taken = raw.socket.write(filler) || raw.socket.writableLength < 8_000_000;
    const [server] = sockets;
    if (server === undefined) throw new Error("no connection");
    await until(async () => {
      const read = server.bytesRead;
      await ticks(50);
      return server.isPaused() && server.bytesRead === read;
    });
    expect(server.bytesRead).toBeLessThan(64 * filler.length + 4 * 65_536);
    expect(raw.socket.writableLength).toBeGreaterThan(1_000_000);
    goOn();
    await raw.until((received) => received.includes('"type":"SendMessageResult","code":200,"identifier":0'));
    while (raw.socket.writableLength > 0) await new Promise((resolve) => raw.socket.once("drain", resolve));
  });

  it("is not cut for pongs that cannot come in while it is not read", async () => {
    const clock = createManualClock();
    const { asked, wrap } = heldAppends();
    const { url, alice, groupId, sockets } = await scene({ wrap, clock, ws: { limits: { commandQueue: 2 } } });
    const client = await open(url(alice.token));
    for (const identifier of [1, 2, 3]) client.send(textTo(groupId, "x", identifier));
    const goOn = await asked.take();
    const [server] = sockets;
    await until(() => server?.isPaused() === true);
    await clock.advance(300_000);
    goOn();
    expect(await client.next()).toMatchObject({ identifier: 1, code: 200 });
    for (const identifier of [2, 3]) {
      (await asked.take())();
      expect(await client.next()).toMatchObject({ identifier, code: 200 });
    }
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });

  it("gets an answer to each of them, in order", async () => {
    const { url, alice } = await scene();
    const client = await open(url(alice.token));
    const count = 20_000;
    for (let identifier = 0; identifier < count; identifier += 1) client.send(`{"identifier":${identifier}}`);
    for (let identifier = 0; identifier < count; identifier += 1) {
      expect((await client.next()).identifier).toBe(identifier);
    }
  });
});
