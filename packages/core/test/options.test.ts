import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createTelex } from "../src/instance/create-telex.ts";

const parts = { storage: createMemoryStorage(), blobs: createMemoryBlobs(), images: createSharpEngine() };

/** Options from plain JavaScript, which no compiler has checked. */
async function refusalOf(options: object): Promise<string> {
  try {
    const telex = await createTelex({ ...parts, ...options });
    await telex.close();
    return "";
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error);
  }
}

describe("the options of createTelex", () => {
  it.each([
    [{ timezone: "UTC" }, 'createTelex has no option "timezone". Did you mean "timeZone"?'],
    [{ frobnicate: 1 }, 'createTelex has no option "frobnicate".'],
    [{ locale: "fr" }, 'The option "locale" of createTelex must be "zh-CN" or "en".'],
    [{ timeZone: 8 }, 'The option "timeZone" of createTelex must be a string.'],
    [{ models: { echo: {} } }, 'The option "models" of createTelex must be a Map.'],
    [{ plugins: {} }, 'The option "plugins" of createTelex must be an array.'],
    [{ checkOutput: "yes" }, 'The option "checkOutput" of createTelex must be true or false.'],
    [{ log: { info() {} } }, 'The option "log" of createTelex must be an object with info(), warn(), error().'],
    [{ limits: { deviceQueu: 5 } }, 'createTelex has no option "limits.deviceQueu". Did you mean "deviceQueue"?'],
    [{ limits: { deviceQueue: "5" } }, 'The option "limits.deviceQueue" of createTelex must be a number, 0 or more.'],
    [
      { limits: { messageText: 10_001 } },
      'The option "limits.messageText" of createTelex must be a number from 0 to 10000.',
    ],
    [
      { limits: { messageSegments: 101 } },
      'The option "limits.messageSegments" of createTelex must be a number from 0 to',
    ],
    [{ access: { images: true } }, 'The option "access.images" of createTelex must be "public" or "token".'],
    [{ allocation: { unit: "count", max: -1, period: "daily" } }, 'The option "allocation.max" of createTelex must be'],
    [{ storage: undefined }, 'createTelex needs the option "storage": an object.'],
    [{ images: undefined }, 'createTelex needs the option "images": an object with'],
    [{ blobs: {} }, 'The option "blobs" of createTelex must be an object with put(), open(), such as createFsBlobs()'],
  ])("are refused by name if they are unknown or mistyped: %j", async (options, message) => {
    expect(await refusalOf(options)).toContain(message);
  });

  it.each(["deviceText", "deviceName", "pollWait", "nonceLength", "avatarSide"])(
    "are refused if they would change what the interface fixes: limits.%s",
    async (name) => {
      expect(await refusalOf({ limits: { [name]: 1 } })).toContain(`createTelex has no option "limits.${name}".`);
    },
  );

  it("count as not given if they are undefined", async () => {
    expect(
      await refusalOf({ storage: createMemoryStorage(), timeZone: undefined, limits: { deviceQueue: undefined } }),
    ).toBe("");
  });
});
