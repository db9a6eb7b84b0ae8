import { Parser } from "@asyncapi/parser";
import { contracts } from "@telex/core/contract";
import { describe, expect, it } from "vitest";
import { channels, channelTable } from "../src/index.ts";
import { createAsyncApi } from "../src/asyncapi.ts";
import { startTelex } from "./harness.ts";

const parse = async (document: object) => await new Parser().parse(JSON.stringify(document));

describe("the AsyncAPI document", () => {
  it("is valid for a foreign parser", async () => {
    const { ws } = await startTelex();
    const { document, diagnostics } = await parse(ws.asyncApi());
    const faults = diagnostics
      .filter(({ severity }) => severity.valueOf() <= 1)
      .map(({ message, path }) => ({ message, path }));
    expect(faults).toEqual([]);
    expect(document?.version()).toBe("3.1.0");
  });

  it("has the address, the commands, the results and the events of every channel", async () => {
    const { document } = await parse(createAsyncApi(channels, "/telex"));
    for (const { name, path, commands, events } of channels) {
      const channel = document?.channels().get(name);
      expect(channel?.address()).toBe(`/telex${path}`);
      const frames = channel
        ?.messages()
        .all()
        .map((message) => message.name());
      const expected = [
        ...commands.flatMap((command) => [command.name, ...Object.keys(command.pieces), command.result]),
        ...events.map(({ type }) => type),
        "OperationFailed",
        "LoginFail",
      ];
      expect(frames?.toSorted()).toEqual([...new Set(expected)].toSorted());
    }
  });

  it("leaves out what the connection gives and the schemas of nothing", () => {
    const text = JSON.stringify(createAsyncApi(channels, ""));
    expect(text).not.toContain('"deviceId","content"');
    expect(text).not.toContain("$defs");
    const [, teleprinter] = channels;
    const sync = teleprinter?.commands.find(({ name }) => name === "sync");
    expect(sync?.input.safeParse({ content: "x" }).success).toBe(true);
    expect(sync?.input.safeParse({}).success).toBe(false);
  });
});

describe("the table of channels", () => {
  it("has a row for each operation of its capability", () => {
    for (const { capability, commands } of Object.values(channelTable)) {
      expect(Object.keys(commands)).toEqual(expect.arrayContaining(Object.keys(contracts[capability])));
    }
  });
});
