import type { SegmentInput } from "@telex/core";
import type { ChannelEvent } from "@telex/ws/client";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { at, parse, textAt } from "test-support/json";
import { cleanEnvironment, folder, launcher } from "test-support/command";
import { anything, createApi, valueOf } from "./support/api.ts";
import { makeBytes } from "./support/files.ts";
import { addRoom, addUser } from "./support/new-world.ts";
import { paths } from "./support/paths.ts";
import { openSocket, type Socket } from "./support/socket.ts";
import { type Event, readTrace, runTraced, tracing, unsynced } from "./support/trace.ts";
import { createRandom } from "@telex/conformance/testing";
import { abilities } from "./support/abilities.ts";

/** An operation, and the beginning of its response. */
interface Traced {
  readonly name: string;
  readonly answer: RegExp;
  readonly run: () => Promise<unknown>;
  /** True if the response precedes the record, because the record contains the response. */
  readonly recordsAfter?: boolean;
}

const disks = [
  { disk: "a quick disk", options: [] },
  // Each sync of the log takes longer than on a fast disk, so that the threads of Node run it.
  { disk: "a slow disk", options: ["-e", "inject=fdatasync:delay_enter=8000"] },
];

/** Starts the server under strace. `stop` ends it and returns the trace. */
async function serveTraced(data: string, file: string, options: readonly string[] = []) {
  const args = [
    ...tracing(file),
    ...options,
    process.execPath,
    launcher,
    "serve",
    "--port",
    "0",
    "--json",
    "--data",
    data,
  ];
  const env = cleanEnvironment();
  const child = spawn("strace", [...args, "--rate-limits", "off"], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let pid = 0;
  onTestFinished(() => void (pid > 0 && child.exitCode === null && process.kill(pid, "SIGKILL")));
  createInterface(child.stderr).on("line", (line) => {
    if (line.includes("server.listening")) pid = Number(at(parse(line), "pid"));
  });
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
  return {
    url: textAt(parse(line), "url"),
    async stop(): Promise<readonly Event[]> {
      process.kill(pid, "SIGTERM");
      await ended;
      return readTrace(file);
    },
  };
}

/** Every kind of operation that stores something, in an order in which each can succeed. */
async function operationsOf(url: string, alice: string, bob: string, groupId: number): Promise<readonly Traced[]> {
  const api = createApi(url, alice);
  const anybody = createApi(url, null);
  const room = await openSocket({ url, token: alice, channel: "rooms" });
  const pushed: number[] = [];
  await openSocket({ url, token: bob, channel: "rooms" });
  let code = "";
  const bytes = createRandom(1);
  const image = makeBytes(bytes, true);
  const deviceId = "traced";
  const post = (path: string, fields: Record<string, string>) => async () =>
    valueOf(await api.post(path, { deviceId, ...fields }, anything), path);
  const poll = (fields: Record<string, number>) => async () =>
    valueOf(await api.get(paths.poll, { deviceId, ...fields }, anything), "poll");
  const say = (message: string | SegmentInput[]) => async () =>
    await room?.call("sendGroupMessage", { groupId, groupType: 1, message });
  const http = /HTTP\/1\.1 200 OK/;
  let device: Socket<"teleprinter"> | null = null;
  let fileId = "";
  return [
    { name: "register", answer: http, run: post(paths.register, { name: "n" }) },
    { name: "send", answer: http, run: post(paths.send, { content: "one" }) },
    { name: "sync", answer: http, run: post(paths.sync, { content: "two" }) },
    { name: "poll", answer: http, run: poll({}), recordsAfter: true },
    { name: "send again", answer: http, run: post(paths.send, { content: "three" }) },
    { name: "poll with ack", answer: http, run: poll({ ack: 3 }) },
    {
      name: "push to a device socket",
      answer: /TeleprinterMessage/,
      async run() {
        const told = Promise.withResolvers<unknown>();
        const query = { deviceId, ack: "1" };
        const onEvent = ({ data }: ChannelEvent<"teleprinter">): void => {
          pushed.push(Number(at(data, "id")));
          told.resolve(data);
        };
        device = await openSocket({ url, token: alice, channel: "teleprinter", query, onEvent });
        await Promise.all([post(paths.send, { content: "four" })(), told.promise]);
      },
    },
    { name: "ack", answer: /AckResult/, run: async () => await device?.call("ack", { id: pushed[0] ?? 0 }) },
    {
      name: "sync over the socket",
      answer: /SyncResult/,
      run: async () => await device?.call("sync", { content: "five" }),
    },
    { name: "sendGroupMessage", answer: /SendMessageResult/, run: say("hello") },
    { name: "mirror", answer: /GroupMessage/, run: say("hello again") },
    {
      name: "upload",
      answer: http,
      run: async () => (fileId = textAt(valueOf(await api.upload(paths.upload, image, anything), "upload"), "file_id")),
    },
    {
      name: "a message with an image",
      answer: /SendMessageResult/,
      run: async () => await say([{ type: "image", data: { file_id: fileId } }])(),
    },
    {
      name: "a message with a file",
      answer: /SendMessageResult/,
      run: async () => await say([{ type: "file", data: { file_id: fileId, name: "a" } }])(),
    },
    {
      name: "generateCode",
      answer: http,
      run: async () =>
        (code = String(valueOf(await anybody.get(paths.code, { storageId: "crash" }, anything), "code"))),
    },
    {
      name: "upload by code",
      answer: http,
      run: async () =>
        valueOf(await anybody.upload(`${paths.uploadByCode}/${code}`, makeBytes(bytes, true), anything), "by code"),
    },
    {
      name: "chat",
      answer: /event: ChatResult/,
      async run() {
        const headers = { authorization: `Bearer ${alice}`, "content-type": "application/json" };
        const response = await fetch(`${url}${paths.chat}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ content: "hello" }),
        });
        await response.text();
      },
    },
    { name: "unregister", answer: http, run: post(paths.unregister, {}) },
  ];
}

/** The events of the operation with this number, between two marking calls. */
function spanOf(events: readonly Event[], number: number): readonly [from: number, to: number] {
  const marked = (mark: string): number =>
    events.findIndex((event) => event.kind === "received" && event.text.includes(`mark=${mark}`));
  const begun = marked(`begin-${number}`);
  const answered = events.findIndex((event, index) => index > begun && event.kind === "answered");
  return [answered + 1, marked(`end-${number}`)];
}

const isChange = ({ kind }: Event): boolean => kind === "written";

/** The file of the audit log: its lines are in memory, too, so no response waits for it. */
const isLog = (path: string): boolean => path.endsWith("/audit.log");

/** The fault in the order of an operation's events, or null. */
function faultOf(
  events: readonly Event[],
  data: string,
  { name, answer, recordsAfter = false }: Traced,
  number: number,
): string | null {
  const [from, to] = spanOf(events, number);
  const answered = events.findIndex(
    (event, index) => index >= from && event.kind === "answered" && answer.test(event.text),
  );
  if (from === 0 || answered < 0 || answered > to) return `${name}: no answer in the trace`;
  const changes = recordsAfter ? events.slice(answered, to) : events.slice(from, answered);
  if (!changes.some(isChange)) return `${name}: nothing was written`;
  const left = unsynced(events, data, from, recordsAfter ? to : answered).filter((path) => !isLog(path));
  return left.length === 0 ? null : `${name}: not synced: ${left.join(", ")}`;
}

describe.each(abilities.strace)("as %s sees it", () => {
  it.each(disks)("each operation is on $disk before its answer leaves", async ({ options }) => {
    const base = await folder();
    const data = join(base, "new", "data");
    const file = join(base, "trace");
    const server = await serveTraced(data, file, options);
    const alice = await addUser(data, "alice");
    const bob = await addUser(data, "bob");
    const groupId = await addRoom(data, 1, [alice, bob]);
    const operations = await operationsOf(server.url, alice.token, bob.token, groupId);
    for (const [number, { run }] of operations.entries()) {
      await fetch(`${server.url}/healthz?mark=begin-${number}`);
      await run();
      // A mark after a response is written in a later tick, so a writing call waits for it.
      await fetch(`${server.url}${paths.code}`);
      await fetch(`${server.url}/healthz?mark=end-${number}`);
    }
    const events = await server.stop();
    const faults = operations.map((operation, number) => faultOf(events, data, operation, number));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  it("a new data folder has a durable name before anything is answered", async () => {
    const base = await folder();
    const server = await serveTraced(join(base, "new", "data"), join(base, "trace"));
    await fetch(`${server.url}/healthz`);
    const events = await server.stop();
    const answered = events.findIndex(({ kind }) => kind === "answered");
    expect(events.slice(0, answered).filter((event) => event.kind === "named" && event.path === base)).toHaveLength(1);
    expect(unsynced(events, base, 0, answered)).toEqual([]);
  });

  it.each([
    ["user", "add", "carol"],
    ["token", "issue", "--user", "1", "--scope", "chat"],
    ["token", "revoke", "1"],
    ["quota", "set", "--user", "1", "--unit", "count", "--max", "5", "--period", "daily"],
    ["group", "add", "--type", "1", "--name", "room", "--member", "1"],
  ])("telex %s %s prints what is on the disk", async (...args) => {
    const data = join(await folder(), "data");
    await addUser(data, "alice");
    const file = join(data, "..", "trace");
    await runTraced(file, process.execPath, [launcher, ...args, "--data", data, "--json"]);
    const events = readTrace(file);
    const answered = events.findIndex(({ kind }) => kind === "answered");
    expect(events.slice(0, answered).some(isChange)).toBe(true);
    expect(unsynced(events, data, 0, answered)).toEqual([]);
  });
});
