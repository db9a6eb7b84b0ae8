import { once } from "node:events";
import { createServer } from "node:http";
import { createHttp, mount } from "@telex/http";
import { createWs } from "@telex/ws";
import next from "next";
import { rateLimiter, telex, welcome } from "./telex.ts";

const http = createHttp(telex, { basePath: "/telex", rateLimiter });
const ws = createWs(telex, { basePath: "/telex", rateLimiter });

const server = createServer();
// Next gets the server, because it has sockets of its own during development.
const app = next({ dev: process.env.NODE_ENV !== "production", httpServer: server });
const pages = app.getRequestHandler();
await app.prepare();
server.on("request", (req, res) => {
  if (req.url?.startsWith("/telex/")) http.node(req, res);
  else void pages(req, res);
});
const mounted = mount(server, { telex, ws });
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
await once(server, "listening");
await welcome(server);

const stop = async () => {
  await mounted.close();
  await app.close();
};
process.once("SIGINT", () => void stop());
process.once("SIGTERM", () => void stop());
