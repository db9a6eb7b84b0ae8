import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { webhookBot } from "./bot.ts";

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
  plugins: [webhookBot(process.env["WEBHOOK"] ?? "http://127.0.0.1:4000/messages")],
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
console.log({ url, token, groupId });
