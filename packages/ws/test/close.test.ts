import { operator, type Storage, type Telex } from "@telex/core";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createInbox } from "test-support/raw-socket";
import {
  chatPath,
  type Client,
  clientFrame,
  open,
  openRaw,
  startTelex,
  type StartOptions,
  textOf,
  textTo,
  upgradeRequest,
} from "./harness.ts";

/** Stores messages on request of the test. */
function heldAppends() {
  const asked = createInbox<() => void>();
  const wrap = (storage: Storage): Storage => ({
    ...storage,
    messages: {
      ...storage.messages,
      append: async (message) => {
        await new Promise<void>((resolve) => asked.put(resolve));
        return storage.messages.append(message);
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

describe("draining", () => {
  it("closes the connections in groups with 1012, refuses new ones, and goes on with calls", async () => {
    const clock = createManualClock();
    const { telex, url, alice, bob, groupId } = await scene({ clock });
    const clients = [await open(url(alice.token, "?since=1")), await open(url(bob.token, "?since=1"))];
    for (const client of clients) {
      client.send(textTo(groupId, "x"));
      await client.next();
    }
    const closed: number[] = [];
    for (const [index, client] of clients.entries()) void client.closed.then(() => closed.push(index));
    const drained = telex.drain(10_000);
    expect(await clients[0]?.closed).toBe(1012);
    expect(closed).toEqual([0]);
    await clock.advance(200);
    expect(await clients[1]?.closed).toBe(1012);
    await expect(open(url(alice.token))).rejects.toThrow("503");
    await expect(telex.ready()).rejects.toMatchObject({ code: "shutting_down" });
    const caller = await telex.authenticate(alice.token);
    await telex.messages.send(caller, { groupId, groupType: 1, message: "still answered" });
    for (let step = 0; step < 50; step += 1) await clock.advance(200);
    await drained;
  });

  it("answers the command in progress before the connection is closed", async () => {
    const { asked, wrap } = heldAppends();
    const { telex, url, alice, groupId } = await scene({ wrap });
    const client = await open(url(alice.token));
    client.send(textTo(groupId, "x", 1));
    const goOn = await asked.take();
    const drained = telex.drain(0);
    goOn();
    expect(await client.next()).toMatchObject({ code: 200, identifier: 1 });
    expect(await client.closed).toBe(1012);
    await drained;
  });
});

describe("stopping", () => {
  it("closes every connection with 1001", async () => {
    const { url, alice, ws } = await scene();
    const clients = [
      await open(url(alice.token)),
      await open(url("garbage")),
      await open(url(alice.token, "?since=1")),
    ];
    await ws.close();
    for (const client of clients) expect(await client.closed).toBe(1001);
    expect(ws.size).toBe(0);
  });

  it("answers the command in progress, refuses those that wait, and takes no new ones", async () => {
    const { asked, wrap } = heldAppends();
    const { url, alice, groupId, ws } = await scene({ wrap, ws: { limits: { commandQueue: 1 } } });
    const client = await open(url(alice.token));
    for (const identifier of [1, 2]) client.send(textTo(groupId, "x", identifier));
    const goOn = await asked.take();
    const stopped = ws.close();
    client.send(textTo(groupId, "x", 3));
    goOn();
    expect(await client.next()).toMatchObject({ identifier: 1, code: 200 });
    expect(await client.next()).toEqual({
      type: "OperationFailed",
      code: 500,
      identifier: 2,
      msg: "服务器正在停止,请稍后再试。",
    });
    await stopped;
    expect(await client.closed).toBe(1001);
    await expect(client.next()).rejects.toThrow("closed with 1001");
  });

  it("cuts at the deadline what is still open", async () => {
    const clock = createManualClock();
    const { asked, wrap } = heldAppends();
    const { url, alice, groupId, ws } = await scene({ wrap, clock });
    const client = await open(url(alice.token));
    client.send(textTo(groupId, "x"));
    const goOn = await asked.take();
    const stopped = ws.close(clock.now() + 5_000);
    await clock.advance(4_999);
    await ticks(1);
    expect(ws.size).toBe(1);
    await clock.advance(1);
    await stopped;
    expect(await client.closed).toBe(1006);
    goOn();
  });

  it("does not wait for a client that does not close its side", async () => {
    const { port, ws } = await scene({ ws: { limits: { closeTime: 50 } } });
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(`${chatPath}/x`));
    await raw.until((received) => received.includes("\r\n\r\n"));
    await ws.close();
    expect(Buffer.concat(raw.chunks).includes(Buffer.from([0x88, 0x02, 0x03, 0xe9]))).toBe(true);
  });

  it("closes with 1001, too, what opens at that very moment", async () => {
    const { ws, url, alice } = await scene();
    const take = ws.handleUpgrade.bind(ws);
    ws.handleUpgrade = (...upgrade) => {
      const taken = take(...upgrade);
      void ws.close();
      return taken;
    };
    const client = await open(url(alice.token));
    expect(await client.closed).toBe(1001);
  });

  it("leaves nothing planned", async () => {
    const clock = createManualClock();
    const { ws, url, alice, telex } = await scene({ clock });
    await open(url(alice.token));
    await ws.close();
    await telex.close();
    expect(clock.waiting().length).toBe(0);
  });

  it("twice is stopping once", async () => {
    const { ws } = await scene();
    expect(ws.close()).toBe(ws.close());
  });

  it("of Telex alone closes the connections that it knows with 1001, too", async () => {
    const { url, alice, telex } = await scene();
    const client = await open(url(alice.token));
    client.send("x");
    await client.next();
    await telex.close();
    expect(await client.closed).toBe(1001);
  });
});

describe("a client", () => {
  it("that closes is answered with its own code, and nothing is left of it", async () => {
    const { url, alice, ws, log } = await scene();
    const client = await open(url(alice.token));
    client.socket.close(4000, "bye");
    expect(await client.closed).toBe(4000);
    await until(() => ws.size === 0);
    expect(log.lines).toEqual([]);
  });

  it("that ends its half of the connection without a close frame is let go", async () => {
    const { port, alice, ws, log } = await scene();
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(`${chatPath}/${alice.token}`));
    await raw.until((received) => received.includes("\r\n\r\n"));
    raw.socket.end();
    await raw.ended;
    await until(() => ws.size === 0);
    expect(log.lines).toEqual([]);
  });

  it("that resets the connection is let go, and its commands are done", async () => {
    const { port, alice, bob, url, groupId, ws, log } = await scene();
    const receiver = await open(url(bob.token));
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(`${chatPath}/${alice.token}`));
    await raw.until((received) => received.includes("\r\n\r\n"));
    raw.socket.write(clientFrame(1, JSON.stringify(textTo(groupId, "last words"))));
    expect(textOf(await receiver.next())).toBe("last words");
    raw.socket.resetAndDestroy();
    await until(() => ws.size === 1);
    expect(log.lines).toEqual([]);
  });

  it("that is gone is told nothing more, while messages for it still come", async () => {
    const { asked, wrap } = heldAppends();
    const { url, alice, bob, groupId, log } = await scene({ wrap });
    const [sender, receiver] = [await open(url(alice.token)), await open(url(bob.token))];
    sender.send(textTo(groupId, "x"));
    const goOn = await asked.take();
    receiver.socket.terminate();
    goOn();
    expect(await sender.next()).toMatchObject({ code: 200 });
    expect(log.lines).toEqual([]);
  });

  it("that has sent a close frame gets none of what is mirrored after that", async () => {
    const { port, alice, bob, url, groupId } = await scene();
    const sender = await open(url(alice.token));
    const raw = openRaw(port);
    raw.socket.write(upgradeRequest(`${chatPath}/${bob.token}`));
    await raw.until((received) => received.includes("\r\n\r\n"));
    raw.socket.write(clientFrame(8, Buffer.from([0x03, 0xe8])));
    sender.send(textTo(groupId, "too late"));
    await sender.next();
    await raw.ended;
    const received = Buffer.concat(raw.chunks);
    const closing = received.lastIndexOf(Buffer.from([0x88, 0x02, 0x03, 0xe8]));
    expect(closing).toBe(received.length - 4);
  });
});

describe("core", () => {
  /** Counts the resources that core holds for connections. */
  function holdings() {
    const held = { attached: 0, listening: 0 };
    const watch = (telex: Telex): Telex => ({
      ...telex,
      attach(connection) {
        const detach = telex.attach(connection);
        held.attached += 1;
        return () => {
          held.attached -= 1;
          detach();
        };
      },
      listen(connection, options) {
        const listening = telex.listen(connection, options);
        held.listening += 1;
        return {
          ready: listening.ready,
          stop() {
            held.listening -= 1;
            listening.stop();
          },
        };
      },
    });
    return { held, watch };
  }

  it.each<[string, (client: Client, telex: Telex, tokenId: number) => unknown]>([
    ["the client closes", ({ socket }) => socket.close()],
    ["the client is gone", ({ socket }) => socket.terminate()],
    ["the client breaks the protocol", ({ socket }) => socket.send(Buffer.alloc(300_000))],
    ["its token ends", (_client, telex, tokenId) => telex.operator.tokens.revoke(operator, { token: String(tokenId) })],
  ])("lets go of a connection when %s, and nothing is planned for it any more", async (_case, end) => {
    const clock = createManualClock();
    const { held, watch } = holdings();
    const { url, alice, ws, telex } = await scene({ watch, clock });
    const planned = clock.waiting().length;
    const client = await open(url(alice.token));
    client.send("x");
    await client.next();
    expect(held).toEqual({ attached: 1, listening: 1 });
    await end(client, telex, alice.tokenId);
    await client.closed;
    await until(() => ws.size === 0);
    expect(held).toEqual({ attached: 0, listening: 0 });
    expect(clock.waiting().length).toBe(planned);
  });

  it("never hears of a connection that is gone before its token was looked up", async () => {
    const clock = createManualClock();
    const { held, watch } = holdings();
    const looked = createInbox<() => void>();
    const { url, alice, ws } = await scene({
      clock,
      watch: (telex) => ({
        ...watch(telex),
        async authenticate(token) {
          const caller = await telex.authenticate(token);
          await new Promise<void>((resolve) => looked.put(resolve));
          return caller;
        },
      }),
    });
    const planned = clock.waiting().length;
    const client = await open(url(alice.token));
    const goOn = await looked.take();
    await client.close();
    await until(() => ws.size === 0);
    expect(clock.waiting().length).toBe(planned);
    goOn();
    await ticks(1);
    expect(held).toEqual({ attached: 0, listening: 0 });
  });

  it("lets go of a connection that it closes immediately", async () => {
    const { held, watch } = holdings();
    const { url, alice, ws } = await scene({
      watch: (telex) => {
        const watched = watch(telex);
        return {
          ...watched,
          attach(connection) {
            const detach = watched.attach(connection);
            connection.close("token_ended");
            return detach;
          },
        };
      },
    });
    const client = await open(url(alice.token));
    expect(await client.closed).toBe(4401);
    await until(() => ws.size === 0);
    expect(held).toEqual({ attached: 0, listening: 0 });
  });
});
