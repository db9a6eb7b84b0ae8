/**
 * A small authenticated POST as a plain application on h3, the framework of Telex: `node bench/limits/h3.ts`. The program looks up a
 * token in a map, lets the framework parse the body, and returns an object that the framework writes. `limits/post.ts plain` does the
 * same by hand.
 */
import { H3, HTTPError } from "h3";
import { serve } from "h3/node";

const tokens = new Map([["token", 1]]);
const isBody = (body: unknown): body is { deviceId: string; content?: string } =>
  typeof body === "object" && body !== null && "deviceId" in body;

const app = new H3();
app.post("/external/api/v1/teleprinter", async ({ req }) => {
  const user = tokens.get((req.headers.get("authorization") ?? "").slice(7));
  const body: unknown = await req.json();
  if (user === undefined || !isBody(body)) throw new HTTPError({ status: 400 });
  const { deviceId, content = "" } = body;
  const createdAt = new Date().toISOString();
  return {
    code: 200,
    msg: "success",
    data: { id: 0, deviceId, direction: "from_device", content, delivered: 1, createdAt },
  };
});

const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
await server.ready();
process.stdout.write(`${JSON.stringify({ port: Number(new URL(server.url ?? "").port), tokens: ["token"] })}\n`);
process.stdin.resume();
