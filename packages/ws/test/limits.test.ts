import { randomBytes } from "node:crypto";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createWs } from "../src/index.ts";
import {
  chatPath,
  type Client,
  clientFrame,
  open,
  openRaw,
  type RawClient,
  startTelex,
  type StartOptions,
  textTo,
  upgradeRequest,
} from "./harness.ts";

async function scene(options: StartOptions = {}) {
  const running = await startTelex(options);
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  return { ...running, alice, bob, groupId: await running.group([alice, bob]) };
}

/** A command with a total of this many bytes. */
function frameOf(bytes: number): string {
  const empty = JSON.stringify({ identifier: "big", command: "n", filler: "" });
  return empty.replace('"filler":""', `"filler":"${"x".repeat(bytes - empty.length)}"`);
}

async function openRawSocket(port: number, token: string): Promise<RawClient> {
  const raw = openRaw(port);
  raw.socket.write(upgradeRequest(`${chatPath}/${token}`));
  await raw.until((received) => received.includes("\r\n\r\n"));
  return raw;
}

describe("the options of sockets", () => {
  it("are refused by name when they are unknown or of the wrong type", async () => {
    const { telex } = await startTelex();
    const create = (options: object) => () => createWs(telex, options);
    expect(create({ base: "/x" })).toThrow('createWs has no option "base".');
    expect(create({ limits: { framesize: 1 } })).toThrow(
      'createWs has no option "limits.framesize". Did you mean "frameSize"?',
    );
    expect(create({ limits: { frameSize: "1" } })).toThrow(
      'The option "limits.frameSize" of createWs must be a number, 0 or more.',
    );
  });
});

/** The code of the close frame at the end of the received bytes. */
const closeCode = (received: Buffer): number | null => {
  const at = received.lastIndexOf(Buffer.from([0x88, 0x02]));
  return at === received.length - 4 ? received.readUInt16BE(at + 2) : null;
};

/** Alice sends messages until the unread connections of Bob are full, according to `done`. Returns the number of messages. */
async function flood(options: Awaited<ReturnType<typeof scene>>, done: () => boolean): Promise<number> {
  const sender = await open(options.url(options.alice.token));
  let sent = 0;
  while (!done() && sent < 4000) {
    sender.send(textTo(options.groupId, "\u{1f600}".repeat(10_000), sent));
    expect(await sender.next()).toMatchObject({ code: 200 });
    sent += 1;
  }
  return sent;
}

describe("a frame", () => {
  it("of 256 KiB is taken", async () => {
    const { url, alice } = await scene();
    const client = await open(url(alice.token));
    client.send(frameOf(262_144));
    expect(await client.next()).toMatchObject({ identifier: "big", code: 500 });
  });

  it("of one byte more closes the connection with 1009", async () => {
    const { url, alice } = await scene();
    const client = await open(url(alice.token));
    client.send(frameOf(262_145));
    expect(await client.closed).toBe(1009);
  });

  it("in fragments of more than 256 KiB together closes the connection with 1009", async () => {
    const { port, alice } = await scene();
    const raw = await openRawSocket(port, alice.token);
    raw.socket.write(clientFrame(1, Buffer.alloc(200_000, 0x61), false));
    raw.socket.write(clientFrame(0, Buffer.alloc(62_145, 0x61), true));
    expect(await raw.until((received) => closeCode(received) !== null).then(closeCode)).toBe(1009);
  });

  it("in fragments is put together, with pings in between", async () => {
    const { port, alice } = await scene();
    const raw = await openRawSocket(port, alice.token);
    const text = Buffer.from('{"identifier":"问","command":"n"}');
    for (const [index] of text.entries()) {
      raw.socket.write(clientFrame(index === 0 ? 1 : 0, text.subarray(index, index + 1), index === text.length - 1));
      raw.socket.write(clientFrame(9, String(index)));
    }
    const received = await raw.until((all) => all.includes('"identifier":"问"'));
    expect(received.includes(Buffer.from([0x8a, 1, 0x30]))).toBe(true);
  });

  it("in endless tiny fragments ends the connection", async () => {
    const { port, alice } = await scene();
    const raw = await openRawSocket(port, alice.token);
    raw.socket.write(clientFrame(1, "", false));
    raw.socket.write(Buffer.concat(Array.from({ length: 20_000 }, () => clientFrame(0, "", false))));
    expect(await raw.until((received) => closeCode(received) !== null).then(closeCode)).toBe(1008);
  });

  it.each<[string, Buffer, number]>([
    ["that is not UTF-8", clientFrame(1, Buffer.from([0xff, 0xfe])), 1007],
    ["that is not masked", Buffer.from([0x81, 0x01, 0x61]), 1002],
    ["with a reserved opcode", clientFrame(3, "x"), 1002],
    ["with a reserved bit", Buffer.from([0xc1, 0x80, 0, 0, 0, 0]), 1002],
    ["that continues nothing", clientFrame(0, "x"), 1002],
    ["that is a ping of 126 bytes", clientFrame(9, Buffer.alloc(126)), 1002],
  ])("%s closes the connection, and nothing else", async (_case, bytes, code) => {
    const { port, alice, url, bob, log } = await scene();
    const other = await open(url(bob.token));
    const raw = await openRawSocket(port, alice.token);
    raw.socket.write(bytes);
    expect(await raw.until((received) => closeCode(received) !== null).then(closeCode)).toBe(code);
    other.send("x");
    expect(await other.next()).toMatchObject({ type: "OperationFailed" });
    expect(log.lines).toEqual([]);
  });
});

describe("every 30 seconds", () => {
  it("a connection is pinged, and stays open while it answers", async () => {
    const clock = createManualClock();
    const { url, alice } = await scene({ clock });
    const client = await open(url(alice.token));
    for (let round = 0; round < 5; round += 1) {
      const pinged = new Promise((resolve) => client.socket.once("ping", resolve));
      await clock.advance(30_000);
      await pinged;
      client.send("x");
      // The client sent its pong before this command, so the server has received it when it answers.
      expect(await client.next()).toMatchObject({ type: "OperationFailed" });
    }
  });

  it("a connection that did not answer the last ping is cut, even if it sends commands", async () => {
    const clock = createManualClock();
    const { port, alice } = await scene({ clock });
    const raw = await openRawSocket(port, alice.token);
    await clock.advance(1_000);
    await raw.until((received) => received.includes(Buffer.from([0x89, 0x00])));
    raw.socket.write(clientFrame(1, '{"identifier":"here"}'));
    await raw.until((received) => received.includes('"here"'));
    await clock.advance(29_000);
    await ticks(1);
    expect(raw.socket.closed).toBe(false);
    await clock.advance(1_000);
    await raw.ended;
  });

  it("no more than a part of many connections is pinged simultaneously", async () => {
    const clock = createManualClock();
    const { url, alice } = await scene({ clock });
    const clients: Client[] = [];
    let pings = 0;
    for (let count = 0; count < 60; count += 1) {
      const client = await open(url(alice.token));
      client.socket.on("ping", () => (pings += 1));
      clients.push(client);
    }
    await clock.advance(1_000);
    for (const client of clients) {
      client.send("x");
      await client.next();
    }
    expect(pings).toBe(2);
    await clock.advance(29_000);
    for (const client of clients) {
      client.send("x");
      await client.next();
    }
    expect(pings).toBe(60);
  });
});

it("a ping is answered with its content", async () => {
  const { url, alice } = await scene();
  const client = await open(url(alice.token));
  const content = randomBytes(125);
  const pong = new Promise((resolve) => client.socket.once("pong", resolve));
  client.socket.ping(content);
  expect(await pong).toEqual(content);
});

describe("a connection that does not read", () => {
  it("is closed with 1013 once 4 MiB wait for it, and gets the code when it reads again", async () => {
    const here = await scene();
    const slow = await open(here.url(here.bob.token));
    slow.send("x");
    await slow.next();
    slow.socket.pause();
    const sent = await flood(here, () => here.log.lines.some((line) => line.includes("ws.too_slow")));
    expect(sent).toBeGreaterThan((4 * 1024 * 1024) / 90_000);
    slow.socket.resume();
    expect(await slow.closed).toBe(1013);
  });

  it("does not hold up or harm the others", async () => {
    const here = await scene();
    const carol = await here.user("Carol");
    const groupId = await here.group([here.alice, here.bob, carol]);
    const [slow, reading] = [await open(here.url(here.bob.token)), await open(here.url(carol.token))];
    const received: true[] = [];
    reading.socket.on("message", () => received.push(true));
    slow.socket.pause();
    const sent = await flood({ ...here, groupId }, () => here.log.lines.length > 0);
    await until(() => received.length === sent);
    expect(here.log.lines).toEqual(["warn ws.too_slow {}"]);
    reading.send("x");
    await until(() => received.length === sent + 1);
  });

  it("is cut when it does not take the close frame in time", async () => {
    const here = await scene({ ws: { limits: { closeTime: 50 } } });
    const slow = await open(here.url(here.bob.token));
    slow.socket.pause();
    await flood(here, () => here.log.lines.length > 0);
    await until(() => here.ws.size === 1);
    expect(here.log.lines).toEqual(["warn ws.too_slow {}"]);
  });

  it("is closed with 1013 for the answers to its own commands, too", async () => {
    const here = await scene({ ws: { limits: { outputWaiting: 200_000 } } });
    const raw = await openRawSocket(here.port, here.alice.token);
    raw.socket.pause();
    const command = clientFrame(1, JSON.stringify({ identifier: "y".repeat(100_000) }));
    await until(() => {
      if (raw.socket.writableLength < 1_000_000) raw.socket.write(command);
      return here.log.lines.length > 0;
    });
    expect(here.log.lines).toEqual(["warn ws.too_slow {}"]);
  });

  it("is closed with 1013 for the pongs that it asks for", async () => {
    const here = await scene({ ws: { limits: { outputWaiting: 100_000 } } });
    const raw = await openRawSocket(here.port, here.alice.token);
    raw.socket.pause();
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => clientFrame(9, Buffer.alloc(125))));
    await until(() => {
      if (raw.socket.writableLength < 1_000_000) raw.socket.write(pings);
      return here.log.lines.length > 0;
    });
    expect(here.log.lines).toEqual(["warn ws.too_slow {}"]);
  });

  it("is closed with 1013 where too much waits for all together, though not for it alone", async () => {
    const here = await scene({ ws: { limits: { outputWaitingTotal: 1_000_000 } } });
    const clients: Client[] = [];
    for (let count = 0; count < 4; count += 1) {
      const client = await open(here.url(here.bob.token));
      client.socket.pause();
      clients.push(client);
    }
    await flood(here, () => here.log.lines.length > 0);
    for (const client of clients) client.socket.resume();
    expect(await Promise.race(clients.map(({ closed }) => closed))).toBe(1013);
  });
});
