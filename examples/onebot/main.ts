import { createMemoryBlobs } from "@telex/blobs/memory";
import { createOneBot } from "@telex/bot-onebot";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";

const oneBot = createOneBot({
  accounts: [{ account: "main", token: process.env["BOT_TOKEN"] ?? "a-secret-of-your-own", isOfficial: true }],
});
const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
  plugins: [oneBot.plugin],
});
const http = createHttp(telex);
const ws = createWs(telex);
const { url } = await serve({ telex, http, ws: [ws, oneBot], port: Number(process.env["PORT"] ?? 3000) });

const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
const { groupId } = await telex.operator.groups.add(operator, {
  groupType: 0,
  name: "Tea friends",
  ext: "20001",
  members: [id],
});
console.log({ url, token, groupId });
