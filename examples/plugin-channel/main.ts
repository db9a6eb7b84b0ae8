import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { createVotes } from "./votes.ts";

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
});
const { routes, channel } = createVotes();
const ws = createWs(telex, { channels: [channel] });
const http = createHttp(telex, { routes, documents: { "/asyncapi.json": ws.asyncApi } });
const { url } = await serve({ telex, http, ws, port: Number(process.env["PORT"] ?? 3000) });

const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
console.log({ url, token });
