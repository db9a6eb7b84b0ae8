import type { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { defaultHttpLimits, type HttpTelex } from "../src/limits.ts";
import type { ServedHttp } from "../src/server/app.ts";
import { serveHttp } from "../src/server/serve.ts";
import { head, openRaw } from "./raw.ts";
import { closeAfterTest, setup } from "./setup.ts";

/** A server that answers each request with its path, and counts the requests that begin in each tick. */
async function counting(upgrade?: (socket: Duplex) => void) {
  const begunIn: number[] = [];
  let begun = 0;
  const node: ServedHttp["node"] = (req, res) => {
    if (begun === 0)
      setImmediate(() => {
        begunIn.push(begun);
        begun = 0;
      });
    begun += 1;
    res.end(`<${req.url}>`);
  };
  const { telex } = await setup("in process");
  const limits: HttpTelex["limits"] = { ...telex.limits, ...defaultHttpLimits };
  const serving = await serveHttp(
    { limits, locale: "en", node },
    { port: 0, ...(upgrade && { upgrade: (_req, socket) => upgrade(socket) }) },
  );
  closeAfterTest(() => serving.close(0));
  return { url: serving.url, begunIn };
}

const requests = (count: number): string => Array.from({ length: count }, (_, at) => head(`GET /${at}`)).join("");

it("requests that one connection sends together begin a few in each tick, and are answered in order", async () => {
  const { url, begunIn } = await counting();
  const raw = await openRaw(url);
  raw.write(requests(90));
  const answers = await raw.until(/<\/89>/);
  expect(answers.match(/<\/\d+>/g)).toEqual(Array.from({ length: 90 }, (_, at) => `</${at}>`));
  expect(Math.max(...begunIn)).toBeLessThanOrEqual(20);
  raw.write(head("GET /more"));
  await raw.until(/<\/more>/);
});

it("a connection that sends thousands of requests together is closed after the first of them", async () => {
  const { url, begunIn } = await counting();
  const raw = await openRaw(url);
  raw.write(requests(3000));
  const answers = await raw.ended;
  const paths = answers.match(/<\/\d+>/g) ?? [];
  expect(paths).toEqual(Array.from({ length: paths.length }, (_, at) => `</${at}>`));
  expect(paths.length).toBeLessThan(200);
  expect(answers.match(/connection: close/gi)).toHaveLength(1);
  expect(Math.max(...begunIn)).toBeLessThanOrEqual(20);
});

it("bodies of requests that wait for their turn arrive whole", async () => {
  const { url, alice } = await setup("over a socket");
  const raw = await openRaw(url);
  const body = JSON.stringify({ deviceId: "printer", name: "n".repeat(60) });
  const headers = {
    authorization: `Bearer ${alice.token}`,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  raw.write((head("POST /external/api/v1/teleprinter/register", headers) + body).repeat(30) + head("GET /healthz"));
  const answers = await raw.until(/"data":null\}$/);
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(31);
});

it("a connection that changes its protocol after many requests is read further", async () => {
  const { url } = await counting((socket) => {
    socket.on("data", (data) => void socket.write(`[${String(data)}]`));
  });
  const raw = await openRaw(url);
  raw.write(requests(20) + head("GET /socket", { connection: "upgrade", upgrade: "other" }));
  await raw.until(/<\/19>/);
  raw.write("hello");
  expect(await raw.until(/\[.*\]/)).toContain("[hello]");
});
