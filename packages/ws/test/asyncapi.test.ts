import { contracts } from "@telex/core/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { channels, channelTable } from "../src/index.ts";
import { createAsyncApi } from "../src/asyncapi.ts";

const channelsOf = (document: object) =>
  z
    .object({
      channels: z.record(z.string(), z.object({ address: z.string(), messages: z.record(z.string(), z.unknown()) })),
    })
    .parse(document).channels;

// `npm test -- foreign` also gives it to the parser of AsyncAPI.
describe("the AsyncAPI document", () => {
  it("has the address, the commands, the results and the events of every channel", () => {
    const described = channelsOf(createAsyncApi(channels, "/telex"));
    for (const { name, path, commands, events } of channels) {
      const channel = described[name];
      expect(channel?.address).toBe(`/telex${path}`);
      const frames = Object.keys(channel?.messages ?? {});
      const expected = [
        ...commands.flatMap((command) => [command.name, ...Object.keys(command.pieces), command.result]),
        ...events.map(({ type }) => type),
        "OperationFailed",
        "LoginFail",
      ];
      expect(frames.toSorted()).toEqual([...new Set(expected)].toSorted());
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
