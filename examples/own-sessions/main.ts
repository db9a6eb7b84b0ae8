import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, mount } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { createSessionAuthenticator, type SessionTable } from "./sessions.ts";

// The host's own table. With Auth.js it is the one of its adapter.
const table = new Map<string, { readonly userId: number; readonly expires: Date }>();
const sessions: SessionTable = {
  async find(sessionToken) {
    const row = table.get(sessionToken);
    return await Promise.resolve(row === undefined ? null : { sessionToken, ...row });
  },
};

const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
});
const authenticator = createSessionAuthenticator(sessions, () => origin);
const http = createHttp(telex, { authenticator });
const ws = createWs(telex, { authenticator });
const { id: userId } = await telex.operator.users.add(operator, { nickname: "alice" });

/** The host's own sign-in, which asks for a password in earnest. */
function signIn({ url }: IncomingMessage, response: ServerResponse): void {
  const life = Number(new URL(url ?? "", origin).searchParams.get("life") ?? 3600);
  const sessionToken = randomUUID();
  table.set(sessionToken, { userId, expires: new Date(Date.now() + life * 1000) });
  response.setHeader("set-cookie", `authjs.session-token=${sessionToken}; Path=/; HttpOnly; SameSite=Lax`);
  response.end("Signed in.\n");
}

const server = createServer((req, res) => {
  if (req.method === "POST" && req.url?.startsWith("/sign-in")) signIn(req, res);
  else http.node(req, res);
});
const mounted = mount(server, { telex, ws });
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
await once(server, "listening");
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : ""}`;
const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [userId] });
console.log({ url: origin, groupId });

process.once("SIGTERM", () => void mounted.close());
