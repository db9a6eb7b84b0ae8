import { once } from "node:events";
import { createServer } from "node:http";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, mount } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
});
const http = createHttp(telex, { basePath: "/telex" });
const ws = createWs(telex, { basePath: "/telex" });

const server = createServer((req, res) => {
  if (req.url?.startsWith("/telex/")) http.node(req, res);
  else res.end("A page of the server itself.\n");
});
const mounted = mount(server, { telex, ws });
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
await once(server, "listening");

// A user to try it with. A server with its own users and tokens passes those: see own-users-table.
const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id] });
console.log({ address: server.address(), token, groupId });

process.once("SIGTERM", () => void mounted.close());
