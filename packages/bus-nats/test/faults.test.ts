import type { BusEvent, BusMember } from "@telex/core";
import { heldBuffers } from "@telex/conformance";
import { createLogCollector, until } from "@telex/conformance/testing";
import { type NatsServer, startNats } from "test-support/nats";
import { afterEach, describe, expect, it } from "vitest";
import { createNatsBus, type NatsBusOptions } from "../src/index.ts";

const running: NatsServer[] = [];
const joined: BusMember[] = [];

afterEach(async () => {
  for (const server of running) server.signal("SIGCONT");
  await Promise.all(joined.splice(0).map((member) => member.leave()));
  await Promise.all(running.splice(0).map((server) => server.kill()));
});

async function start(options?: Parameters<typeof startNats>[0]): Promise<NatsServer> {
  const server = await startNats(options);
  running.push(server);
  return server;
}

/** A server that follows the device `printer-1`. */
async function join(options: NatsBusOptions) {
  const received: BusEvent[] = [];
  const log = createLogCollector();
  const member = await createNatsBus({ ...options, log }).join((event) => received.push(event));
  joined.push(member);
  await member.follow("device:printer-1");
  return { member, received, log };
}

type Joined = Awaited<ReturnType<typeof join>>;

const wake: BusEvent = { kind: "device_wake", deviceId: "printer-1" };

/** Publishes repeatedly until the event arrives, because events are lost while a connection is down. */
async function reaches(from: Joined, to: Joined): Promise<boolean> {
  const before = to.received.length;
  await until(() => {
    from.member.publish(wake);
    return to.received.length > before;
  });
  return true;
}

const eventsOf = ({ log }: Joined): string[] => log.lines.map((line) => line.split(" ")[1] ?? "");

describe("a server on NATS", () => {
  it("moves to another node when its node is killed, with all that it follows", async () => {
    const first = await start();
    const others = [await start({ peer: first }), await start({ peer: first })];
    const servers = [first, ...others].map(({ url }) => url);
    const [one, two] = [await join({ servers: others.map(({ url }) => url) }), await join({ servers })];
    expect(await reaches(one, two)).toBe(true);
    await first.kill();
    expect(await reaches(one, two)).toBe(true);
    expect(await reaches(two, one)).toBe(true);
  });

  it("receives nothing that it does not follow", async () => {
    const { url } = await start();
    const [one, two, three] = [
      await join({ servers: [url] }),
      await join({ servers: [url] }),
      await join({ servers: [url] }),
    ];
    three.member.unfollow("device:printer-1");
    await three.member.follow("device:printer-2");
    expect(await reaches(one, two)).toBe(true);
    one.member.publish({ kind: "device_wake", deviceId: "printer-2" });
    await until(() => three.received.length > 0);
    expect(three.received).toEqual([{ kind: "device_wake", deviceId: "printer-2" }]);
  });

  it("continues after an event that cannot be received", async () => {
    const { url } = await start();
    const one = await join({ servers: [url] });
    const log = createLogCollector();
    const received: BusEvent[] = [];
    const member = await createNatsBus({ servers: [url], log }).join((event) => {
      received.push(event);
      if (received.length === 1) throw new TypeError("The event has no fields.");
    });
    joined.push(member);
    await member.follow("device:printer-1");
    expect(await reaches(one, { member, received, log })).toBe(true);
    expect(await reaches(one, { member, received, log })).toBe(true);
    expect(eventsOf({ member, received, log })).toEqual(["bus.connected", "bus.receive_failed"]);
  });

  it("reconnects after all of NATS was down, and logs how many events were lost", async () => {
    const nats = await start();
    const [one, two] = [await join({ servers: [nats.url] }), await join({ servers: [nats.url] })];
    await nats.kill();
    await until(() => eventsOf(one).includes("bus.disconnected"));
    one.member.publish(wake);
    await start({ port: nats.port });
    expect(await reaches(one, two)).toBe(true);
    const lost = one.log.lines.findLast((line) => line.includes("bus.connected"));
    expect(lost).toMatch(/"lost":[1-9]/);
  });

  it("starts without NATS, and connects when it is available", async () => {
    const nats = await start();
    await nats.kill();
    const [one, two] = await Promise.all([join({ servers: [nats.url] }), join({ servers: [nats.url] })]);
    expect(eventsOf(one)).toEqual(["bus.connect_failed"]);
    await start({ port: nats.port });
    expect(await reaches(one, two)).toBe(true);
  });

  it("loses events instead of waiting while NATS accepts none, and continues afterwards", async () => {
    const nats = await start();
    const [one, two] = [await join({ servers: [nats.url] }), await join({ servers: [nats.url] })];
    nats.signal("SIGSTOP");
    const record = {
      id: 1,
      groupId: 1,
      seq: 1,
      userId: "1",
      external: false,
      type: 0 as const,
      content: "x".repeat(500_000),
    };
    const names = {
      pinyin: "",
      nickname: "",
      nicknamePinyin: "",
      createTime: 1,
      receiveTime: 1,
      botMessageId: null,
      notice: null,
      mentions: null,
      extras: null,
      changed: 0,
    };
    const before = heldBuffers();
    for (let count = 0; count < 400; count += 1)
      one.member.publish({ kind: "message", record: { ...record, ...names } });
    expect(heldBuffers() - before).toBeLessThan(100 * 2 ** 20);
    nats.signal("SIGCONT");
    expect(await reaches(one, two)).toBe(true);
  });

  it("loses an event that is too large for NATS", async () => {
    const { url } = await start();
    const [one, two] = [await join({ servers: [url] }), await join({ servers: [url] })];
    const userIds = Array.from({ length: 400_000 }, (_, index) => 1_000_000 + index);
    one.member.publish({ kind: "room_presence_state", server: "one", version: 1, userIds });
    expect(await reaches(one, two)).toBe(true);
    expect(two.received).not.toContainEqual(expect.objectContaining({ kind: "room_presence_state" }));
  });

  it("leaves while NATS is down", async () => {
    const nats = await start();
    const one = await join({ servers: [nats.url] });
    await nats.kill();
    await one.member.leave();
    one.member.publish(wake);
    expect(eventsOf(one)).toEqual(["bus.connected", "bus.disconnected"]);
  });
});

describe("a server that NATS refuses", () => {
  it("does not start, and gives the reason", async () => {
    const { port } = await start({ args: ["--user", "telex", "--pass", "secret"] });
    const refused = (address: string) => createNatsBus({ servers: [address] }).join(() => {});
    await expect(refused(`nats://127.0.0.1:${port}`)).rejects.toThrow("NATS refused the connection: Authorization");
    await expect(refused(`nats://telex:wrong@127.0.0.1:${port}`)).rejects.toThrow("NATS refused the connection");
    await expect(refused(`tls://telex:secret@127.0.0.1:${port}`)).rejects.toThrow("does not support 'tls'");
  });

  it("starts with the user and password of its address", async () => {
    const { port } = await start({ args: ["--user", "telex", "--pass", "s/cr@t"] });
    const servers = [`nats://telex:s%2Fcr%40t@127.0.0.1:${port}`];
    const [one, two] = [await join({ servers }), await join({ servers })];
    expect(await reaches(one, two)).toBe(true);
  });

  it("names the option that is wrong", () => {
    expect(() => createNatsBus({ servers: ["http://127.0.0.1"] })).toThrow('The option "servers" of createNatsBus');
    expect(() => createNatsBus({ servers: [] })).toThrow('The option "servers" of createNatsBus');
    expect(() => createNatsBus({ servers: ["nats://a"], installation: "a.b" })).toThrow('The option "installation"');
  });
});
