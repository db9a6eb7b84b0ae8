import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createClient, type TelexClientError } from "../src/client/client.ts";
import { overBothTransports, type Setup } from "./setup.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const clientOf = ({ http, url }: Setup, token?: string, language = "en") =>
  createClient({
    url,
    language,
    ...(token === undefined ? {} : { token }),
    ...(url.endsWith(".test") ? { fetch: (request: Request) => http.fetch(request) } : {}),
  });

/** The error of a refused call. */
const refusal = async (call: Promise<unknown>): Promise<TelexClientError> =>
  await call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: TelexClientError) => error,
  );

overBothTransports("the client", (open) => {
  it("calls operations with bodies, queries and nothing", async () => {
    const given = await open();
    const { teleprinter, ai, users } = clientOf(given, given.alice.token);
    const { online } = await teleprinter.register({ deviceId: "printer", name: "Kitchen" });
    const { id } = await teleprinter.send({ deviceId: "printer", content: "hello & more" });
    const [message] = await teleprinter.poll({ deviceId: "printer", limit: 1 });
    const { allocationMax } = await ai.quota();
    expect({ online, allocationMax, message }).toMatchObject({
      online: true,
      allocationMax: 100,
      message: { id, content: "hello & more", delivered: 1 },
    });
    expect(await users.userId()).toEqual({ id: given.alice.id });
  });

  it("uploads and downloads", async () => {
    const given = await open();
    const { bucket, images, avatars } = clientOf(given);
    const code = await bucket.generateCode({ storageId: "ImageToText" });
    const file = new File([png], "照片.png", { type: "image/png" });
    const { file_id, name } = await bucket.uploadByCode({ storageId: "ImageToText", code, file });
    expect(name).toBe("照片.png");
    const image = await bucket.download({ file: `${file_id}.png` });
    expect(Buffer.from(await image.arrayBuffer()).equals(png)).toBe(true);
    const { text, cached } = await images.imageText({ file_id, col: 4 });
    expect({ lines: text.split("\r\n")[0]?.length, cached }).toEqual({ lines: 4, cached: false });
    expect((await avatars.personal({ id: "1" })).type).toBe("image/jpeg");
  });

  it("throws what the service refuses with", async () => {
    const given = await open();
    const { teleprinter } = clientOf(given, given.alice.token);
    const error = await refusal(teleprinter.register({ deviceId: "a b", name: "n" }));
    expect(error).toMatchObject({
      name: "TelexClientError",
      code: "invalid_request",
      status: 400,
      message: "The request is not valid.",
      issues: [{ path: "deviceId", message: "must be 1 to 64 letters, digits, _ or -" }],
    });
    const unknown = await refusal(clientOf(given).teleprinter.devices());
    expect(unknown).toMatchObject({ code: "invalid_token", status: 401, issues: [] });
  });
});

describe("the client module", () => {
  it("can be stopped", async () => {
    const stopped = async ({ signal }: Request): Promise<Response> => {
      signal.throwIfAborted();
      return new Response();
    };
    const { teleprinter } = createClient({ url: "http://telex.test", fetch: stopped });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(teleprinter.devices({}, { signal })).rejects.toThrow("enough");
  });

  it("tells an answer that is not from a Telex", async () => {
    const client = createClient({
      url: "http://other.test/",
      fetch: async () => new Response("<html>", { status: 502 }),
    });
    expect(await refusal(client.ai.quota())).toMatchObject({ code: "unknown", status: 502 });
  });

  it("loads nothing that a browser lacks", () => {
    const harmless = ["../routes.ts", "./events.ts", "./methods.ts", "eventsource-parser"];
    for (const name of ["client/client.ts", "client/events.ts", "client/methods.ts", "routes.ts"]) {
      const source = readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8");
      const imports = [...source.matchAll(/^import (?!type\b)[^;]*? from "([^"]+)";/gm)].map(([, from]) => from);
      expect(imports.filter((from) => from === undefined || !harmless.includes(from))).toEqual([]);
    }
  });
});
