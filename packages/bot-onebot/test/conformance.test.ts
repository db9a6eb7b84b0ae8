import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { gatewayConformance, type GatewaySubject } from "@telex/conformance";
import { describe, it } from "vitest";
import { WebSocketServer } from "ws";
import { createOneBot } from "../src/index.ts";
import { createImplementation, type Implementation } from "../src/testing/index.ts";

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0;

const subjectOf = (
  { plugin }: ReturnType<typeof createOneBot>,
  bot: Implementation,
  connect: () => Promise<unknown>,
  destroy: () => void,
): GatewaySubject => {
  const [gateway] = plugin.gateways ?? [];
  if (gateway === undefined) throw new TypeError("The plug-in has no gateway.");
  return {
    // The implementation connects when it finds Telex there.
    gateway: {
      ...gateway,
      async start(inbox, holds) {
        await gateway.start(inbox, holds);
        await connect();
      },
    },
    account: "bot-1",
    groupType: 4,
    room: { kind: "group", ext: "500" },
    async say(text) {
      bot.say(text);
    },
    async repeat() {
      bot.repeat();
    },
    received: async () => bot.texts(),
    async behave(mood) {
      bot.behave(mood);
    },
    async destroy() {
      bot.end();
      await gateway.close();
      destroy();
    },
  };
};

const account = { account: "bot-1", token: "secret", minInterval: 0 };

async function createReverseSubject(version: 11 | 12): Promise<GatewaySubject> {
  const oneBot = createOneBot({ accounts: [account] });
  const server = createServer().on("upgrade", oneBot.handleUpgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bot = createImplementation(version);
  const url = `ws://127.0.0.1:${portOf(server.address())}/onebot/v${version}/ws`;
  return subjectOf(
    oneBot,
    bot,
    () => bot.connect(url, { token: "secret" }),
    () => server.close(),
  );
}

async function createForwardSubject(version: 11 | 12): Promise<GatewaySubject> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const bot = createImplementation(version);
  server.on("connection", (socket) => bot.adopt(socket));
  const connect = `ws://127.0.0.1:${portOf(server.address())}/`;
  const oneBot = createOneBot({ accounts: [{ ...account, connect, protocol: version }] });
  return subjectOf(
    oneBot,
    bot,
    async () => {},
    () => server.close(),
  );
}

async function createHttpSubject(version: 11 | 12): Promise<GatewaySubject> {
  const bot = createImplementation(version);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const events = `http://127.0.0.1:${portOf(server.address())}/onebot/v${version}/webhook/bot-1`;
  const connect = await bot.listen({ token: "secret", events });
  const oneBot = createOneBot({ accounts: [{ ...account, connect }] });
  server.on("request", (request, response) => void (oneBot.handleRequest(request, response) || response.end()));
  return subjectOf(
    oneBot,
    bot,
    async () => {},
    () => server.close(),
  );
}

describe.each([11, 12] as const)("OneBot %i", (version) => {
  describe("over reverse WebSocket", () => {
    gatewayConformance({ test: it, create: () => createReverseSubject(version) });
  });
  describe("over forward WebSocket", () => {
    gatewayConformance({ test: it, create: () => createForwardSubject(version) });
  });
  describe("over HTTP and webhook", () => {
    gatewayConformance({ test: it, create: () => createHttpSubject(version) });
  });
});
