import { Parser } from "@asyncapi/parser";
import { expect, it } from "vitest";
import { folder, serve } from "test-support/command";

it("the AsyncAPI document is valid for the parser of AsyncAPI, which finds all channels", async () => {
  const { url } = await serve(["--storage", "memory:", "--data", await folder()]);
  const response = await fetch(`${url}/asyncapi.json`);
  const { document, diagnostics } = await new Parser().parse(await response.text());
  const faults = diagnostics
    .filter(({ severity }) => severity.valueOf() <= 1)
    .map(({ message, path }) => ({ message, path }));
  expect(faults).toEqual([]);
  expect(document?.version()).toBe("3.1.0");
  const channels = document?.channels().all();
  expect(channels?.map((channel) => channel.id())).toEqual(["rooms", "teleprinter", "chat"]);
  expect(channels?.flatMap((channel) => channel.messages().all()).length).toBeGreaterThan(20);
});
