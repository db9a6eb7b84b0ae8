import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { reversePlugin } from "./model.ts";

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
  plugins: [reversePlugin],
});
const { url } = await serveHttp(createHttp(telex), { port: Number(process.env["PORT"] ?? 3000) });
const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
console.log({ url, token });
