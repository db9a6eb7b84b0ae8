import { elementOf, type S3Client } from "./s3-client.ts";
import { abortUpload } from "./s3-upload.ts";
import { nameOf, elementsOf } from "./s3-xml.ts";

/** The uploads that a sweep may end. */
interface Leftovers {
  /** Unix milliseconds. */
  readonly before: number;
  readonly isOurs: (key: string) => boolean;
  /** Uploads in progress in this process. */
  readonly active: ReadonlySet<string>;
}

/** Ends uploads that another process abandoned. A page lists the first 1000; the next call ends the others. */
export async function endUploads(client: S3Client, { before, isOurs, active }: Leftovers): Promise<number> {
  const xml = await client.sendForText({ method: "GET", query: { uploads: "", prefix: client.prefix } });
  let ended = 0;
  for (const left of elementsOf(xml, "Upload")) {
    const [name, uploadId] = [nameOf(client, left), elementOf(left, "UploadId") ?? ""];
    const isOld = Date.parse(elementOf(left, "Initiated") ?? "") < before;
    if (!isOld || !isOurs(name) || active.has(uploadId)) continue;
    await abortUpload(client, name, uploadId);
    ended += 1;
  }
  return ended;
}
