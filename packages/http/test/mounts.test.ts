import { describe, expect, it } from "vitest";
import { type NodeMount, readMountBody } from "../src/index.ts";
import { head, openRaw } from "./raw.ts";
import { setup } from "./setup.ts";

/** Reads its body, up to ten bytes. */
const reading: NodeMount = {
  path: "/reading",
  async handle(req, res) {
    const body = await readMountBody(req, 10);
    res.writeHead(body === null ? 413 : 200).end(body);
  },
};

/** Refuses without reading its body. */
const refusing: NodeMount = {
  path: "/refusing",
  handle: async (_req, res) => await new Promise((resolve) => res.writeHead(401).end("no", () => resolve())),
};

const begin = async (length: number, path: string, bodyTime = 60_000) => {
  const { url, log } = await setup("over a socket", { limits: { bodyTime }, mounts: [reading, refusing] });
  const raw = await openRaw(url);
  raw.write(head(`POST ${path}`, { "content-length": String(length) }));
  return { raw, log };
};

describe("the body of a request that a Node handler answers", () => {
  it("is taken up to its bound, and refused beyond it", async () => {
    const { raw } = await begin(10, "/reading");
    raw.write("0123456789");
    expect(await raw.until(/0123456789/)).toMatch(/^HTTP\/1\.1 200 /);
    const { raw: longer } = await begin(11, "/reading");
    longer.write("0123456789x");
    expect(await longer.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("that does not arrive in time ends its connection, and nothing is logged", async () => {
    const { raw, log } = await begin(10, "/reading", 30);
    raw.write("0");
    await raw.ended;
    expect(log).toEqual([]);
  });

  it("that was refused and never arrives ends its connection as well", async () => {
    const { raw } = await begin(10, "/refusing", 30);
    expect(await raw.ended).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("that breaks off is not logged", async () => {
    const { raw, log } = await begin(10, "/reading");
    raw.write("0");
    raw.socket.resetAndDestroy();
    await raw.ended;
    expect(log).toEqual([]);
  });
});
