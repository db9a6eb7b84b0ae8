import { character, fc } from "test-support/property";
import { expect, it } from "vitest";
import {
  chatPath,
  messageOf,
  open,
  openRaw,
  parseFrame,
  segmentsOf,
  startTelex,
  textTo,
  upgradeRequest,
} from "./harness.ts";

async function scene() {
  const running = await startTelex();
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  const groupId = await running.group([alice, bob]);
  return { ...running, alice, bob, groupId };
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>("__proto__", "constructor", "", -1, 0, 1, 1.5, 2 ** 53, 1e308, null, true, [], {}, [[]]),
  fc.string({ unit: character }),
);

const segment = fc.oneof(
  odd,
  fc.record(
    {
      type: fc.oneof(fc.constantFrom("text", "image", "file", "at", "reply", "video"), odd),
      data: fc.oneof(
        odd,
        fc.record({ text: odd, file_id: odd, name: odd, ext: odd, messageId: odd }, { requiredKeys: [] }),
      ),
    },
    { requiredKeys: [] },
  ),
);

const command = (groupId: number) =>
  fc
    .record(
      {
        identifier: fc.oneof(fc.string(), fc.integer(), fc.double(), odd),
        command: fc.oneof({ weight: 5, arbitrary: fc.constant("sendGroupMessage") }, { weight: 1, arbitrary: odd }),
        groupId: fc.oneof(fc.constant(groupId), fc.constant(String(groupId)), odd),
        groupType: fc.oneof(fc.constant(1), odd),
        message: fc.oneof(odd, fc.array(segment)),
        nonce: odd,
        __proto__: odd,
      },
      { requiredKeys: [] },
    )
    .map((frame) => JSON.stringify(frame));

/** The identifier that the response to a frame must have. */
function echoOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const identifier: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "identifier") : null;
    return !Array.isArray(value) && (typeof identifier === "string" || typeof identifier === "number")
      ? identifier
      : null;
  } catch {
    return null;
  }
}

/** True for a frame that asks for a room of an external network: it is answered when it is done. */
const isExternal = (text: string): boolean => /"groupType":[0345][,}]/.test(text);

const inOrder = (identifiers: readonly unknown[]): readonly unknown[] => identifiers;
const sorted = (identifiers: readonly unknown[]): readonly unknown[] =>
  identifiers.map((identifier) => JSON.stringify(identifier)).toSorted();

const answers = ["SendMessageResult", "OperationFailed"];

it("every text frame gets one answer, in order, and none of them is a fault of Telex", async () => {
  const { url, alice, groupId, log } = await scene();
  const client = await open(url(alice.token));
  const frames = fc.oneof(
    command(groupId),
    fc.string({ unit: "grapheme" }),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(frames, { minLength: 1, maxLength: 12 }), async (texts) => {
      for (const text of texts) client.send(text);
      const identifiers: unknown[] = [];
      for (const _ of texts) {
        const answer = await client.nextText();
        const frame = parseFrame(answer);
        expect(answers).toContain(frame.type);
        expect(Object.keys(frame).slice(0, 3)).toEqual(["type", "code", "identifier"]);
        identifiers.push(frame.identifier);
        expect(frame.msg).toMatch(/./);
        expect(Buffer.byteLength(frame.msg ?? "")).toBeLessThan(2000);
      }
      const order = texts.some(isExternal) ? sorted : inOrder;
      expect(order(identifiers)).toEqual(order(texts.map(echoOf)));
    }),
    { numRuns: 150 },
  );
  expect(log.lines).toEqual([]);
});

it("deeply nested frames are answered like any other", async () => {
  const { url, alice, groupId, log } = await scene();
  const client = await open(url(alice.token));
  const depth = 120_000;
  for (const inner of [`${"[".repeat(depth)}${"]".repeat(depth)}`, `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`]) {
    client.send(
      `{"identifier":1.0,"command":"sendGroupMessage","groupId":${groupId},"groupType":1,"message":${inner}}`,
    );
    expect(await client.next()).toMatchObject({ type: "OperationFailed", identifier: 1 });
    client.send(inner);
    expect(await client.next()).toMatchObject({ type: "OperationFailed", identifier: null });
  }
  expect(log.lines).toEqual([]);
});

it("texts come back unchanged", async () => {
  const { url, alice, bob, groupId } = await scene();
  const [sender, receiver] = [await open(url(alice.token)), await open(url(bob.token))];
  const text = fc
    .string({ unit: character, minLength: 1, maxLength: 200 })
    .filter((value) => value.isWellFormed() && !value.includes("\0"));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      sender.send({ ...textTo(groupId, ""), message: texts.map((one) => ({ type: "text", data: { text: one } })) });
      expect(await sender.next()).toMatchObject({ code: 200 });
      expect(segmentsOf(messageOf(await receiver.next()))).toEqual(texts.map((one) => ({ text: { text: one } })));
    }),
    { numRuns: 100 },
  );
});

it("no bytes on an open connection harm anybody else", async () => {
  const { url, port, alice, bob, log } = await scene();
  const other = await open(url(bob.token));
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.boolean(), async (bytes, reset) => {
      const raw = openRaw(port);
      raw.socket.write(upgradeRequest(`${chatPath}/${alice.token}`));
      for (const chunk of bytes) raw.socket.write(chunk);
      await raw.until((received) => received.includes("\r\n\r\n"));
      if (reset) raw.socket.resetAndDestroy();
      else raw.socket.end();
      await raw.ended;
      other.send("x");
      expect(await other.next()).toMatchObject({ type: "OperationFailed" });
    }),
    { numRuns: 60 },
  );
  expect(log.lines).toEqual([]);
});

it("every upgrade request is answered", async () => {
  const { port, log } = await scene();
  const printable = fc.string({ unit: "grapheme-ascii", maxLength: 40 }).map((text) => text.replaceAll(" ", "+"));
  const header = fc.constantFrom(
    "Sec-WebSocket-Key",
    "Sec-WebSocket-Version",
    "Sec-WebSocket-Protocol",
    "Sec-WebSocket-Extensions",
    "Accept-Language",
    "Upgrade",
  );
  await fc.assert(
    fc.asyncProperty(
      printable,
      printable,
      fc.dictionary(header, printable, { maxKeys: 3 }),
      async (token, query, headers) => {
        const raw = openRaw(port);
        raw.socket.write(upgradeRequest(`${chatPath}/${token}?${query}`, headers));
        const received = await raw.until((all) => all.includes("\r\n\r\n"));
        expect(received.toString("latin1")).toMatch(/^HTTP\/1\.1 (101|400|404|418) /);
        raw.socket.destroy();
      },
    ),
    { numRuns: 150 },
  );
  expect(log.lines).toEqual([]);
});
