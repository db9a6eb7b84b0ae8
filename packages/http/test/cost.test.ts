import { teleprinterContract } from "@telex/core/contract";
import { parseJson } from "@telex/core/transport";
import { costBudget, costShare, cpuTimeOf, expensiveInputs } from "@telex/core/conformance";
import { describe, expect, it } from "vitest";
import { createOpenAiEndpoints } from "../src/openai/endpoints.ts";
import { bodySizeOf } from "../src/request/body.ts";
import { type Endpoint, endpointsOf } from "../src/server/operations.ts";
import { createReplies } from "../src/stream/replies.ts";
import { type HttpTelex, withHttpLimits } from "../src/limits.ts";
import { setup, type Setup, teleprinter } from "./setup.ts";

const most = 32 * 1024;
/** Below this size the constant share of a call is larger than that of the body. */
const least = 4 * 1024;

/** Every endpoint that takes JSON. */
const jsonEndpoints = (telex: HttpTelex): readonly Endpoint[] =>
  [...endpointsOf(telex, createReplies(telex)), ...createOpenAiEndpoints(telex)].filter(
    ({ route }) => route.input === "json",
  );

/** Sends a body and reads the answer to its end. */
const createSender =
  ({ http, url, alice }: Setup, method: string, path: string) =>
  async (body: string) => {
    const headers = { authorization: `Bearer ${alice.token}`, "content-type": "application/json" };
    const answer = await http.fetch(new Request(`${url}${path}`, { method, headers, body }));
    expect(answer.status).toBeLessThan(500);
    await answer.arrayBuffer();
  };

const plain = '{"deviceId":"kitchen-printer","content":"The kettle is on."}';

/** Microseconds of CPU for each byte of a plain request that is read and checked: what a call costs besides is left out. */
async function plainTime(): Promise<number> {
  const calls = 2000;
  const time = await cpuTimeOf(() => {
    for (let call = 0; call < calls; call += 1) teleprinterContract.send.input.parse(parseJson(plain));
  }, 20);
  return time / calls / plain.length;
}

describe("a body", () => {
  it("costs no more than 20 times as much as plain ones, byte for byte, on every route, whatever it holds", async () => {
    const given = await setup("in process");
    await given.post(`${teleprinter}/register`, { deviceId: "kitchen-printer", name: "n" }, given.alice.token);
    const perByte = await plainTime();
    const endpoints = jsonEndpoints(withHttpLimits(given.telex));
    expect(endpoints.length).toBeGreaterThan(9);
    for (const { route, operation } of endpoints) {
      const send = createSender(given, route.method, route.path.replaceAll(/:\w+/g, "1"));
      await send("{}");
      const bare = await cpuTimeOf(() => send("{}"), 10);
      const bytes = Math.min(most, bodySizeOf(operation, given.http.limits.bodySize) - 1024);
      for (const { name, text } of expensiveInputs(operation, bytes)) {
        if (text.length < least) continue;
        const share = await costShare(() => send(text), bare + costBudget(text.length, perByte));
        const where = `${route.path}, ${name}`;
        expect([where, share > 1 ? share : "below 1"]).toEqual([where, "below 1"]);
      }
    }
  });
});
