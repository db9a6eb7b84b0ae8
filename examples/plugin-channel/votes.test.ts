import { once } from "node:events";
import { createServer } from "node:http";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { expect, it, onTestFinished } from "vitest";
import { createVotes } from "./votes.ts";

async function start() {
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  const ws = createWs(telex, { channels: [createVotes()] });
  const http = createHttp(telex, { documents: { "/asyncapi.json": ws.asyncApi } });
  const server = createServer(http.node).on("upgrade", ws.handleUpgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await ws.close();
    server.close().closeAllConnections();
    await telex.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  const issue = async (scope: string) => {
    const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
    return (await telex.operator.tokens.issue(operator, { userId: id, scopes: [scope] })).token;
  };
  return { telex, ws, host: `127.0.0.1:${address.port}`, issue };
}

/** Connects, and collects the frames. */
async function connect(host: string, token: string) {
  const socket = new WebSocket(`ws://${host}/plugins/votes`, ["telex", `bearer.${token}`]);
  onTestFinished(() => socket.close());
  const frames: unknown[] = [];
  const closed = once(socket, "close");
  socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data))));
  await once(socket, "open");
  return {
    closed,
    send: (frame: object) => socket.send(JSON.stringify(frame)),
    async next(): Promise<unknown> {
      while (frames.length === 0) await once(socket, "message");
      return frames.shift();
    },
  };
}

it("takes votes, checks its input, and tells everybody", async () => {
  const { host, issue } = await start();
  const [alice, bob] = [await connect(host, await issue("chat")), await connect(host, await issue("chat"))];
  const tally = (yes: number, no: number) => ({ type: "Tally", code: 200, data: { yes, no } });
  expect([await alice.next(), await bob.next()]).toEqual([tally(0, 0), tally(0, 0)]);
  alice.send({ identifier: 1, command: "vote", vote: "yes" });
  expect([await alice.next(), await bob.next()]).toEqual([tally(1, 0), tally(1, 0)]);
  expect(await alice.next()).toEqual({
    type: "VoteResult",
    code: 200,
    identifier: 1,
    data: { yes: 1, no: 0 },
    msg: "success",
  });
  bob.send({ identifier: 2, command: "vote", vote: "perhaps" });
  expect(await bob.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: 2 });
});

it("admits only its scopes", async () => {
  const { host, issue } = await start();
  const stranger = await connect(host, await issue("device:printer"));
  stranger.send({ identifier: 1, command: "vote", vote: "yes" });
  expect(await stranger.next()).toEqual({ type: "LoginFail", code: 400, identifier: 1 });
});

it("is in the AsyncAPI document beside the channels of Telex, and refused under a path that is taken", async () => {
  const { host, telex } = await start();
  const response = await fetch(`http://${host}/asyncapi.json`);
  expect(await response.json()).toMatchObject({
    channels: { votes: { address: "/plugins/votes" }, rooms: {}, teleprinter: {}, chat: {} },
    operations: { "votes.vote": { action: "receive" }, "votes.Tally": { action: "send" } },
  });
  expect(() => createWs(telex, { channels: [createVotes(), createVotes()] })).toThrow(
    "Two channels have the name votes.",
  );
});
