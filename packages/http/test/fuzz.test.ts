import type { TokenHolder } from "@telex/core";
import { character, fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { routedOperations } from "../src/endpoints/operations.ts";
import { pathFields } from "../src/routes.ts";
import { openRaw } from "./raw.ts";
import { setup, type Setup } from "./setup.ts";

const operations = routedOperations();

const word = fc.oneof(
  fc.string({ unit: character, maxLength: 20 }),
  fc.constantFrom(
    "",
    "0",
    "1",
    "-1",
    "1e3",
    "9007199254740993",
    "NaN",
    "null",
    "../..",
    "a".repeat(300),
    "%",
    "%ff",
    "%00",
  ),
  fc.integer().map(String),
);

const value = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, -1, 1.5, 2 ** 53, [], {}, true) },
);

const names =
  "deviceId name content limit wait ack nonce cursor page pageSize groupId groupType storageId file_id col algo id size code secret access_token __proto__ constructor userId nickname ext phone ai avatar scopes life token members add remove card unit max period days after".split(
    " ",
  );

const fields = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

/** Text for a URL, encoded or not. */
const inUrl = fc
  .tuple(word, fc.boolean())
  .map(([text, encode]) => (encode ? encodeURIComponent(text.toWellFormed()) : text));

const query = fc
  .array(fc.tuple(fc.constantFrom(...names), inUrl), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join("&"));

const body = fc.oneof(
  { weight: 4, arbitrary: fields.map((object) => JSON.stringify(object)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: character, maxLength: 200 }) },
);

const contentType = fc.constantFrom(
  "application/json",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "text/plain",
  "image/png",
  ";",
  "",
);

const inPath = "storageId code file path where name id userId groupId deviceId file_id conversationId".split(" ");

const request = fc.record({
  operation: fc.constantFrom(...operations),
  path: fc.dictionary(fc.constantFrom(...inPath), inUrl),
  query,
  body,
  contentType,
  credentials: fc.constantFrom("token", "query", "none", "junk"),
  headers: fc.dictionary(
    fc.constantFrom("range", "if-none-match", "if-range", "accept-language", "content-encoding", "x-forwarded-for"),
    fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom("bytes=0-", "bytes=-1", "bytes=9-1", "*", "gzip", "zh;q=9")),
  ),
});

type Drawn = typeof request extends fc.Arbitrary<infer T> ? T : never;

const pathOf = ({ operation, path }: Drawn): string =>
  pathFields(operation.route.path).reduce(
    (url, name) => url.replace(`:${name}`, () => path[name] ?? "x"),
    operation.route.path,
  );

const credentialsOf = ({ credentials }: Drawn, token: string): { header?: string; search: string } => {
  if (credentials === "token") return { header: `Bearer ${token}`, search: "" };
  if (credentials === "junk") return { header: "Bearer \x01junk", search: "" };
  return { search: credentials === "query" ? `&access_token=${token}` : "" };
};

function isRequest(url: string, init: RequestInit): Request | null {
  try {
    return new Request(url, init);
  } catch {
    return null;
  }
}

const leaks = /node_modules|\bat [\w.<>]+ \(|\.ts:\d|TypeError|ZodError|Cannot read|undefined is/;

/** Requires a proper answer to bad input. */
function refuseBadAnswer(given: Setup, response: { status: number; type: string; text: string }): void {
  expect(response.status).toBeLessThan(500);
  expect(response.text).not.toContain(given.alice.token);
  if (response.status < 400) return;
  expect(response.type).toBe("application/json; charset=utf-8");
  expect(response.text).not.toMatch(leaks);
  expect(JSON.parse(response.text || "{}")).toMatchObject({
    code: response.status,
    msg: expect.any(String) as unknown,
  });
}

/** A caller with all scopes, also after the user was removed. */
const everything: TokenHolder = {
  kind: "token",
  userId: 1,
  scopes: ["chat", "admin"],
  tokenId: null,
  expiresAt: null,
};

describe("whatever is sent", () => {
  it("to any route is answered, and never with a fault of Telex", async () => {
    const tokens = { authenticate: () => Promise.resolve(everything) };
    const given = await setup("in process", { telex: { checkOutput: true, tokens } });
    await fc.assert(
      fc.asyncProperty(request, async (drawn) => {
        const { header, search } = credentialsOf(drawn, given.alice.token);
        const { method } = drawn.operation.route;
        const headers = {
          ...drawn.headers,
          "content-type": drawn.contentType,
          ...(header && { authorization: header }),
        };
        const url = `http://telex.test${pathOf(drawn)}?${drawn.query}${search}`;
        const sent = isRequest(url, {
          method,
          headers,
          ...((method === "POST" || method === "PATCH") && { body: drawn.body }),
        });
        if (sent === null) return;
        const response = await given.http.fetch(sent);
        const type = response.headers.get("content-type") ?? "";
        refuseBadAnswer(given, { status: response.status, type, text: await response.text() });
        // The caller may drain the server, which continues to answer.
        expect(given.log.filter((line) => !line.startsWith("info server.draining "))).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  it("over a socket is answered or ends the connection, and the server goes on", async () => {
    const given = await setup("over a socket");
    const line = fc.oneof(
      fc.string({ unit: character, maxLength: 60 }).map((text) => `GET /${text} HTTP/1.1\r\nhost: x\r\n\r\n`),
      fc.string({ unit: character, maxLength: 60 }).map((text) => `GET / HTTP/1.1\r\nhost: x\r\n${text}\r\n\r\n`),
      fc.string({ unit: character, maxLength: 120 }),
      fc
        .tuple(fc.constantFrom(...operations), query, fc.webAuthority(), fc.string({ maxLength: 12 }), fc.boolean())
        .map(([{ route }, search, authority, text, isOdd]) => {
          const host = isOdd ? text : authority;
          return `${route.method} ${route.path}?${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`;
        }),
      fc
        .tuple(fc.constantFrom(...operations), fc.uint8Array({ maxLength: 200 }))
        .map(
          ([{ route }, bytes]) =>
            `${route.method} ${route.path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${bytes.join("")}\r\n`,
        ),
    );
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const raw = await openRaw(given.url);
        raw.write(Buffer.from(text, "latin1"));
        raw.socket.end();
        const answer = await raw.ended;
        for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)) expect(Number(status)).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
    expect((await given.send("/healthz")).status).toBe(200);
    expect(given.log).toEqual([]);
  });

  it("in a URL appears in no answer and in no log", async () => {
    const given = await setup("over a socket");
    const secret = "tlxp_0123456789abcdefghijklmnopqrstuvwxyz";
    for (const { route } of operations) {
      for (const method of [route.method, "DELETE"]) {
        for (const place of [
          `?access_token=${secret}`,
          `/${secret}`,
          `?%61ccess_token=${secret}&access_token=${secret}`,
        ]) {
          const answer = await given.send(`${route.path}${place}`, { method });
          const headers = JSON.stringify([...answer.headers]);
          expect(`${headers} ${await answer.text()}`).not.toContain(secret);
        }
      }
    }
    expect(given.log.join()).not.toContain(secret);
  });
});
