import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, mount } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import Fastify from "fastify";

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
});
const http = createHttp(telex, { basePath: "/telex" });
const ws = createWs(telex, { basePath: "/telex" });

const fastify = Fastify();
const { server } = fastify;
fastify.get("/", () => "A page of the server itself.\n");
// Before Fastify reads the body: an upload must not be taken into memory.
fastify.addHook("onRequest", async (request, reply) => {
  if (request.url.startsWith("/telex/")) http.node(request.raw, reply.hijack().raw);
});
const mounted = mount(server, { telex, ws });
await fastify.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });

// A user to try it with. A server with its own users and tokens passes those: see own-users-table.
const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id] });
console.log({ address: server.address(), token, groupId });

process.once("SIGTERM", () => void mounted.close());
