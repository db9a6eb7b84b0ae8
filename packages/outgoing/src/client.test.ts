import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ticks } from "@telex/conformance/testing";
import { createOutgoing, type OutgoingOptions } from "./client.ts";

const mib = 2 ** 20;

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A server of the inside network, and a client that may reach it. */
async function setUp(listener: RequestListener, options: OutgoingOptions = {}) {
  const server = createServer(listener);
  const port = await listen(server);
  onTestFinished(() => server.closeAllConnections());
  const base = `http://127.0.0.1:${port}`;
  // A busy machine is slow, not late: only tests of time limits set one.
  const patient = { allow: [`127.0.0.1:${port}`], connectTimeout: 60_000, timeout: 60_000 };
  return { port, base, outgoing: createOutgoing({ ...patient, ...options }), server };
}

const failure = (kind: string) => ({ name: "OutgoingError", failure: kind });

/** Writes until the other side has had enough. */
function endless(response: ServerResponse, chunk: Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk)) continue;
  };
  response.on("drain", more);
  more();
}

test("an answer comes back as it is, packed or not", async () => {
  const bodies: Readonly<Record<string, readonly [string | undefined, Buffer]>> = {
    "/plain": [undefined, Buffer.from("body")],
    "/identity": ["identity", Buffer.from("body")],
    "/gzip": ["gzip", gzipSync("body")],
    "/br": ["br", brotliCompressSync("body")],
  };
  const { base, outgoing } = await setUp((request, response) => {
    const [encoding, body] = bodies[request.url ?? ""] ?? [];
    if (encoding !== undefined) response.setHeader("content-encoding", encoding);
    response.end(body);
  });
  for (const path of Object.keys(bodies)) {
    const { status, body } = await outgoing.get(base + path);
    expect([status, Buffer.from(body).toString()]).toEqual([200, "body"]);
  }
});

test("only own headers go out", async () => {
  const seen: IncomingMessage["headers"][] = [];
  const { base, port, outgoing } = await setUp((request, response) => {
    seen.push(request.headers);
    response.setHeader("set-cookie", "a=b").end();
  });
  await outgoing.get(base);
  await outgoing.get(base);
  const own = {
    accept: "image/*,*/*;q=0.5",
    "accept-encoding": "gzip, br",
    connection: "close",
    host: `127.0.0.1:${port}`,
    "user-agent": "telex",
  };
  expect(seen).toEqual([own, own]);
});

test("an answer that is not 200 has no body", async () => {
  const { base, outgoing } = await setUp((_request, response) => void response.writeHead(404).end("a page"));
  expect(await outgoing.get(base)).toEqual({ status: 404, body: new Uint8Array() });
});

test("an answer whose body is not wanted ends the connection immediately", async () => {
  const closed = Promise.withResolvers<void>();
  const { base, outgoing } = await setUp((_request, response) => {
    response.on("close", closed.resolve).writeHead(404);
    endless(response, Buffer.alloc(64 * 1024));
  });
  expect((await outgoing.get(base)).status).toBe(404);
  await closed.promise;
});

test.each([
  "ftp://127.0.0.1/",
  "file:///etc/passwd",
  "data:,a",
  "http://user:secret@127.0.0.1/",
  "//127.0.0.1/",
  "x",
  "",
])("%j is no address to go to", async (url) => {
  const outgoing = createOutgoing({ allow: ["127.0.0.1:80"] });
  await expect(outgoing.get(url)).rejects.toMatchObject(failure("bad_url"));
});

test.each([
  "127.0.0.1",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "127.1",
  "localhost",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::]",
  "0.0.0.0",
  "169.254.169.254",
])("the inside network is not reached as %s", async (host) => {
  let asked = 0;
  const { port } = await setUp((_request, response) => {
    asked += 1;
    response.end();
  });
  await expect(createOutgoing().get(`http://${host}:${port}/`)).rejects.toMatchObject(failure("private_address"));
  expect(asked).toBe(0);
});

test("a name is refused when one of its addresses lies inside, however many are public", async () => {
  for (const addresses of [["10.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["1.1.1.1", "::1"], ["fd00::1"]]) {
    const outgoing = createOutgoing({ resolve: async () => addresses });
    await expect(outgoing.get("http://avatars.example/")).rejects.toMatchObject(failure("private_address"));
  }
});

test("a name is resolved once, and what is dialled is what was checked", async () => {
  const hosts: string[] = [];
  const answers = [["127.0.0.1"], ["10.255.255.1"]];
  const resolve = async (host: string) => {
    hosts.push(host);
    return answers.shift() ?? [];
  };
  const seen: (string | undefined)[] = [];
  const { port } = await setUp((request, response) => {
    seen.push(request.headers.host);
    response.end("inside");
  });
  const outgoing = createOutgoing({ allow: [`avatars.example:${port}`], resolve });
  expect(Buffer.from((await outgoing.get(`http://avatars.example:${port}/`)).body).toString()).toBe("inside");
  expect(hosts).toEqual(["avatars.example"]);
  expect(seen).toEqual([`avatars.example:${port}`]);
});

test("of several addresses the next one is tried when the first takes no connection", async () => {
  const { port, base } = await setUp((_request, response) => void response.end("second"));
  const outgoing = createOutgoing({
    allow: [`avatars.example:${port}`],
    resolve: async () => ["127.0.0.2", "127.0.0.1"],
  });
  const { body } = await outgoing.get(base.replace("127.0.0.1", "avatars.example"));
  expect(Buffer.from(body).toString()).toBe("second");
});

test("a name without an address, or that cannot be resolved, is unknown", async () => {
  const none = createOutgoing({ resolve: async () => [] });
  await expect(none.get("http://avatars.example/")).rejects.toMatchObject(failure("unknown_host"));
  const failing = createOutgoing({ resolve: async () => Promise.reject(new Error("SERVFAIL")) });
  await expect(failing.get("http://avatars.example/")).rejects.toMatchObject(failure("unknown_host"));
});

test("an address is allowed for its port only", async () => {
  const { port } = await setUp((_request, response) => void response.end());
  const outgoing = createOutgoing({ allow: ["127.0.0.1:1", `127.0.0.2:${port}`, `localhost:${port}`] });
  await expect(outgoing.get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(failure("private_address"));
});

test.each(["127.0.0.1", "http://127.0.0.1:80", "a/b:80", "user@host:80", ":80", "host:123456", ""])(
  "%j cannot be allowed: it is no host:port",
  (entry) => expect(() => createOutgoing({ allow: [entry] })).toThrow(TypeError),
);

test("up to three redirects on the host are followed, each resolved and checked again", async () => {
  const resolved: string[] = [];
  const resolve = async (host: string) => {
    resolved.push(host);
    return ["127.0.0.1"];
  };
  const { port } = await setUp((request, response) => {
    const hop = Number((request.url ?? "/0").slice(1));
    if (hop === 3) response.end("there");
    else response.writeHead(302, { location: `/${hop + 1}` }).end();
  });
  const outgoing = createOutgoing({ allow: [`avatars.example:${port}`], resolve });
  const { body } = await outgoing.get(`http://avatars.example:${port}/0`);
  expect(Buffer.from(body).toString()).toBe("there");
  expect(resolved).toHaveLength(4);
});

test("a fourth redirect, and a loop, is refused", async () => {
  let asked = 0;
  const { base, outgoing } = await setUp((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: "/" }).end();
  });
  await expect(outgoing.get(base)).rejects.toMatchObject(failure("bad_redirect"));
  expect(asked).toBe(4);
});

test("a redirect leads neither to another host nor to a port that is not allowed", async () => {
  let asked = 0;
  const inside = await setUp((_request, response) => {
    asked += 1;
    response.end("secret");
  });
  for (const [location, kind] of [
    [inside.base, "private_address"],
    [inside.base.replace("127.0.0.1", "localhost"), "bad_redirect"],
    ["http://169.254.169.254/latest/meta-data", "bad_redirect"],
    ["file:///etc/passwd", "bad_redirect"],
  ] as const) {
    const { base, outgoing } = await setUp((_request, response) => void response.writeHead(302, { location }).end());
    await expect(outgoing.get(base)).rejects.toMatchObject(failure(kind));
  }
  expect(asked).toBe(0);
});

test("a name that turns inside between two hops is refused at the second", async () => {
  let asked = 0;
  const { port } = await setUp((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: `http://avatars.example:${port + 1}/` }).end();
  });
  const outgoing = createOutgoing({ allow: [`avatars.example:${port}`], resolve: async () => ["127.0.0.1"] });
  await expect(outgoing.get(`http://avatars.example:${port}/`)).rejects.toMatchObject(failure("private_address"));
  expect(asked).toBe(1);
});

test("an answer is cut off at the limit, announced or not", async () => {
  const paths: Readonly<Record<string, (response: ServerResponse) => void>> = {
    "/fits": (response) => response.end(Buffer.alloc(mib)),
    "/announced": (response) => void response.setHeader("content-length", mib + 1).write("a"),
    "/chunked": (response) => endless(response, Buffer.alloc(64 * 1024)),
    "/packed": (response) => void response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(64 * mib))),
    "/squeezed": (response) =>
      void response.setHeader("content-encoding", "br").end(brotliCompressSync(Buffer.alloc(8 * mib))),
  };
  const { base, outgoing } = await setUp((request, response) => paths[request.url ?? ""]?.(response), {
    maxBytes: mib,
  });
  expect((await outgoing.get(`${base}/fits`)).body).toHaveLength(mib);
  for (const path of Object.keys(paths).slice(1)) {
    await expect(outgoing.get(base + path)).rejects.toMatchObject(failure("too_large"));
  }
});

test("an answer that is too large ends the connection", async () => {
  const closed = Promise.withResolvers<void>();
  const { base, outgoing } = await setUp((_request, response) => {
    response.on("close", closed.resolve);
    endless(response, Buffer.alloc(64 * 1024));
  });
  await expect(outgoing.get(base)).rejects.toMatchObject(failure("too_large"));
  await closed.promise;
});

const stops: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "before its headers": () => {},
  "inside its headers": (response) => void response.socket?.write("HTTP/1.1 200 OK\r\nx: "),
  "inside its body": (response) => void response.write("a"),
  "inside a packed body": (response) => void response.setHeader("content-encoding", "gzip").write("a"),
};

/** Times that are over when the test says so. */
function createTimes() {
  const begun: number[] = [];
  const over = new AbortController();
  const beginTime = (milliseconds: number): AbortSignal => {
    begun.push(milliseconds);
    return over.signal;
  };
  return { begun, beginTime, end: () => over.abort() };
}

test.each(Object.entries(stops))("an answer that stops %s is not waited for", async (_where, begin) => {
  const { beginTime, end } = createTimes();
  const { base, outgoing } = await setUp(
    (_request, response) => {
      begin(response);
      void ticks().then(end);
    },
    { beginTime },
  );
  await expect(outgoing.get(base)).rejects.toMatchObject(failure("timeout"));
});

test("redirects do not lengthen the time that there is in all", async () => {
  let asked = 0;
  const { begun, beginTime, end } = createTimes();
  const { base, outgoing } = await setUp(
    (_request, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(302, { location: "/" }).end();
      else end();
    },
    { timeout: 7000, beginTime },
  );
  await expect(outgoing.get(base)).rejects.toMatchObject(failure("timeout"));
  expect(asked).toBe(2);
  expect(begun).toEqual([7000]);
});

test("the time that there is ends by itself", async () => {
  const { base, outgoing } = await setUp(() => {}, { timeout: 20 });
  await expect(outgoing.get(base)).rejects.toMatchObject(failure("timeout"));
});

test("a resolver that does not answer is not waited for", async () => {
  const outgoing = createOutgoing({ timeout: 50, resolve: () => new Promise(() => {}) });
  await expect(outgoing.get("http://avatars.example/")).rejects.toMatchObject(failure("timeout"));
});

test("a connection that does not come to stand is given up before the whole time is over", async () => {
  // A server that takes connections and never speaks TLS.
  const port = await listen(createTcpServer((socket) => onTestFinished(() => void socket.destroy())));
  const outgoing = createOutgoing({ allow: [`127.0.0.1:${port}`], connectTimeout: 50, timeout: 60_000 });
  await expect(outgoing.get(`https://127.0.0.1:${port}/`)).rejects.toMatchObject(failure("timeout"));
});

test("a connection that is refused, reset or speaks no HTTP is unreachable", async () => {
  const reset = await listen(createTcpServer((socket) => void socket.resetAndDestroy()));
  const babble = await listen(createTcpServer((socket) => void socket.end("hello\r\n\r\n")));
  const closed = createTcpServer();
  const refused = await listen(closed);
  await new Promise((resolve) => void closed.close(resolve));
  for (const port of [reset, babble, refused]) {
    const outgoing = createOutgoing({ allow: [`127.0.0.1:${port}`] });
    await expect(outgoing.get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(failure("unreachable"));
  }
});

test("a body that ends early, or in an unknown encoding, is unreadable", async () => {
  const paths: Readonly<Record<string, (response: ServerResponse) => void>> = {
    "/short": (response) => void response.setHeader("content-length", 10).write("a", () => response.destroy()),
    "/broken": (response) => void response.setHeader("content-encoding", "gzip").end(gzipSync("abc").subarray(0, 12)),
    "/lying": (response) => void response.setHeader("content-encoding", "gzip").end("no gzip"),
    "/unknown": (response) => void response.setHeader("content-encoding", "compress").end("a"),
    "/twice": (response) => void response.setHeader("content-encoding", "gzip, gzip").end(gzipSync(gzipSync("a"))),
  };
  const { base, outgoing } = await setUp((request, response) => paths[request.url ?? ""]?.(response));
  for (const path of Object.keys(paths)) {
    await expect(outgoing.get(base + path)).rejects.toMatchObject(failure("unreadable"));
  }
});

test("headers without end are not read", async () => {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}`);
    }),
  );
  const outgoing = createOutgoing({ allow: [`127.0.0.1:${port}`] });
  await expect(outgoing.get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(failure("unreachable"));
});

test("a failure tells neither address nor path", async () => {
  const { base, outgoing } = await setUp((_request, response) => void response.socket?.destroy());
  const error = await outgoing.get(`${base}/secret`).catch((reason: unknown) => reason);
  expect(String(error)).toBe("OutgoingError: The host does not answer.");
});

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("opens a file as a stream, unpacked, by the rules of every request", async () => {
  const { base, outgoing } = await setUp((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/file" }).end();
    else response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(3 * mib, "a")));
  });
  expect(await readAll(await outgoing.open(`${base}/moved`))).toEqual(Buffer.alloc(3 * mib, "a"));
  await expect(createOutgoing().open(`${base}/file`)).rejects.toMatchObject(failure("private_address"));
  await expect(outgoing.open("file:///etc/passwd")).rejects.toMatchObject(failure("bad_url"));
});

test("opens nothing but answers with status 200", async () => {
  const { base, outgoing } = await setUp((_request, response) => response.writeHead(404).end("nothing"));
  await expect(outgoing.open(base)).rejects.toMatchObject(failure("bad_status"));
});

test("ends a stream that is too large, too slow or not wanted any more", async () => {
  const closed: string[] = [];
  const { base, outgoing } = await setUp(
    (request, response) => {
      response.on("close", () => closed.push(request.url ?? ""));
      if (request.url === "/endless") endless(response, Buffer.alloc(mib));
      else response.write("a");
    },
    { maxBytes: 4 * mib },
  );
  await expect(readAll(await outgoing.open(`${base}/endless`))).rejects.toMatchObject(failure("too_large"));
  const controller = new AbortController();
  const slow = readAll(await outgoing.open(`${base}/slow`, controller.signal));
  controller.abort();
  await expect(slow).rejects.toMatchObject(failure("timeout"));
  for await (const chunk of await outgoing.open(`${base}/left`)) {
    expect(chunk.byteLength).toBe(1);
    break;
  }
  await expect.poll(() => closed.toSorted()).toEqual(["/endless", "/left", "/slow"]);
});

test("a request of the caller's own goes out with its headers and body, follows no redirect, and brings an answer of any status", async () => {
  const { base, outgoing } = await setUp((request, response) => {
    if (request.url === "/moved") return void response.writeHead(302, { location: "/elsewhere" }).end();
    response.writeHead(400, { "content-type": "text/plain" });
    response.write(`${request.method} ${String(request.headers["x-own"])} `);
    return request.pipe(response);
  });
  const sent = { method: "POST", headers: { "x-own": "1" }, body: "a=b" } as const;
  const { status, headers, body } = await outgoing.send(`${base}/`, sent);
  expect([status, headers["content-type"], Buffer.from(body).toString()]).toEqual([400, "text/plain", "POST 1 a=b"]);
  const moved = await outgoing.send(`${base}/moved`, { method: "GET", headers: {} });
  expect([moved.status, moved.headers["location"]]).toEqual([302, "/elsewhere"]);
});

test("a request of the caller's own meets the bounds of all others", async () => {
  const { base, outgoing, port } = await setUp((_request, response) => endless(response, Buffer.alloc(mib)), {
    maxBytes: mib,
  });
  const get = { method: "GET", headers: {} } as const;
  await expect(outgoing.send(base, get)).rejects.toMatchObject(failure("too_large"));
  const strict = createOutgoing();
  await expect(strict.send(`http://127.0.0.1:${port}`, get)).rejects.toMatchObject(failure("private_address"));
  await expect(strict.send("nowhere", get)).rejects.toMatchObject(failure("bad_url"));
});
