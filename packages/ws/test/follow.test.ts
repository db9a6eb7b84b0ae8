import { operator } from "@telex/core";
import { createManualClock, until } from "@telex/conformance/testing";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { WebSocket as PackageSocket } from "ws";
import {
  type ChannelEvent,
  type ClientSocket,
  followChannel,
  type FollowOptions,
  type FollowState,
  openChannel,
  type SocketError,
} from "../src/client/client.ts";
import { pauseAfter } from "../src/client/clock.ts";
import { layCable } from "./cable.ts";
import { startTelex } from "./harness.ts";

async function scene() {
  const running = await startTelex();
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  const url = `http://127.0.0.1:${running.port}`;
  return { ...running, alice, bob, url, groupId: await running.group([alice, bob]) };
}

/** Follows until the end of the test, and records the events. */
function follow<N extends "rooms" | "teleprinter" | "chat">(
  options: Pick<FollowOptions<N>, "url" | "token" | "channel"> & Partial<FollowOptions<N>>,
) {
  const states: FollowState[] = [];
  const events: ChannelEvent<N>[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const follower = followChannel<N>({
    random: () => 0,
    signal: stop.signal,
    onEvent: (event) => void events.push(event),
    onState: (state) => void states.push(state),
    ...options,
  });
  const isOpen = (): boolean => follower.state.kind === "open";
  return { follower, states, events, stop, isOpen, kinds: () => states.map(({ kind }) => kind) };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The remote end of a connection, played by the test. */
class FarEnd extends EventTarget {
  readonly sent: string[] = [];
  send(data: string): void {
    this.sent.push(data);
  }
  close(): void {
    this.end(1000);
  }
  say(frame: object): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(frame) }));
  }
  /** Opens, and answers requests, as a service does. */
  async begin(): Promise<void> {
    this.dispatchEvent(new Event("open"));
    await tick();
    this.say({ type: "OperationFailed", code: 500, identifier: "1", msg: "unknown" });
  }
  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

/** A follower; the test controls its service and its clock. */
function played(options: Partial<FollowOptions<"rooms">> = {}) {
  const clock = createManualClock();
  const ends: FarEnd[] = [];
  const connect = (): ClientSocket => {
    const end = new FarEnd();
    ends.push(end);
    return end;
  };
  const followed = follow({
    url: "http://telex.test",
    token: "t",
    channel: "rooms",
    connect,
    clock,
    random: () => 1,
    ...options,
  });
  const last = (): FarEnd => ends.at(-1) ?? new FarEnd();
  return { ...followed, clock, ends, last };
}

describe("the pauses of a followed channel", () => {
  it("double up to the longest, with full jitter", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((failures) => pauseAfter(failures, 1));
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(pauseAfter(3, 0)).toBe(0);
    expect(pauseAfter(3, 0.5)).toBe(2000);
    expect(pauseAfter(9, 1, { firstPause: 10, longestPause: 40 })).toBe(40);
  });

  it("grow with each failure, and begin again after a connection that lasted", async () => {
    const { clock, last, states, ends } = played();
    const pauses: number[] = [];
    for (const lasts of [0, 0, 0, 6000, 0]) {
      await last().begin();
      await tick();
      await clock.advance(lasts);
      last().end(1006);
      await tick();
      const state = states.at(-1);
      if (state?.kind !== "waiting" || state.until === null) throw new TypeError(state?.kind);
      const length = state.until - clock.now();
      pauses.push(length);
      const { length: before } = ends;
      await clock.advance(length - 1);
      await tick();
      expect(ends).toHaveLength(before);
      await clock.advance(1);
      await tick();
      expect(ends).toHaveLength(before + 1);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 1000, 2000]);
  });

  it("end with check, and do not end by themselves after drop", async () => {
    const { clock, last, ends, follower } = played();
    await last().begin();
    await tick();
    follower.drop();
    await tick();
    expect(follower.state).toMatchObject({ kind: "waiting", until: null });
    await clock.advance(600_000);
    await tick();
    expect(ends).toHaveLength(1);
    follower.check();
    await tick();
    expect(ends).toHaveLength(2);
    last().end(1006);
    await tick();
    follower.check();
    await tick();
    expect(ends).toHaveLength(3);
  });
});

describe("a connection that died without a word", () => {
  it("is given up when nothing was heard after a ping", async () => {
    const { clock, last, follower, states } = played();
    await last().begin();
    await tick();
    await clock.advance(30_000);
    expect(last().sent).toHaveLength(2);
    await clock.advance(9_999);
    last().say({ type: "GroupMessage", code: 200, data: { groupId: 1, messageId: 1 } });
    await clock.advance(1);
    await tick();
    expect(follower.state.kind).toBe("open");
    await clock.advance(10_000);
    await tick();
    expect(states.at(-1)).toMatchObject({ kind: "waiting", cause: { code: 1006 } });
  });

  it("is given up when it does not open", async () => {
    const { clock, kinds } = played();
    await clock.advance(10_000);
    await tick();
    expect(kinds()).toEqual(["connecting", "waiting"]);
  });

  it("is found out over a real connection, and replaced", async () => {
    const { telex, alice, bob, groupId, port } = await scene();
    const cable = await layCable(port);
    const clock = createManualClock();
    const { isOpen, events } = follow({
      url: cable.url,
      token: bob.token,
      channel: "rooms",
      query: { since: "1" },
      clock,
    });
    await until(isOpen);
    cable.freeze();
    const sender = await telex.authenticate(alice.token);
    await telex.messages.send(sender, { groupId, groupType: 1, message: "first" });
    await telex.messages.send(sender, { groupId, groupType: 1, message: "unheard" });
    await clock.advance(30_000);
    await clock.advance(10_000);
    await tick();
    await clock.advance(0);
    await until(() => events.length > 0);
    expect(cable.count).toBe(2);
    expect(events).toMatchObject([{ type: "GroupMessage", data: { messageId: 2 } }]);
  });
});

describe("a followed channel ends for good", () => {
  it("when its token is not valid, or is revoked", async () => {
    const { url, telex, alice } = await scene();
    const token = `tlxp_${"0".repeat(36)}`;
    const stranger = follow({ url, token, channel: "rooms" });
    const cause = await stranger.follower.ended;
    expect(cause).toMatchObject({ kind: "ended", code: 4401 });
    expect(String(cause.stack)).not.toContain(token);
    expect(stranger.kinds()).toEqual(["connecting", "closed"]);
    const { follower, isOpen } = follow({ url, token: alice.token, channel: "chat" });
    await until(isOpen);
    await telex.operator.tokens.revoke(operator, { token: String(alice.tokenId) });
    expect(await follower.ended).toMatchObject({ code: 4401 });
    const late = follower.call("stop", {});
    await expect(late).rejects.toMatchObject({ kind: "ended", code: 4401, isSent: false });
  });

  it("when the device is not registered, belongs to another user, or is connected elsewhere", async () => {
    const { url, telex, alice, bob } = await scene();
    const owner = await telex.authenticate(alice.token);
    await telex.teleprinter.register(owner, { deviceId: "printer", name: "Printer" });
    const device = (token: string, deviceId: string) =>
      follow({ url, token, channel: "teleprinter", query: { deviceId } });
    expect(await device(alice.token, "none").follower.ended).toMatchObject({ code: 4404 });
    expect(await device(bob.token, "printer").follower.ended).toMatchObject({ code: 4403 });
    const first = device(alice.token, "printer");
    await until(first.isOpen);
    const second = device(alice.token, "printer");
    expect(await second.follower.ended).toMatchObject({ code: 4409 });
    expect(first.follower.state.kind).toBe("open");
  });

  it("when onEvent throws, immediately or later", async () => {
    const failure = new Error("out of paper");
    const fails = [
      () => {
        throw failure;
      },
      () => Promise.reject(failure),
    ];
    for (const onEvent of fails) {
      const { last, follower } = played({ onEvent });
      await last().begin();
      await tick();
      last().say({ type: "GroupMessage", code: 200, data: { groupId: 1, messageId: 1 } });
      expect((await follower.ended).cause).toBe(failure);
    }
  });

  it("by its signal, once the event in use has been used, which is acknowledged", async () => {
    const { url, telex, alice } = await scene();
    const owner = await telex.authenticate(alice.token);
    const deviceId = "printer";
    await telex.teleprinter.register(owner, { deviceId, name: "Printer" });
    for (const content of ["one", "two"]) await telex.teleprinter.send(owner, { deviceId, content });
    const using = Promise.withResolvers<void>();
    const begun: string[] = [];
    const { follower, stop, isOpen } = follow({
      url,
      token: alice.token,
      channel: "teleprinter",
      query: { deviceId },
      async onEvent({ type, data }) {
        if (type === "TeleprinterMessage") begun.push(data.content);
        await using.promise;
      },
    });
    await until(() => begun.length > 0 && isOpen());
    stop.abort();
    await tick();
    expect(follower.state.kind).toBe("open");
    using.resolve();
    expect(await follower.ended).toMatchObject({ code: 1000 });
    const delivered = async () =>
      (await telex.teleprinter.messages(owner, { deviceId, pageSize: 10 })).messages.map((text) => text.delivered);
    while ((await delivered())[1] !== 1) await tick();
    expect(begun).toEqual(["one"]);
    expect(await delivered()).toEqual([0, 1]);
  });

  it("by a signal that is aborted already", async () => {
    const { follower } = played({ signal: AbortSignal.abort() });
    expect(await follower.ended).toMatchObject({ code: 1000 });
    expect(follower.state.kind).toBe("closed");
  });
});

describe("calls over a followed channel", () => {
  it("wait for the connection, fail if it ends before the result, and can be repeated with their nonce", async () => {
    const { url, bob, alice, groupId, sockets } = await scene();
    const mirror = follow({ url, token: bob.token, channel: "rooms" });
    await until(mirror.isOpen);
    const { follower } = follow({ url, token: alice.token, channel: "rooms" });
    const message = { groupId, groupType: 1, message: "once", nonce: "n-1" } as const;
    const createTime = await follower.call("sendGroupMessage", message);
    const cut = follower.call("sendGroupMessage", message);
    for (const socket of sockets) socket.destroy();
    await expect(cut).rejects.toMatchObject({ kind: "ended", code: 1006, isSent: true });
    expect(await follower.call("sendGroupMessage", message)).toBe(createTime);
    expect(mirror.events).toHaveLength(1);
  });

  it("can be repeated by the client until they have a result, or the following has ended", async () => {
    const { follower, last, clock, stop } = played();
    const message = { groupId: 1, groupType: 1, message: "once", nonce: "n-1" } as const;
    const answer = { type: "SendMessageResult", code: 200, data: 17 };
    const done = follower.callUntilDone("sendGroupMessage", message);
    await last().begin();
    await tick();
    last().end(1006);
    await tick();
    await clock.advance(1000);
    await tick();
    await last().begin();
    await tick();
    expect(last().sent.at(-1)).toContain('"nonce":"n-1"');
    last().say({ ...answer, identifier: "2" });
    expect(await done).toBe(17);
    const refused = follower.callUntilDone("sendGroupMessage", message);
    last().say({ type: "OperationFailed", code: 500, identifier: "3", msg: "no" });
    await expect(refused).rejects.toMatchObject({ kind: "refused", message: "no" });
    const never = follower.callUntilDone("sendGroupMessage", message);
    stop.abort();
    await expect(never).rejects.toMatchObject({ kind: "ended", code: 1000 });
  });

  it("are refused as busy above their bound, and as ended when nothing will send them", async () => {
    const { follower, stop } = played({ mostCalls: 2 });
    const call = () => follower.call("sendGroupMessage", { groupId: 1, groupType: 1, message: "a" });
    const waiting = Promise.allSettled([call(), call()]);
    await expect(call()).rejects.toMatchObject({ kind: "busy", isSent: false });
    stop.abort();
    expect(await waiting).toMatchObject([
      { status: "rejected", reason: { kind: "ended", isSent: false } },
      { status: "rejected", reason: { kind: "ended", isSent: false } },
    ]);
    await follower.ended;
  });

  it("are refused as busy on a connection, too", async () => {
    const { url, alice } = await scene();
    const chat = await openChannel({ url, token: alice.token, channel: "chat", mostCalls: 1 });
    const first = chat.call("stop", {});
    await expect(chat.call("stop", {})).rejects.toThrow("1 calls wait for their result already.");
    expect(await first).toEqual({ stopped: 0 });
    chat.close();
  });

  it("wait until onOpen has set the new connection up, and again after it failed", async () => {
    const { url, alice, sockets } = await scene();
    const opened: boolean[] = [];
    const { follower, isOpen } = follow({
      url,
      token: alice.token,
      channel: "chat",
      async onOpen(connection, isResumed) {
        opened.push(isResumed);
        if (opened.length === 1) throw new Error("not yet");
        await connection.call("setting", { systemPrompt: "Be brief." });
      },
    });
    expect(await follower.call("setting", { maxOutputTokens: 9 })).toMatchObject({
      systemPrompt: "Be brief.",
      maxOutputTokens: 9,
    });
    for (const socket of sockets) socket.destroy();
    await until(() => !isOpen());
    await until(isOpen);
    expect(opened).toEqual([false, false, false]);
  });
});

it("says whether a room was resumed, and closes a connection that is faster than its reader", async () => {
  const { url, telex, alice, bob, groupId, sockets } = await scene();
  const sender = await telex.authenticate(alice.token);
  const send = (message: string) => telex.messages.send(sender, { groupId, groupType: 1, message });
  const used: number[] = [];
  const gate = Promise.withResolvers<void>();
  const { states, kinds, isOpen } = follow({
    url,
    token: bob.token,
    channel: "rooms",
    mostUnread: 2,
    async onEvent({ type, data }) {
      await gate.promise;
      if (type === "GroupMessage") used.push(data.messageId);
    },
  });
  await until(isOpen);
  for (const text of ["1", "2", "3", "4", "5", "6"]) await send(text);
  await until(() => kinds().includes("waiting"));
  expect(states.at(-1)).toMatchObject({ kind: "waiting", until: null, cause: { message: /slower/ } });
  await until(() => sockets.size === 0);
  gate.resolve();
  await until(() => used.length === 6);
  expect(used).toEqual([1, 2, 3, 4, 5, 6]);
  await until(isOpen);
  const resumed = states.flatMap((state) => (state.kind === "open" ? [state.isResumed] : []));
  expect([resumed[0], resumed.at(-1)]).toEqual([false, true]);
});

it("takes another WebSocket, with headers, and puts a token that no subprotocol can hold into the address", async () => {
  const { url, alice } = await scene();
  const headers = { "x-from": "test" };
  const connect = (address: string, protocols: string[]) => new PackageSocket(address, protocols, { headers });
  const { isOpen } = follow({ url, token: alice.token, channel: "rooms", connect });
  await until(isOpen);
  const addresses: [string, string[]][] = [];
  const noted = (address: string, protocols: string[]) => {
    addresses.push([address, protocols]);
    return connect(address, protocols);
  };
  const stranger = follow({ url: `${url}/`, token: "a b/ü", channel: "rooms", connect: noted });
  expect(await stranger.follower.ended).toMatchObject({ code: 4401 });
  const path = "/external/api/v1/im/imWebSocket";
  expect(addresses).toEqual([[`${url.replace("http", "ws")}${path}/a%20b%2F%C3%BC`, []]]);
});

it("refuses an address that is none, in words without the token", () => {
  const start = (url: string) => () =>
    followChannel({ url, token: "secret word", channel: "rooms", onEvent: () => {} });
  for (const url of ["telex.example", "ftp://telex.example", "https://", "https://telex.example?token=1"]) {
    expect(start(url)).toThrow("The url must be the address of the service, such as https://telex.example.");
  }
});

it("knows every event and every command of a channel by its type", () => {
  const read = (event: ChannelEvent<"rooms">): number => {
    switch (event.type) {
      case "GroupMessage":
      case "GroupMessageEdited":
      case "GroupMessageReaction":
        return event.data.messageId;
      case "Gap":
        return event.data.until;
      case "Typing":
        return Number(event.data.userId);
      case "ReadMarker":
        return event.data.unread;
      case "GroupMessageRecalled":
        return event.data.messageId;
      case "GroupChanged":
        return event.data.change === "removed" ? event.data.groupId : event.data.memberCount;
    }
  };
  const watch = (event: ChannelEvent<"teleprinter">): string => {
    switch (event.type) {
      case "TeleprinterMessage":
      case "TeleprinterPresence":
      case "TeleprinterDelivered":
        return event.data.deviceId;
    }
  };
  expect([read, watch]).toHaveLength(2);
  expectTypeOf<ChannelEvent<"chat">>().toEqualTypeOf<never>();
  expectTypeOf<SocketError["kind"]>().toEqualTypeOf<"refused" | "ended" | "busy">();
  expectTypeOf<FollowState["kind"]>().toEqualTypeOf<"connecting" | "open" | "waiting" | "closed">();
});
