import { once } from "node:events";
import { createServer } from "node:http";
import { createS3Objects } from "@telex/blobs/s3";
import { expect, it, onTestFinished } from "vitest";
import { createBucketFolder } from "./bucket-folder.ts";

const bucketPath = "/bucket/";

/** A folder in a bucket that contains these objects and an upload in progress for each. */
async function createBucket(keys: readonly string[]) {
  const left = new Set(keys);
  const ended: string[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const key = decodeURIComponent(pathname).slice(bucketPath.length);
    if (method === "DELETE" && searchParams.has("uploadId")) ended.push(key);
    else if (method === "DELETE") left.delete(key);
    const time = "<Initiated>2020-01-01T00:00:00.000Z</Initiated>";
    const uploads = keys.map((name) => `<Upload><Key>${name}</Key><UploadId>1</UploadId>${time}</Upload>`);
    const objects = [...left].map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`);
    response.end(`<Result>${(searchParams.has("uploads") ? uploads : objects).join("")}</Result>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const keysOf = { accessKeyId: "key", secretAccessKey: "secret" };
  const options = { endpoint: `http://127.0.0.1:${port}`, bucket: "bucket", ...keysOf };
  return {
    folder: createBucketFolder("s3:bucket", (prefix) => createS3Objects({ ...options, prefix })),
    left,
    ended,
  };
}

const blobId = `${"a".repeat(32)}.png`;

it("takes no bucket with the uploaded files of an installation, whatever their prefix", async () => {
  for (const key of [blobId, `blobs/${blobId}`, `blobs/telex/${blobId}`, "blobs/probe", "telex.db-copy"]) {
    const { folder, left, ended } = await createBucket([key]);
    await expect(folder.begin()).rejects.toThrow(`s3:bucket contains ${key}, which does not belong to a backup.`);
    expect([...left]).toEqual([key]);
    expect(ended).toEqual([]);
  }
});

it("clears away what an interrupted backup has left", async () => {
  const keys = ["telex.db", "telex.db.age", `blobs/aa/${blobId}`, `blobs/aa/${blobId}.age`];
  const { folder, left, ended } = await createBucket(keys);
  await folder.begin();
  expect([...left]).toEqual([]);
  expect(ended).toEqual(keys);
});

it("leaves uploads in parts alone that are not of a backup", async () => {
  const { folder, left, ended } = await createBucket([blobId]);
  left.clear();
  await folder.begin();
  expect(ended).toEqual([]);
});
