import { createHash } from "node:crypto";
import { anonymous, defaultLimits, type Limits, type Telex, TelexError } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { describe, expect, it } from "vitest";
import { head, openRaw } from "./raw.ts";
import { overBothTransports, setup, type Setup } from "./setup.ts";
import type { HttpLimits } from "../src/limits.ts";

const bucket = "/external/api/v1/bucket/upload";
const boundary = "----telex";
const formType = `multipart/form-data; boundary=${boundary}`;

const part = (headers: string, content: string): string => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const filePart = (content: string, field = "file"): string =>
  part(`content-disposition: form-data; name="${field}"; filename="a.bin"\r\ncontent-type: text/plain`, content);
const end = `--${boundary}--\r\n`;

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

/** True if the file with these bytes is stored. */
async function isStored(telex: Telex, content: string): Promise<boolean> {
  const tried: unknown = await telex.images
    .imageText(anonymous, { file_id: md5(content) })
    .catch((error: unknown) => error);
  return !TelexError.is(tried) || tried.code !== "file_not_found";
}

/** Sends the text of a form unchanged. */
const sendForm = ({ send, alice }: Setup, body: string, type = formType): Promise<Response> =>
  send(bucket, { method: "POST", body, headers: { "content-type": type }, token: alice.token });

overBothTransports("an upload", (open) => {
  const limited = (limits: Partial<Limits>) => open({ telex: { limits } });

  it("of exactly the limit is stored, and one byte more is refused and not kept", async () => {
    const given = await limited({ fileSize: 100_000 });
    const [fits, exceeds] = ["a".repeat(100_000), "b".repeat(100_001)];
    expect((await sendForm(given, filePart(fits) + end)).status).toBe(200);
    const refused = await sendForm(given, filePart(exceeds) + end);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ code: 413, data: { error: "too_large" } });
    expect(await isStored(given.telex, exceeds)).toBe(false);
  });

  it("as a body of exactly the limit is stored, and one byte more is refused", async () => {
    const { send, telex } = await limited({ fileSize: 1000 });
    const upload = async (size: number) => {
      const code = await telex.bucket.generateCode(anonymous, {});
      return await send(`/filePersistence/upload/default/${code}`, { method: "POST", body: "x".repeat(size) });
    };
    expect((await upload(1000)).status).toBe(200);
    expect((await upload(1001)).status).toBe(413);
  });

  it("of a user is refused when the share of the day is used up, as is one by code, and says when more is possible", async () => {
    const given = await limited({ userUploads: 1000, codeUploads: 500 });
    expect((await sendForm(given, filePart("a".repeat(1000)) + end)).status).toBe(200);
    const byUser = await sendForm(given, filePart("b") + end);
    const code = await given.telex.bucket.generateCode(anonymous, {});
    const path = `/filePersistence/upload/default/${code}`;
    const byCode = await given.send(path, { method: "POST", body: "c".repeat(501) });
    for (const refused of [byUser, byCode]) {
      expect(refused.status).toBe(429);
      expect(await refused.json()).toMatchObject({ code: 429, data: { error: "quota_exceeded" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await isStored(given.telex, "b")).toBe(false);
    expect((await given.send(path, { method: "POST", body: "c".repeat(500) })).status).toBe(200);
  });

  it("wins its code alone, however many come simultaneously", async () => {
    const { send, telex } = await open();
    const code = await telex.bucket.generateCode(anonymous, {});
    const path = `/filePersistence/upload/default/${code}`;
    const answers = Array.from({ length: 8 }, (_, index) => send(path, { method: "POST", body: `file ${index}` }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });

  it("keeps the other fields of its form out of the file", async () => {
    const given = await open();
    const field = part('content-disposition: form-data; name="note"', "before");
    const answer = await sendForm(given, field + filePart("content", "other") + filePart("the file") + field + end);
    expect(await answer.json()).toMatchObject({ data: { file_id: md5("the file"), size: 8 } });
    expect(await isStored(given.telex, "content")).toBe(false);
  });

  it.each([
    ["with two files", filePart("one") + filePart("two") + end],
    ["without a file", filePart("one", "other") + end],
    ["without parts", end],
    ["with nothing", ""],
    ["whose last boundary is missing", filePart("one")],
    ["that ends within its file", filePart("one").slice(0, -3)],
    [
      "whose rest is broken off",
      `${filePart("one")}--${boundary}\r\ncontent-disposition: form-data; name="x"\r\n\r\ny`,
    ],
    ["with too many parts", filePart("one") + filePart("x", "x").repeat(20) + end],
    ["that ends within the headers of a part", `--${boundary}\r\n--${boundary}--\r\n\r\n--${boundary}--`],
    ["of another boundary", "--other\r\n\r\n--other--\r\n"],
  ])("%s is refused, and nothing of it is kept", async (_what, body) => {
    const given = await open();
    const answer = await sendForm(given, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 400, data: { error: "invalid_request" } });
    expect(await isStored(given.telex, "one")).toBe(false);
  });

  it("without a boundary is refused", async () => {
    const given = await open();
    expect((await sendForm(given, filePart("one") + end, "multipart/form-data")).status).toBe(400);
  });

  it("with an endless part in addition to its file is refused", async () => {
    const given = await limited({ fileSize: 1000 });
    const answer = await sendForm(given, filePart("one") + filePart("x".repeat(1_100_000), "other") + end);
    expect(answer.status).toBe(413);
    expect(await isStored(given.telex, "one")).toBe(false);
  });

  it("in a coding is refused", async () => {
    const { send, alice } = await open();
    const headers = { "content-type": formType, "content-encoding": "gzip" };
    const answer = await send(bucket, { method: "POST", body: "x", headers, token: alice.token });
    expect(answer.status).toBe(415);
  });

  it("for which there is no room is refused with 503", async () => {
    const given = await open({ telex: { blobs: createMemoryBlobs({ capacity: 1000 }) } });
    const answer = await sendForm(given, filePart("x".repeat(5000)) + end);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await answer.json()).toMatchObject({ data: { error: "storage_full" } });
  });

  it("keeps the name of its file, whatever it is made of", async () => {
    const { send, alice } = await open();
    const form = new FormData();
    form.set("file", new Blob(["x"]), "../..\\照片 \u202e.txt");
    const answer = await send(bucket, { method: "POST", body: form, token: alice.token });
    expect(await answer.json()).toMatchObject({ code: 200, data: { size: 1 } });
  });
});

/** Begins an upload over a socket, and sends this part of it. */
async function begin(limits: Partial<HttpLimits>, body: string, length = 1000) {
  const given = await setup("over a socket", { limits });
  const raw = await openRaw(given.url);
  const authorization = `Bearer ${given.alice.token}`;
  raw.write(head(`POST ${bucket}`, { authorization, "content-type": formType, "content-length": String(length) }));
  raw.write(body);
  return { ...given, raw };
}

it("an upload in process that is refused on its way is given up", async () => {
  const given = await setup("in process", { telex: { limits: { fileSize: 1000 } } });
  const code = await given.telex.bucket.generateCode(anonymous, {});
  const { promise: up, resolve } = Promise.withResolvers<string>();
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(100)),
    cancel: () => resolve("given up"),
  });
  const init: RequestInit = { method: "POST", body: endless, duplex: "half" };
  const answer = await given.send(`/filePersistence/upload/default/${code}`, init);
  expect(answer.status).toBe(413);
  expect(await up).toBe("given up");
});

describe("an upload over a socket", () => {
  const started = filePart("one").slice(0, -4);

  it("on which nothing arrives for a while ends with 408", async () => {
    const { raw, telex } = await begin({ uploadSilence: 30, lingerTime: 30 }, started);
    expect(await raw.ended).toMatch(/^HTTP\/1\.1 408 .*"timeout"/s);
    expect(await isStored(telex, "one")).toBe(false);
  });

  it("that comes byte by byte ends with 408 when its whole time is over", async () => {
    const { raw, telex } = await begin({ uploadTime: 100 }, started, 1_000_000_000 / 10);
    const drip = (): void => {
      if (raw.socket.writable) raw.socket.write("x", () => setImmediate(drip));
    };
    drip();
    expect(await raw.until(/"timeout"/)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await isStored(telex, "one")).toBe(false);
  });

  it("with a code that cannot be spent is refused before anything of its form has come", async () => {
    const { url } = await setup("over a socket");
    const raw = await openRaw(url);
    const headers = { "content-type": formType, "content-length": "1000" };
    raw.write(head("POST /filePersistence/upload/default/nonsense", headers));
    expect(await raw.until(/\}$/)).toMatch(/^HTTP\/1\.1 404 .*"not_found"/s);
  });

  it("that announces too much is refused before it is sent", async () => {
    const { raw } = await begin({ lingerTime: 30 }, "", defaultLimits.fileSize + 2 * 1024 * 1024);
    expect(await raw.ended).toMatch(/^HTTP\/1\.1 413 .*"too_large"/s);
  });

  it.each([
    ["within its file", started],
    ["after its file", filePart("one")],
  ])("that breaks off %s leaves nothing behind, and frees what it held", async (_when, body) => {
    const blobs = createMemoryBlobs();
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const put = async (blobId: string, bytes: ByteStream): Promise<void> => {
      begun.resolve();
      await blobs.put(blobId, bytes).finally(ended.resolve);
    };
    const given = await setup("over a socket", { telex: { blobs: { ...blobs, put } } });
    const raw = await openRaw(given.url);
    const authorization = `Bearer ${given.alice.token}`;
    raw.write(head(`POST ${bucket}`, { authorization, "content-type": formType, "content-length": "1000" }) + body);
    await begun.promise;
    raw.socket.resetAndDestroy();
    await ended.promise;
    expect(await isStored(given.telex, "one")).toBe(false);
    expect(given.log).toEqual([]);
  });

  it("that is refused gets its answer though all of it is sent first", async () => {
    const { url } = await setup("over a socket");
    const raw = await openRaw(url);
    const body = filePart("x".repeat(2_000_000)) + end;
    raw.write(head(`POST ${bucket}`, { "content-type": formType, "content-length": String(body.length) }) + body);
    expect(await raw.until(/\}$/)).toMatch(/^HTTP\/1\.1 401 /);
    raw.write(head("GET /healthz"));
    expect(await raw.until(/HTTP\/1\.1 200/)).toContain("invalid_token");
  });

  it.each([
    ["a form", formType, filePart("x".repeat(300_000)) + end],
    ["the body itself", "image/png", "x".repeat(300_000)],
  ])("that is refused while it comes, as %s, leaves its connection usable", async (_how, type, body) => {
    const { url } = await setup("over a socket");
    const raw = await openRaw(url);
    const headers = { "content-type": type, "content-length": String(body.length) };
    raw.write(head("POST /filePersistence/upload/default/nonsense", headers) + body.slice(0, 1000));
    expect(await raw.until(/\}$/)).toMatch(/^HTTP\/1\.1 404 /);
    raw.write(body.slice(1000) + head("GET /healthz"));
    expect(await raw.until(/HTTP\/1\.1 200/)).toContain("not_found");
  });

  it("leaves its code usable when it breaks off", async () => {
    const { url, send, telex } = await setup("over a socket");
    const code = await telex.bucket.generateCode(anonymous, {});
    const path = `/filePersistence/upload/default/${code}`;
    const raw = await openRaw(url);
    raw.write(head(`POST ${path}`, { "content-type": "image/png", "content-length": "1000" }) + "begun");
    raw.socket.end();
    await raw.ended;
    expect((await send(path, { method: "POST", body: "whole" })).status).toBe(200);
  });
});
