import { once } from "node:events";
import { createServer } from "node:http";
import { createHttp, mount } from "@telex/http";
import { createWs } from "@telex/ws";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { rateLimiter, telex, welcome } from "./telex.ts";

// `mount` of h3 removes the prefix, so only the sockets have a base path.
const http = createHttp(telex, { rateLimiter });
const ws = createWs(telex, { basePath: "/telex", rateLimiter });

const app = new H3();
app.get("/", () => "A page of your own.\n");
app.mount("/telex", http.fetch);

const server = createServer(toNodeHandler(app));
const mounted = mount(server, { telex, ws });
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
await once(server, "listening");
await welcome(server);

process.once("SIGINT", () => void mounted.close());
process.once("SIGTERM", () => void mounted.close());
