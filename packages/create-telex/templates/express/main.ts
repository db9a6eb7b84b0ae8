import { once } from "node:events";
import { createHttp, mount } from "@telex/http";
import { createWs } from "@telex/ws";
import express from "express";
import { rateLimiter, telex, welcome } from "./telex.ts";

const http = createHttp(telex, { basePath: "/telex", rateLimiter });
const ws = createWs(telex, { basePath: "/telex", rateLimiter });

const app = express();
// Before body parsers: Telex reads its request bodies itself.
app.all("/telex/*path", http.node);
app.use(express.json());
app.get("/", (_req, res) => void res.send("A page of your own.\n"));

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
const mounted = mount(server, { telex, ws });
await once(server, "listening");
await welcome(server);

process.once("SIGINT", () => void mounted.close());
process.once("SIGTERM", () => void mounted.close());
