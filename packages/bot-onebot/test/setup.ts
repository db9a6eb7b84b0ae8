import { createMemoryBlobs } from "@telex/blobs/memory";
import type { Plugin, SegmentInput } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createScene } from "@telex/conformance/testing";
import type { Storage } from "@telex/core/storage";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { onTestFinished } from "vitest";
import { createOneBot, type OneBotAccount, type OneBotOptions } from "../src/index.ts";

type Channels = Extract<Parameters<typeof serve>[0]["ws"], readonly unknown[]>;

export const account: OneBotAccount = { account: "bot-1", token: "secret", minInterval: 0 };

/** The time that `vi.waitUntil` gives to frames of a socket: a busy machine is slow, not wrong. */
export const patience = { timeout: 30_000, interval: 10 };

/** A server on a free port with these connections, which closes when the test ends. Without other options it is in memory. */
export async function serveScene(channels: Channels, options: Partial<Parameters<typeof createScene>[0]> = {}) {
  const [storage, blobs, images] = [createMemoryStorage(), createMemoryBlobs(), createSharpEngine()];
  const scene = await createScene({ storage, blobs, images, ...options });
  const { telex } = scene;
  const serving = await serve({ telex, http: createHttp(telex), ws: [createWs(telex), ...channels], port: 0 });
  onTestFinished(() => serving.close(0));
  const { url, close } = serving;
  return { ...scene, serving, url, close };
}

/** A server with a room of the network's group 500, and Alice in it. */
export async function start(
  options: Partial<OneBotOptions> = {},
  storage: Storage = createMemoryStorage(),
  plugins: readonly Plugin[] = [],
  instance: Parameters<typeof serveScene>[1] = {},
) {
  const oneBot = createOneBot({ accounts: [account], ...options });
  const scene = await serveScene([oneBot], { ...instance, storage, plugins: [oneBot.plugin, ...plugins] });
  const { telex, url } = scene;
  const alice = await scene.person("Alice");
  const network = { groupType: 4, ext: "500", bot: "bot-1" } as const;
  // Another server on this storage may have added it.
  const known = await storage.groups.findGroupByExt(network);
  const groupId = known?.groupId ?? (await scene.room([alice], network));
  const [gateway] = oneBot.plugin.gateways ?? [];
  return {
    ...scene,
    oneBot,
    /** Where implementations connect. */
    at: (path = "/onebot/v11/ws") => `${url.replace("http", "ws")}${path}`,
    alice,
    groupId,
    /** The state of an account as rooms see it. */
    find: (name = "bot-1") => gateway?.findAccount(name) ?? null,
    /** Alice says something in the room. */
    say: async (message: string | SegmentInput[]) =>
      telex.messages.send(await scene.caller(alice), { groupId, groupType: 4, message }),
  };
}
