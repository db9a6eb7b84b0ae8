import type { BlobStore } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { head, openRaw } from "./raw.ts";
import { createHttp, serveHttp } from "../src/index.ts";
import { closeAfterTest, overBothTransports, setup, type Setup } from "./setup.ts";

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Uploads a file, and returns its MD5. */
async function upload({ send, alice }: Setup, bytes: Buffer, name: string, type: string): Promise<string> {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], name, { type }));
  const answer = await send("/external/api/v1/bucket/upload", { method: "POST", body: form, token: alice.token });
  return /"file_id":"(\w+)"/.exec(await answer.text())?.[1] ?? "";
}

/** Sends a file in a room, and returns its download path. */
async function attach(given: Setup, bytes: Buffer, name: string, type: string): Promise<string> {
  const { telex, alice } = given;
  const file_id = await upload(given, bytes, name, type);
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [alice.id] });
  const caller = await telex.authenticate(alice.token);
  const message = [{ type: "file" as const, data: { file_id, name } }];
  await telex.messages.send(caller, { groupId, groupType: 1, message });
  const { groupMessages } = await telex.messages.history(caller, { groupId, groupType: 1 });
  const relativePath = /"relativePath":"([^"]+)"/.exec(groupMessages[0]?.content ?? "")?.[1] ?? "";
  return Buffer.from(relativePath).toString("base64url");
}

/** A blob store with readers that `read` implements. Counts the open ones. */
function watchedBlobs(read: (bytes: ByteStream) => ByteStream) {
  const blobs = createMemoryBlobs();
  const counter = { open: 0, reads: 0, begun: Promise.withResolvers<void>(), ended: Promise.withResolvers<void>() };
  const store: BlobStore = {
    ...blobs,
    async open(blobId, range) {
      const bytes = await blobs.open(blobId, range);
      return bytes === null ? null : counted(read(bytes), counter);
    },
  };
  return { store, counter };
}

type Counter = ReturnType<typeof watchedBlobs>["counter"];

async function* counted(bytes: ByteStream, counter: Counter): ByteStreamGenerator {
  counter.open += 1;
  counter.reads += 1;
  counter.begun.resolve();
  try {
    yield* bytes;
  } finally {
    counter.open -= 1;
    counter.ended.resolve();
  }
}

async function* endless(): ByteStreamGenerator {
  for (;;) yield new Uint8Array(65_536);
}

type ByteStreamGenerator = AsyncGenerator<Uint8Array, void, undefined>;

const failAt = (count: number) =>
  async function* (bytes: ByteStream): ByteStreamGenerator {
    let seen = 0;
    for await (const chunk of bytes) {
      if ((seen += 1) > count) throw new Error("disk on fire: /secret/path");
      yield chunk.subarray(0, 1);
      if (count > 0) throw new Error("disk on fire: /secret/path");
    }
  };

overBothTransports("a download", (open) => {
  it("of an attachment is saved under its name, and never shown", async () => {
    const given = await open();
    const path = await attach(given, Buffer.from("<script>"), "页 <面>.html", "text/html");
    const answer = await given.send(`/downloadFile/${path}/local/${encodeURIComponent("页 <面>.html")}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="_ <_>.html"; filename*=UTF-8''%E9%A1%B5%20%3C%E9%9D%A2%3E.html`,
    );
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(await answer.text()).toBe("<script>");
  });

  it.each(["text/javascript", "text/html", "image/svg+xml", "application/wasm"])(
    "of an attachment that was called %s is bytes to a browser, for pages of this site only",
    async (mime) => {
      const given = await open();
      const answer = await given.send(
        `/downloadFile/${await attach(given, Buffer.from("alert(1)"), "a", mime)}/local/a`,
      );
      expect(answer.headers.get("content-type")).toBe("application/octet-stream");
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    },
  );

  it("of an image is asked for again each time, so that one that was taken out of service is gone", async () => {
    const given = await open();
    const file = await upload(given, gif, "a.gif", "image/gif");
    const path = `/download/${file}.gif`;
    const answer = await given.send(path);
    expect(answer.headers.get("content-type")).toBe("image/gif");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    const headers = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await given.send(path, { headers })).status).toBe(304);
    await given.send(`/api/generate/imagetotext?file_id=${file}`);
    await given.telex.operator.files.quarantine(operator, { file_id: file });
    const gone = [path, `/download/128_${file}.gif`, `/api/generate/imagetotext?file_id=${file}`];
    for (const address of gone) expect((await given.send(address, { headers })).status).toBe(404);
  });

  it("of an attachment that is an image is an attachment as well", async () => {
    const given = await open();
    const path = await attach(given, gif, "a.gif", "image/gif");
    const answer = await given.send(`/downloadFile/${path}/local/a.gif`);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(Buffer.from(await answer.arrayBuffer()).equals(gif)).toBe(true);
  });

  it("of an image that is gone is a picture where the installation says so", async () => {
    const { send } = await open({ missingImage: "placeholder" });
    const answer = await send(`/download/${"0".repeat(32)}.png`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/gif");
    expect(answer.headers.get("content-disposition")).toContain("noimage.gif");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const headers = { range: "bytes=0-2" };
    const part = await send(`/download/128_${"0".repeat(32)}.png`, { headers });
    expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: "GIF" });
    const known = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await send(`/download/${"0".repeat(32)}.png`, { headers: known })).status).toBe(304);
    expect((await send("/downloadFile/eA/local/a.png")).status).toBe(404);
  });

  it("that is given up lets go of its file", async () => {
    const { store, counter } = watchedBlobs(endless);
    const given = await open({ telex: { blobs: store } });
    const file = await upload(given, gif, "a.gif", "image/gif");
    const stop = new AbortController();
    const answer = await given.send(`/download/${file}.gif`, { signal: stop.signal });
    expect(counter.open).toBe(1);
    await answer.body?.cancel().catch(() => {});
    stop.abort();
    await counter.ended.promise;
    expect(counter.open).toBe(0);
  });

  it("that cannot be read is an internal error, which tells nothing but an incident", async () => {
    const { store } = watchedBlobs(failAt(0));
    const given = await open({ telex: { blobs: store } });
    const file = await upload(given, gif, "a.gif", "image/gif");
    const answer = await given.send(`/download/${file}.gif`, { headers: { "accept-language": "en" } });
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toMatch(/"msg":"An internal error occurred. Incident [0-9a-f]{16}."/);
    expect(text).not.toContain("disk");
    const incident = /[0-9a-f]{16}/.exec(text)?.[0] ?? "none";
    expect(given.log.join()).toContain(incident);
    expect(given.log.join()).toContain("disk on fire");
  });

  it("that fails on its way is cut, so that nobody takes the part for the whole", async () => {
    const { store } = watchedBlobs(failAt(1));
    const given = await open({ telex: { blobs: store } });
    const file = await upload(given, gif, "a.gif", "image/gif");
    const whole = given.send(`/download/${file}.gif`).then((answer) => answer.arrayBuffer());
    await expect(whole).rejects.toThrow(Error);
  });
});

it("a download whose reader stops reading is cut after a while", async () => {
  const { store, counter } = watchedBlobs(endless);
  const given = await setup("in process", { telex: { blobs: store } });
  const file = await upload(given, gif, "a.gif", "image/gif");
  const serving = await serveHttp(createHttp(given.telex, { limits: { socketSilence: 50 } }), { port: 0 });
  closeAfterTest(() => serving.close(0));
  // A busy machine may take longer than the silence to read the request: then it is sent again.
  while (counter.reads === 0) {
    const raw = await openRaw(serving.url);
    raw.write(head(`GET /download/${file}.gif`));
    await Promise.race([counter.begun.promise, raw.ended]);
    raw.socket.pause();
  }
  await counter.ended.promise;
  expect(counter.open).toBe(0);
});
