import { once } from "node:events";
import { createServer } from "node:http";
import { createHttp, mount } from "@telex/http";
import { createWs } from "@telex/ws";
// The output of `nuxt build`: the pages, as a handler of a Node server.
import { listener } from "./.output/server/index.mjs";
import { rateLimiter, telex, welcome } from "./telex.ts";

const http = createHttp(telex, { basePath: "/telex", rateLimiter });
const ws = createWs(telex, { basePath: "/telex", rateLimiter });

const server = createServer((req, res) => {
  if (req.url?.startsWith("/telex/")) http.node(req, res);
  else listener(req, res);
});
const mounted = mount(server, { telex, ws });
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
await once(server, "listening");
await welcome(server);

process.once("SIGINT", () => void mounted.close());
process.once("SIGTERM", () => void mounted.close());
