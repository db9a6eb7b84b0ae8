import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createTelex, definePlugin, type MessageView, type TelexOptions } from "../src/index.ts";
import { createConnection, createKit } from "./kit.ts";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";

const options = (): TelexOptions => ({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
});

describe("two instances in one process", () => {
  it("do not see each other's users, tokens, messages or connections, and close apart", async () => {
    const [one, two] = [await createKit(), await createKit({ locale: "en", timeZone: "Asia/Shanghai" })];
    expect(await two.telex.authenticate(one.token)).toEqual({ kind: "anonymous" });
    const listener = createConnection(two.bob);
    await two.telex.listen(listener.connection, { echo: true, since: null }).ready;
    await one.telex.messages.send(one.alice, { groupId: one.room, groupType: 1, message: "to one" });
    await ticks();
    expect(listener.events).toEqual([]);
    await one.telex.close();
    await expect(one.telex.ai.quota(one.alice, {})).rejects.toMatchObject({ code: "shutting_down" });
    const { createTime } = await two.telex.messages.send(two.alice, {
      groupId: two.room,
      groupType: 1,
      message: "to two",
    });
    const { groupMessages } = await two.telex.messages.history(two.bob, { groupId: two.room, groupType: 1 });
    expect(groupMessages).toMatchObject([{ createTime, receiveTime: "2026-11-20T16:15:30.123+08:00" }]);
  });
});

describe("an instance", () => {
  it("closes once, however often it is asked to", async () => {
    const telex = await createTelex(options());
    await Promise.all([telex.close(), telex.close()]);
    await expect(telex.ready()).rejects.toMatchObject({ code: "shutting_down" });
  });

  it("refuses calls as soon as it closes, and keeps the storage open for transports that still write", async () => {
    const storage = createMemoryStorage();
    const telex = await createTelex({ ...options(), storage });
    const transports = Promise.withResolvers<void>();
    const closed = telex.close(transports.promise);
    await expect(telex.ready()).rejects.toMatchObject({ code: "shutting_down" });
    await ticks();
    await storage.probe();
    transports.reject(new Error("a socket that was cut"));
    await closed;
    await expect(storage.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("closes its storage, too, where a transport fails before the rest has ended", async () => {
    const storage = createMemoryStorage();
    const transports = Promise.withResolvers<void>();
    const slow = definePlugin({
      name: "slow",
      start: () =>
        Promise.resolve(async () => {
          transports.reject(new Error("a socket that was cut"));
          // An unhandled rejection would end the process in this tick.
          await ticks(1);
        }),
    });
    const telex = await createTelex({ ...options(), storage, plugins: [slow] });
    await telex.close(transports.promise);
    await expect(storage.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("closes although plug-ins do not end or fail, names them in the log, and ends the others", async () => {
    const storage = createMemoryStorage();
    const clock = createManualClock();
    const ended: string[] = [];
    const ending = (name: string, end: () => Promise<void>) =>
      definePlugin({ name, start: () => Promise.resolve(end) });
    const { telex, lines } = await createKit({
      storage,
      clock,
      plugins: [
        ending("first", async () => void ended.push("first")),
        ending("endless", () => new Promise(() => {})),
        ending("broken", () => Promise.reject(new Error("The socket is gone."))),
        ending("last", async () => void ended.push("last")),
      ],
    });
    telex.plug({ name: "endless, too", end: () => new Promise(() => {}) });
    const closing = telex.close();
    for (let second = 0; second < 9; second += 1) await clock.advance(1000);
    await closing;
    expect(ended).toEqual(["last", "first"]);
    expect(lines.flatMap((line) => /^\w+ plugin\..*\}/u.exec(line) ?? [])).toEqual([
      'warn plugin.close_late {"plugin":"endless, too"}',
      'error plugin.close_failed {"plugin":"broken"}',
      'warn plugin.close_late {"plugin":"endless"}',
    ]);
    await expect(storage.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("is refused a storage that lacks a part, two fillers of one port, and a zone that does not exist", async () => {
    const { messages: _, ...lacking } = createMemoryStorage();
    // @ts-expect-error -- a storage of plain JavaScript may lack a part
    await expect(createTelex({ ...options(), storage: lacking })).rejects.toThrow("The storage lacks: messages.");
    const tokens = { authenticate: () => Promise.resolve(null) };
    const plugins = [
      { name: "a", tokens },
      { name: "b", tokens },
    ];
    await expect(createTelex({ ...options(), plugins })).rejects.toThrow("More than one fills the port tokens: a, b.");
    await expect(createTelex({ ...options(), timeZone: "Mars/Olympus" })).rejects.toThrow(RangeError);
  });

  it("is refused an orphanAge in which an upload may still be in progress, and a name with a space", async () => {
    await expect(createTelex({ ...options(), limits: { orphanAge: 599_999 } })).rejects.toThrow(
      "limits.orphanAge must be at least 600000 (milliseconds), not 599999: a sweep would remove files that are being stored.",
    );
    await expect(createTelex({ ...options(), serverName: "b 2" })).rejects.toThrow(TypeError);
  });
});

describe("a plug-in", () => {
  it("hears what happens, starts and ends with its instance, and harms nobody when it fails", async () => {
    const heard: string[] = [];
    const plugin = definePlugin({
      name: "listener",
      on: {
        "message.created": (message: MessageView) => {
          heard.push(message.content);
          throw new Error("a fault of the plug-in");
        },
        "device.presence": ({ deviceId, online }) => void heard.push(`${deviceId} ${online}`),
      },
      start: () => {
        heard.push("start");
        return Promise.resolve(() => {
          heard.push("end");
          return Promise.resolve();
        });
      },
    });
    const { telex, alice, room, lines } = await createKit({ plugins: [plugin] });
    await telex.messages.send(alice, { groupId: room, groupType: 1, message: "hi" });
    await telex.teleprinter.register(alice, { deviceId: "d", name: "D" });
    await ticks();
    await telex.close();
    expect(heard).toEqual(["start", '[{"text":{"text":"hi"}}]', "d true", "end"]);
    expect(lines).toEqual([expect.stringMatching(/^error plugin\.listener_failed /)]);
  });

  it("can tell who holds a token", async () => {
    const tokens = {
      authenticate: (token: string) =>
        Promise.resolve(
          token === "mine"
            ? ({ kind: "token", userId: 1, scopes: ["chat"], tokenId: null, expiresAt: null } as const)
            : null,
        ),
    };
    const own = await createTelex({ ...options(), plugins: [{ name: "own identity", tokens }] });
    await own.operator.users.add({ kind: "operator" }, { nickname: "A" });
    expect(await own.users.userId(await own.authenticate("mine"), {})).toEqual({ id: 1 });
    expect(await own.authenticate("other")).toEqual({ kind: "anonymous" });
    await own.close();
  });
});
