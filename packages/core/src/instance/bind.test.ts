import { expect, it } from "vitest";
import { z } from "zod";
import { operator, defineContract } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { silentLogger, createSecurityLog } from "@telex/ground/log";
import { systemClock } from "@telex/ground/time";
import { bindAll } from "./bind.ts";
import { Tally } from "../observe/figures.ts";
import { createWork } from "./work.ts";

const contract = defineContract({
  find: {
    summary: "Finds something.",
    access: "none",
    input: z.object({ code: z.enum(["not_found", "busy", "invalid_token"]) }),
    output: z.object({}),
    errors: ["not_found"],
  },
});

const families = {
  images: "public",
  avatars: "public",
  codes: "public",
  downloads: "public",
  pairing: "public",
} as const;

const failures = {
  not_found: new TelexError("not_found"),
  busy: new TelexError("busy"),
  invalid_token: new TelexError("invalid_token"),
};

const tally = new Tally();

const service = (checkOutput: boolean) =>
  bindAll(
    { things: contract },
    { things: { find: (_caller, { code }) => Promise.reject(failures[code]) } },
    {
      families,
      checkOutput,
      work: createWork(systemClock, tally),
      tally,
      observer: {},
      security: createSecurityLog(silentLogger, systemClock),
      assertCurrent: () => undefined,
      seenEverywhere: () => Promise.resolve(),
    },
  ).services.things;

it("under checkOutput, an error that the contract does not list is a fault of the operation", async () => {
  await expect(service(true).find(operator, { code: "busy" })).rejects.toThrow(
    "things.find failed with busy, which its contract does not list.",
  );
});

it("under checkOutput, declared errors and those that every operation can fail with pass", async () => {
  await expect(service(true).find(operator, { code: "not_found" })).rejects.toMatchObject({ code: "not_found" });
  await expect(service(true).find(operator, { code: "invalid_token" })).rejects.toMatchObject({
    code: "invalid_token",
  });
});

it("without checkOutput, errors pass as they are", async () => {
  await expect(service(false).find(operator, { code: "busy" })).rejects.toMatchObject({ code: "busy" });
});
