import { createHttp, mount } from "@telex/http";
import { createWs } from "@telex/ws";
import Fastify from "fastify";
import { rateLimiter, telex, welcome } from "./telex.ts";

const http = createHttp(telex, { basePath: "/telex", rateLimiter });
const ws = createWs(telex, { basePath: "/telex", rateLimiter });

const fastify = Fastify();
fastify.get("/", () => "A page of your own.\n");
// A route would get the body in memory. The hook runs before Fastify reads it.
fastify.addHook("onRequest", async (request, reply) => {
  if (request.url.startsWith("/telex/")) http.node(request.raw, reply.hijack().raw);
});
const mounted = mount(fastify.server, { telex, ws });
await fastify.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });
await welcome(fastify.server);

process.once("SIGINT", () => void mounted.close());
process.once("SIGTERM", () => void mounted.close());
