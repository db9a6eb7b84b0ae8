import { createServer } from "node:http";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { createWebhookBot } from "./bot.ts";

const { plugin, events } = createWebhookBot(process.env["WEBHOOK"] ?? "http://127.0.0.1:4000/messages");

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
  plugins: [plugin],
});
const http = createHttp(telex);
const ws = createWs(telex);
const { url } = await serve({ telex, http, ws, port: Number(process.env["PORT"] ?? 3000) });

const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
const { groupId } = await telex.operator.groups.add(operator, {
  groupType: 0,
  name: "Out there",
  ext: "room-7",
  members: [id],
});

// Only the network may reach this port: what it posts is shown to people.
const hook = createServer(events).listen(Number(process.env["HOOK_PORT"] ?? 4001), "127.0.0.1", () => {
  const address = hook.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  console.log({ url, token, groupId, events: `http://127.0.0.1:${port}/` });
});
