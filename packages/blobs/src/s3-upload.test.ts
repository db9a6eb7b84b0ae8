import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createS3Client } from "./s3-client.ts";
import { abortUpload, upload } from "./s3-upload.ts";

const partSize = 5 * 2 ** 20;
const completed = "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>";

/** A request without the names of the bucket, such as `PUT key?partNumber=1`. */
interface Seen {
  readonly request: string;
  readonly body: Buffer;
  readonly sha256: string;
}

type Answer = (request: string, response: ServerResponse) => void;

/** A service that responds with `answer`, or with success if `answer` does not end the response. */
async function createService(answer: Answer = () => undefined) {
  const seen: Seen[] = [];
  const listen = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? "", "http://localhost");
    const name = `${request.method} ${pathname.replace("/bucket/", "")}${search}`;
    seen.push({
      request: name,
      body: await buffer(request),
      sha256: String(request.headers["x-amz-content-sha256"]),
    });
    answer(name, response);
    if (response.writableEnded) return;
    if (search === "?uploads=") response.end("<UploadId>u-1</UploadId>");
    else if (request.method === "POST") response.end(completed);
    else response.writeHead(200, { etag: `"${seen.length}"` }).end();
  };
  const server = createServer((request, response) => void listen(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const options = { endpoint: `http://127.0.0.1:${port}`, bucket: "bucket", accessKeyId: "k", secretAccessKey: "s" };
  return { client: createS3Client(options), seen, requests: () => seen.map(({ request }) => request) };
}

async function* bytes(...sizes: readonly number[]) {
  for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, index + 1);
}

const digestOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

it.each([0, 1, partSize - 1])("stores %i bytes with one request, and names their digest", async (size) => {
  const { client, seen, requests } = await createService();
  await upload(client, "key", bytes(size), new Set());
  expect(requests()).toEqual(["PUT key"]);
  expect(seen[0]?.body).toHaveLength(size);
  expect(seen[0]?.sha256).toBe(digestOf(Buffer.alloc(size, 1)));
});

it("stores larger streams in parts of 5 MiB, each with its digest, and completes them in their order", async () => {
  const active = new Set<string>();
  const during: string[][] = [];
  const { client, seen, requests } = await createService(() => void during.push([...active]));
  const sizes = [partSize - 1, partSize + 1, 3] as const;
  await upload(client, "key", bytes(...sizes), active);
  expect(requests()).toEqual([
    "POST key?uploads=",
    "PUT key?partNumber=1&uploadId=u-1",
    "PUT key?partNumber=2&uploadId=u-1",
    "PUT key?partNumber=3&uploadId=u-1",
    "POST key?uploadId=u-1",
  ]);
  const whole = Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index + 1)));
  const parts = seen.slice(1, 4);
  expect(Buffer.concat(parts.map(({ body }) => body)).equals(whole)).toBe(true);
  expect(parts.map(({ body }) => body.byteLength)).toEqual([partSize, partSize, 3]);
  expect(parts.map(({ sha256 }) => sha256)).toEqual(parts.map(({ body }) => digestOf(body)));
  const [first, second, third] = [2, 3, 4].map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`,
  );
  expect(seen[4]?.body.toString()).toBe(`<CompleteMultipartUpload>${first}${second}${third}</CompleteMultipartUpload>`);
  expect(during).toEqual([[], ["u-1"], ["u-1"], ["u-1"], ["u-1"]]);
  expect(active.size).toBe(0);
});

it("sends a stream of exactly one part as one part", async () => {
  const { client, requests } = await createService();
  await upload(client, "key", bytes(partSize), new Set());
  expect(requests()).toEqual(["POST key?uploads=", "PUT key?partNumber=1&uploadId=u-1", "POST key?uploadId=u-1"]);
});

it("aborts an upload whose stream fails, and ends with the failure of the stream", async () => {
  const active = new Set<string>();
  const { client, requests } = await createService();
  async function* failing() {
    yield Buffer.alloc(partSize + 1);
    throw new Error("The sender has left.");
  }
  await expect(upload(client, "key", failing(), active)).rejects.toThrow("The sender has left.");
  expect(requests().at(-1)).toBe("DELETE key?uploadId=u-1");
  expect(active.size).toBe(0);
});

it.each(["<Code>InternalError</Code>", `<Code>InternalError</Code>${completed}`, ""])(
  "fails where a completion is answered with 200 and %j",
  async (answer) => {
    const { client, requests } = await createService((request, response) => {
      if (request === "POST key?uploadId=u-1") response.end(answer);
    });
    const stored = upload(client, "key", bytes(partSize), new Set());
    await expect(stored).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(requests().at(-1)).toBe("DELETE key?uploadId=u-1");
  },
);

it.each([
  [200, "takes an upload that has ended for complete if its object exists"],
  [404, "fails if an upload has ended and its object does not exist"],
])("with a status of %i %s", async (status) => {
  const { client } = await createService((request, response) => {
    if (request === "POST key?uploadId=u-1") response.writeHead(404).end("<Code>NoSuchUpload</Code>");
    if (request === "GET key") response.writeHead(status).end("x");
  });
  const stored = upload(client, "key", bytes(partSize), new Set());
  if (status === 200) await expect(stored).resolves.toBeUndefined();
  else await expect(stored).rejects.toMatchObject({ code: "storage_unavailable" });
});

it("fails if the service starts no upload", async () => {
  const { client, requests } = await createService((request, response) => {
    if (request === "POST key?uploads=") response.end("<Other/>");
  });
  const stored = upload(client, "key", bytes(partSize), new Set());
  await expect(stored).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(requests()).toEqual(["POST key?uploads="]);
});

it("succeeds in aborting an upload that has ended", async () => {
  const { client, requests } = await createService((_request, response) => void response.writeHead(404).end());
  await abortUpload(client, "key", "u-9");
  expect(requests()).toEqual(["DELETE key?uploadId=u-9"]);
});
