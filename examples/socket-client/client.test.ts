import { once } from "node:events";
import { createServer } from "node:http";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { expect, it, onTestFinished } from "vitest";
import { runPrinter } from "./printer.ts";
import { readRooms } from "./room.ts";

async function start() {
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  let ws = createWs(telex);
  const server = createServer().on("upgrade", (...upgrade) => void ws.handleUpgrade(...upgrade));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await ws.close();
    server.close();
    await telex.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  /** Ends all connections, and takes new ones. */
  const restart = async (): Promise<void> => {
    const before = ws;
    ws = createWs(telex);
    await before.close();
  };
  const stop = new AbortController();
  return { telex, id, token, url: `http://127.0.0.1:${address.port}`, restart, stop };
}

it("reads rooms over a restart of the server", async () => {
  const { telex, id, token, url, restart, stop } = await start();
  const { id: other } = await telex.operator.users.add(operator, { nickname: "Bob" });
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id, other] });
  const issued = await telex.operator.tokens.issue(operator, { userId: other, scopes: ["chat"] });
  const bob = await telex.authenticate(issued.token);
  const say = (message: string) => telex.messages.send(bob, { groupId, groupType: 1, message });
  await say("known");
  const lines: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const print = (line: string): void => {
    lines.push(line);
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  };
  const printed = (count: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ count, resolve });
      if (lines.length >= count) resolve();
    });
  const rooms = readRooms({ url, token, since: "1", signal: stop.signal, print });
  await say("one");
  await printed(1);
  await restart();
  await say("two");
  await printed(3);
  stop.abort();
  await rooms.ended;
  expect(lines).toEqual([
    'Bob: [{"text":{"text":"one"}}]',
    "Not connected: The connection ended with 1001.",
    'Bob: [{"text":{"text":"two"}}]',
    "Ended: Ended by its signal.",
  ]);
});

it("prints each text once, and says so", async () => {
  const { telex, token, url, restart, stop } = await start();
  const alice = await telex.authenticate(token);
  const deviceId = "printer";
  await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
  const ids: number[] = [];
  for (const content of ["one", "two", "three"]) {
    ids.push((await telex.teleprinter.send(alice, { deviceId, content })).id);
  }
  const paper: string[] = [];
  const done = Promise.withResolvers<void>();
  const printer = runPrinter({
    url,
    token,
    deviceId,
    signal: stop.signal,
    async print(text) {
      paper.push(text);
      if (text === "two") await restart();
      if (text === "three") done.resolve();
    },
  });
  await done.promise;
  stop.abort();
  await printer.ended;
  expect(paper).toEqual(["one", "two", "three"]);
  const sentences = ids.map((id) => `printed ${id}`);
  const { messages } = await telex.teleprinter.messages(alice, { deviceId, pageSize: 10 });
  const said = messages.filter(({ direction }) => direction === "from_device").map(({ content }) => content);
  expect(said.toReversed()).toEqual(sentences);
});
