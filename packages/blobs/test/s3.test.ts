import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createS3Blobs, createS3Objects, type S3Options } from "@telex/blobs/s3";
import { expect, it, onTestFinished } from "vitest";
import { blobId, collect, manyChunks } from "./support.ts";

/** A bucket of a service that responds in this way. */
async function bucketOf(prefix: string, respond: RequestListener): Promise<S3Options> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, bucket: "bucket", prefix, accessKeyId: "key", secretAccessKey: "secret" };
}

const blobsOf = async (prefix: string, respond: RequestListener) => createS3Blobs(await bucketOf(prefix, respond));

it("lists and sweeps below a prefix that XML escapes", async () => {
  const key = `R&amp;D&apos;s/${blobId(1)}`;
  const deleted: string[] = [];
  const blobs = await blobsOf("R&D's/", ({ method, url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (method === "DELETE") deleted.push(decodeURIComponent(pathname));
    const time = "2020-01-01T00:00:00.000Z";
    const upload = `<Upload><Key>${key}</Key><UploadId>u-1</UploadId><Initiated>${time}</Initiated></Upload>`;
    const object = `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><Size>3</Size></Contents>`;
    response.end(`<Result>${searchParams.has("uploads") ? upload : object}</Result>`);
  });
  expect(await collect(blobs.list())).toEqual([{ blobId: blobId(1), size: 3, createdAt: Date.UTC(2020, 0) }]);
  expect(await blobs.sweepPartial(Date.now())).toBe(1);
  expect(deleted).toEqual([`/bucket/R&D's/${blobId(1)}`]);
});

it("lets go of a stream when the service refuses it", async () => {
  const blobs = await blobsOf("", (request, response) => {
    request.resume();
    response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
  });
  let isOpen = true;
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(2 ** 20);
    } finally {
      isOpen = false;
    }
  }
  await expect(blobs.put(blobId(1), endless())).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(isOpen).toBe(false);
});

it("takes an upload for complete if only the response to its completion was lost", async () => {
  let completions = 0;
  const aborted: string[] = [];
  const blobs = await blobsOf("", (request, response) => {
    const { method, url = "" } = request;
    const { searchParams } = new URL(url, "http://localhost");
    request.resume().on("end", () => {
      if (searchParams.has("uploads")) response.end("<Result><UploadId>u-1</UploadId></Result>");
      else if (method === "PUT") response.setHeader("etag", '"part"').end();
      else if (method === "DELETE") response.end(void aborted.push(url));
      else if (method === "GET") response.writeHead(206).end("x");
      else if ((completions += 1) === 1) request.socket.destroy();
      else response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
    });
  });
  await blobs.put(blobId(1), manyChunks(6, 2 ** 20));
  expect([completions, aborted]).toEqual([2, []]);
});

it("writes for its first probe only, and again after a failure", async () => {
  const methods: (string | undefined)[] = [];
  let isGone = false;
  const blobs = await blobsOf("", (request, response) => {
    methods.push(request.method);
    request.resume();
    if (isGone) response.writeHead(404).end("<Error><Code>NoSuchBucket</Code></Error>");
    else response.end();
  });
  for (let count = 0; count < 3; count += 1) await blobs.probe();
  isGone = true;
  await expect(blobs.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  isGone = false;
  await blobs.probe();
  expect(methods).toEqual(["PUT", "GET", "GET", "GET", "PUT"]);
});

it("asks once for a probe of a service that fails", async () => {
  let asked = 0;
  const blobs = await blobsOf("", (request, response) => {
    asked += 1;
    request.resume();
    response.writeHead(503).end();
  });
  await expect(blobs.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(asked).toBe(1);
});

it("tells folders of a bucket apart", async () => {
  const asked: string[] = [];
  const bucket = await bucketOf("a/", ({ url = "" }, response) => {
    asked.push(url);
    const prefixes = ["one", "R&amp;D"].map((name) => `<CommonPrefixes><Prefix>a/${name}/</Prefix></CommonPrefixes>`);
    response.end(`<Result>${prefixes.join("")}</Result>`);
  });
  expect(await collect(createS3Objects(bucket).folders())).toEqual(["one", "R&D"]);
  expect(asked[0]).toContain("delimiter=%2F");
});
