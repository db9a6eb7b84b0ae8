import { once } from "node:events";
import { serve } from "@hono/node-server";
import { createHttp, mount } from "@telex/http";
import { createWs } from "@telex/ws";
import { Hono } from "hono";
import { rateLimiter, telex, welcome } from "./telex.ts";

// `mount` of Hono removes the prefix, so only the sockets have a base path.
const http = createHttp(telex, { rateLimiter });
const ws = createWs(telex, { basePath: "/telex", rateLimiter });

const app = new Hono();
app.get("/", (c) => c.text("A page of your own.\n"));
app.mount("/telex", http.fetch);

const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000), hostname: "127.0.0.1" });
const mounted = mount(server, { telex, ws });
await once(server, "listening");
await welcome(server);

process.once("SIGINT", () => void mounted.close());
process.once("SIGTERM", () => void mounted.close());
