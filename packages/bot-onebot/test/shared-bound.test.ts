import { createMemoryBlobs } from "@telex/blobs/memory";
import { operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createScene, until } from "@telex/conformance/testing";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createOneBotImplementation } from "../src/implementation/index.ts";
import { createOneBot } from "../src/index.ts";
import { account } from "./setup.ts";

const bound = 256 * 2 ** 20;

/** A server that takes bots and frameworks, with the tokens of one of each. */
async function startServer() {
  const oneBot = createOneBot({ accounts: [account] });
  const { incoming } = oneBot;
  const implementation = createOneBotImplementation({ baseUrl: "http://127.0.0.1", incoming });
  const plugins = [oneBot.plugin, implementation.plugin];
  const scene = await createScene({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    plugins,
  });
  const { telex } = scene;
  const serving = await serve({ telex, http: createHttp(telex), ws: [oneBot, implementation], port: 0 });
  onTestFinished(() => serving.close(0));
  const user = await scene.person("Bot");
  await telex.operator.users.amend(operator, { id: user.id, oneBot: {} });
  const at = serving.url.replace("http", "ws");
  return {
    incoming,
    places: {
      "a bot": { address: `${at}/onebot/v11/ws`, token: "secret" },
      "a framework": { address: `${at}/external/api/v1/onebot/v11`, token: user.token },
    },
  };
}

describe.each(["a bot", "a framework"] as const)("an unfinished frame of %s", (who) => {
  it("counts for the one bound of all connections", async () => {
    const { incoming, places } = await startServer();
    const { address, token } = places[who];
    let isCut = false;
    const fullest = incoming.open({ pause() {}, resume() {}, tooMuch: () => (isCut = true) });
    fullest.came(bound - 10_000);
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    expect(isCut).toBe(false);
    socket.send("x".repeat(20_000), { fin: false });
    await until(() => isCut);
  });
});
