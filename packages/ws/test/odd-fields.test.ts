import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { channels } from "../src/channels/channels.ts";
import { open, startTelex } from "./harness.ts";

/** Values that throw if they are converted to a text or a number, and other odd ones. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    { toString: 1 },
    { valueOf: null, toString: null },
    [{ toString: 1 }],
    [[]],
    {},
    null,
    1e308,
  ),
  fc.constantFrom<unknown>(-1, 0, 1.5, 2 ** 53, "1", "", "\0", "\ud800", true, { length: 1e9 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const commands = ["sendGroupMessage", "heartbeat", "sync", "offline", "ack", "setting", "chat", "stop"];
const names =
  "identifier groupId groupType message nonce deviceId content id conversationId systemPrompt maxOutputTokens model toString";

const frame = fc.record(
  { command: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...commands) }, { weight: 1, arbitrary: odd }) },
  { requiredKeys: [] },
);
const fields = fc.dictionary(fc.constantFrom(...names.split(" ")), odd, { maxKeys: 6 });

it.each(channels)("no field of a frame on $path is a fault of Telex or writes to the log", async ({ path }) => {
  const { port, user, telex, log } = await startTelex();
  const { token } = await user("Alice");
  await telex.teleprinter.register(await telex.authenticate(token), { deviceId: "printer", name: "n" });
  const client = await open(`ws://127.0.0.1:${port}${path}/${token}?deviceId=printer`);
  await fc.assert(
    fc.asyncProperty(frame, fields, async (first, others) => {
      client.send(JSON.stringify({ ...others, ...first }));
      client.send('{"identifier":"last","command":"none"}');
      for (;;) {
        const answer = await client.next();
        expect(answer.msg ?? "").not.toMatch(/内部错误|internal/);
        if (answer.identifier === "last") break;
      }
    }),
    { numRuns: 200 },
  );
  expect(log.lines).toEqual([]);
});

it("a deep command is told back in a word", async () => {
  const { port, user, log } = await startTelex();
  const { token } = await user("Alice");
  const client = await open(`ws://127.0.0.1:${port}/external/api/v1/im/imWebSocket/${token}`);
  client.send(`{"identifier":1,"command":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
  expect(await client.next()).toMatchObject({
    type: "OperationFailed",
    identifier: 1,
    msg: expect.stringContaining("“[…]”") as unknown,
  });
  expect(log.lines).toEqual([]);
});
