import { type ChatModel, echoModel, type Gateway, type Plugin, type Storage } from "@telex/core";
import { createMemoryNetwork, ticks } from "@telex/conformance/testing";
import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { type Client, type Frame, messageOf, open, type Running, startTelex, textOf, textTo } from "./harness.ts";

/** The delay of each call of a dependency, in ticks; the list repeats. */
type Delays = readonly number[];

/** Fails and delays calls as the test says. Assigns ids in the order of the calls, as the contract of stores requires. */
function unreliable(delays: Delays): (storage: Storage) => Storage {
  let calls = 0;
  const late = async <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    await ticks(delays[calls % delays.length] ?? 0);
    return await run();
  };
  return (storage) => ({
    ...storage,
    users: { ...storage.users, findUserByExt: (ext) => late(() => storage.users.findUserByExt(ext)) },
    bucket: { ...storage.bucket, findUploads: (...given) => late(() => storage.bucket.findUploads(...given)) },
    messages: {
      ...storage.messages,
      findMessage: (groupId, id) =>
        late(() => (id === 666 ? Promise.reject(new Error("lost")) : storage.messages.findMessage(groupId, id))),
      append(append) {
        if (append.message.content.includes("unstorable")) return late(() => Promise.reject(new Error("broken")));
        const appended = storage.messages.append(append);
        return late(() => appended);
      },
    },
    teleprinter: {
      ...storage.teleprinter,
      append(append) {
        const appended = storage.teleprinter.append(append);
        return late(() => appended);
      },
    },
  });
}

const text = (value: string) => ({ type: "text", data: { text: value } });

/** A command without its room and its identifier. */
const contents = {
  plain: (label: string) => label,
  mention: (label: string) => [text(label), { type: "at", data: { ext: "42" } }],
  quote: (label: string, room: number) => [text(label), { type: "reply", data: { messageId: room + 1 } }],
  unreadable: (label: string) => [text(label), { type: "reply", data: { messageId: 666 } }],
  unstorable: (label: string) => `${label} unstorable`,
  foreign: (label: string) => [text(label), { type: "image", data: { file_id: "0".repeat(32) } }],
  empty: () => [],
} as const;

type Kind = keyof typeof contents;

interface Step {
  readonly kind: Kind | "unknown" | "broken";
  readonly room: 0 | 1;
  readonly nonce: "a" | "b" | null;
  /** Steps with the same label send the same text. */
  readonly label: string;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step["kind"][]>(
      "plain",
      "plain",
      "mention",
      "quote",
      "unreadable",
      "unstorable",
      "foreign",
      "empty",
      "unknown",
      "broken",
    ),
    room: fc.constantFrom(0 as const, 1 as const),
    nonce: fc.constantFrom("a" as const, "b" as const, null),
    label: fc.constantFrom("x", "y", "z"),
  }),
  { minLength: 1, maxLength: 40 },
);

const delays = fc.array(fc.nat(3), { minLength: 1, maxLength: 7 });

function frameOf({ kind, room, nonce, label }: Step, identifier: number, rooms: readonly number[]): string {
  if (kind === "broken") return "{";
  if (kind === "unknown") return JSON.stringify({ identifier, command: "nothing" });
  const message = contents[kind](`${label}${nonce === null ? identifier : ""}`, room);
  return JSON.stringify({
    identifier,
    command: "sendGroupMessage",
    groupId: rooms[room],
    groupType: 1,
    message,
    ...(nonce !== null && { nonce }),
  });
}

/** A result without the values that differ between two runs: times, and the number of an incident. */
const told = ({ type, code, identifier, msg }: Frame) => ({
  type,
  code,
  identifier,
  msg: msg?.replaceAll(/[0-9a-f]{8,}/g, "…"),
});

/** Sends all commands. With `serially`, waits for each result before the next command. */
async function ask(client: Client, frames: readonly string[], serially: boolean) {
  const results: Frame[] = [];
  if (!serially) for (const frame of frames) client.send(frame);
  for (const frame of frames) {
    if (serially) client.send(frame);
    results.push(await client.next());
  }
  return results.map(told);
}

async function roomsOf(running: Running) {
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  const rooms = [await running.group([alice, bob]), await running.group([alice, bob])];
  const [sender, reader] = [await open(running.url(alice.token)), await open(running.url(bob.token))];
  // The quoted messages: message 1 of the first room, message 2 of the second.
  for (const groupId of rooms) {
    sender.send(textTo(groupId, "first"));
    await sender.next();
    await reader.next();
  }
  return { rooms, sender, reader };
}

/** The stored messages, and those that a member received, by room. */
async function sendAll(asked: readonly Step[], options: { readonly delays: Delays; readonly serially: boolean }) {
  const running = await startTelex({ wrap: unreliable(options.delays) });
  const { rooms, sender, reader } = await roomsOf(running);
  const frames = asked.map((step, index) => frameOf(step, index, rooms));
  const results = await ask(sender, frames, options.serially);
  sender.send(textTo(rooms[0] ?? 0, "end"));
  await sender.next();
  const mirrored = new Map<number, string[]>(rooms.map((groupId) => [groupId, []]));
  for (let frame = await reader.next(); textOf(frame) !== "end"; frame = await reader.next()) {
    mirrored.get(messageOf(frame).groupId)?.push(textOf(frame));
  }
  return { results, mirrored: [...mirrored.values()] };
}

interface DeviceStep {
  readonly command: "sync" | "heartbeat" | "offline" | "nothing";
  readonly nonce: "a" | "b" | null;
  readonly content: "x" | "y" | "";
}

const deviceSteps: fc.Arbitrary<readonly DeviceStep[]> = fc.array(
  fc.record({
    command: fc.constantFrom<DeviceStep["command"][]>("sync", "sync", "sync", "heartbeat", "offline", "nothing"),
    nonce: fc.constantFrom("a" as const, "b" as const, null),
    content: fc.constantFrom<DeviceStep["content"][]>("x", "y", "x", "y", ""),
  }),
  { minLength: 1, maxLength: 40 },
);

const deviceId = "printer-1";

/** The responses to a device, its history afterwards, and whether it is online. */
async function syncAll(asked: readonly DeviceStep[], options: { readonly delays: Delays; readonly serially: boolean }) {
  const { telex, user, port } = await startTelex({ wrap: unreliable(options.delays) });
  const { token } = await user("Alice");
  const caller = await telex.authenticate(token);
  await telex.teleprinter.register(caller, { deviceId, name: "Printer" });
  const path = "/external/api/v1/teleprinter/webSocket";
  const device = await open(`ws://127.0.0.1:${port}${path}/${token}?deviceId=${deviceId}`);
  const frames = asked.map(({ command, nonce, content }, identifier) =>
    JSON.stringify({
      identifier,
      command,
      content: `${content}${content && !nonce ? identifier : ""}`,
      ...(nonce && { nonce }),
    }),
  );
  const results = await ask(device, frames, options.serially);
  const { messages } = await telex.teleprinter.messages(caller, { deviceId, pageSize: 100 });
  const devices = await telex.teleprinter.devices(caller, {});
  return { results, history: messages.map(({ content }) => content), online: devices.map(({ online }) => online) };
}

describe("many commands of one connection in progress", () => {
  it("mean what they mean one at a time, whatever their dependencies delay and fail", async () => {
    await fc.assert(
      fc.asyncProperty(steps, delays, async (asked, late) => {
        const serial = await sendAll(asked, { delays: [0], serially: true });
        const together = await sendAll(asked, { delays: late, serially: false });
        expect(together).toEqual(serial);
      }),
      { numRuns: 20 },
    );
  });

  it("mean what they mean one at a time on a device feed", async () => {
    await fc.assert(
      fc.asyncProperty(deviceSteps, delays, async (asked, late) => {
        const serial = await syncAll(asked, { delays: [0], serially: true });
        const together = await syncAll(asked, { delays: late, serially: false });
        expect(together).toEqual(serial);
      }),
      { numRuns: 20 },
    );
  });

  it("do not hold up another connection: its message is stored before what waits", async () => {
    const order: string[] = [];
    const wrap = (storage: Storage): Storage => ({
      ...storage,
      messages: {
        ...storage.messages,
        async append(append) {
          order.push(append.message.nickname);
          // The duration of a group commit.
          await ticks(1);
          return await storage.messages.append(append);
        },
      },
    });
    const running = await startTelex({ wrap });
    const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
    const groupId = await running.group([alice, bob]);
    const [flooding, single] = [await open(running.url(alice.token)), await open(running.url(bob.token))];
    for (let identifier = 0; identifier < 2000; identifier += 1) flooding.send(textTo(groupId, "x", identifier));
    await flooding.next();
    const before = order.length;
    single.send(textTo(groupId, "y", "single"));
    for (let frame = await single.next(); frame.identifier !== "single"; frame = await single.next());
    // Those in progress, and those that began while the frame was in transit.
    expect(order.indexOf("Bob") - before).toBeLessThan(4 * 64);
    for (let answered = 1; answered < 2000; answered += 1) await flooding.next();
  });

  it("in a room of an external network are answered when its bot is done, and delay no other room", async () => {
    const goOn = Promise.withResolvers<void>();
    const { gateway } = createMemoryNetwork();
    const slow: Gateway = {
      ...gateway,
      async send() {
        await goOn.promise;
        return { outcome: "offline" };
      },
    };
    const running = await startTelex({ plugins: [{ name: "slow", gateways: [slow] }] });
    const alice = await running.user("Alice");
    const [external, own] = [await running.group([alice], 0), await running.group([alice])];
    const client = await open(running.url(alice.token));
    client.send({ ...textTo(external, "x", 1), groupType: 0 });
    client.send(textTo(own, "x", 2));
    expect(await client.next()).toMatchObject({ identifier: 2, code: 200 });
    goOn.resolve();
    expect(await client.next()).toMatchObject({ type: "SendMessageResult", code: 300 });
  });
});

describe("many commands of one AI connection in progress", () => {
  async function stage(model: ChatModel) {
    const plugins: readonly Plugin[] = [{ name: "models", models: new Map([["model", model]]) }];
    const { user, port } = await startTelex({ plugins });
    const { token } = await user("Alice");
    return await open(`ws://127.0.0.1:${port}/external/api/v1/sseStream/webSocket/${token}`);
  }

  it("ask under the settings that were made before them", async () => {
    const asked: unknown[] = [];
    const client = await stage({
      ...echoModel,
      reply(question) {
        asked.push(question.messages.map(({ content }) => content));
        return echoModel.reply(question);
      },
    });
    for (const name of ["first", "second"]) {
      client.send({ identifier: `set ${name}`, command: "setting", systemPrompt: name });
      client.send({ identifier: name, command: "chat", content: "hello" });
    }
    const ended = new Set<unknown>();
    while (ended.size < 2) {
      const { type, identifier } = await client.next();
      if (type === "ChatResult") ended.add(identifier);
    }
    expect(asked).toEqual([
      ["first", "hello"],
      ["second", "hello"],
    ]);
  });

  it("stop the replies that were asked for before, also one that has not begun", async () => {
    const client = await stage({
      ...echoModel,
      async *reply(request) {
        const { signal } = request;
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener("abort", () => resolve());
        });
        signal.throwIfAborted();
        yield* echoModel.reply(request);
      },
    });
    client.send({ identifier: "chat", command: "chat", content: "hello" });
    client.send({ identifier: "stop", command: "stop" });
    const frames = [await client.next(), await client.next()];
    expect(frames.find(({ identifier }) => identifier === "stop")).toMatchObject({ data: { stopped: 1 } });
    expect(frames.find(({ identifier }) => identifier === "chat")).toMatchObject({ data: { finishReason: "stopped" } });
  });
});
