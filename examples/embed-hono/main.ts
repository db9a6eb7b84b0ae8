import { once } from "node:events";
import { serve } from "@hono/node-server";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, mount } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { Hono } from "hono";

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
});
const http = createHttp(telex);
const ws = createWs(telex, { basePath: "/telex" });

const app = new Hono();
app.get("/", (c) => c.text("A page of the server itself.\n"));
app.mount("/telex", http.fetch);

const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000), hostname: "127.0.0.1" });
const mounted = mount(server, { telex, ws });
await once(server, "listening");

// A user to try it with. A server with its own users and tokens passes those: see own-users-table.
const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id] });
console.log({ address: server.address(), token, groupId });

process.once("SIGTERM", () => void mounted.close());
