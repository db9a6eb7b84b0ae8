import { expect, it } from "vitest";
import { createOpenAiModels } from "../src/index.ts";
import { causeOf, servePeer } from "./peer.ts";

/** Sends a request that the service refuses with this body. Returns the logged cause. */
async function loggedFor(body: string): Promise<unknown> {
  const peer = await servePeer((res) => void res.writeHead(400).end(body));
  const models = [{ name: "test", contextTokens: 8000, maxOutputTokens: 1000 }];
  const model = createOpenAiModels({ baseUrl: peer.url, models, retries: 0 }).get("test");
  const { signal } = new AbortController();
  const reply = model?.reply({ messages: [{ role: "user", content: "hello" }], maxOutputTokens: 100, signal });
  return await causeOf(Promise.resolve(reply?.[Symbol.asyncIterator]().next()));
}

it.each([
  "",
  "null",
  "[]",
  '"error"',
  '{"error":null}',
  '{"error":"invalid_api_key"}',
  '{"error":{"type":7,"code":"x"}}',
])("a service that refuses with %j is logged with its status only", async (body) => {
  expect(await loggedFor(body)).toEqual(["invalid_request", "The AI service answered 400."]);
});

it.each([
  ['{"error":{"type":"tokens"}}', "(type tokens)"],
  ['{"error":{"type":null,"code":"model_not_found"}}', "(code model_not_found)"],
])("a service that refuses with %s is logged with %s", async (body, words) => {
  expect(await loggedFor(body)).toEqual(["invalid_request", `The AI service answered 400 ${words}.`]);
});
