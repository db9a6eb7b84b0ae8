import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Failure } from "../errors/errors.ts";
import { openLocal } from "../input/local-file.ts";
import type { Server } from "./server.ts";
import { printable, printFields, printJson } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { openResponse, withClient } from "./with-client.ts";

/** Streams a file to the server, for use in messages. */
export async function uploadFile(server: Server, path: string, json: boolean): Promise<void> {
  const file = await openLocal(path);
  const stored = await withClient(server, async ({ bucket }) => await bucket.upload({ file }));
  if (json) printJson(stored);
  else printFields({ file_id: stored.file_id, name: stored.name, size: stored.size, mime: stored.mime });
}

export interface Download {
  /** A `file_id`, a file name under `/download/`, or the path or address of a download on the server. */
  readonly source: string;
  /** `-` is stdout. Default: the name of the file, in this folder. */
  readonly out: string | undefined;
  readonly json: boolean;
  readonly talk: Talk;
}

/** Downloads a file. It gets its name when it is complete. */
export async function downloadFile(server: Server, { source, out, json, talk }: Download): Promise<void> {
  const path = pathOf(server, source);
  const { body: bytes, headers } = await openResponse(server, path);
  const body = bytes === null ? Readable.from([]) : Readable.fromWeb(bytes);
  if (out === "-") return await pipeline(body, process.stdout, { end: false });
  const target = out ?? `${basename(decodeURIComponent(path))}${isFileId(source) ? extensionIn(headers) : ""}`;
  const size = await write(body, target);
  if (json) printJson({ file: target, size });
  else talk.done(`${printable(target)}: ${size} bytes.`);
}

const isFileId = (source: string): boolean => /^[\da-f]{32}$/i.test(source);

/** The extension of the name that the server gives a file. The rest of this name is not trusted. */
const extensionIn = (headers: Headers): string =>
  /filename="[^"]*(\.[a-z\d]{1,8})"/i.exec(headers.get("content-disposition") ?? "")?.[1] ?? "";

/** @throws Failure `other_server` for an address of another server, which must not get the token */
function pathOf({ url }: Server, source: string): string {
  if (source.startsWith(`${url}/`)) return source.slice(url.length);
  if (/^https?:\/\//.test(source)) throw new Failure("other_server", `${source} is not on ${url}.`);
  if (isFileId(source)) return `/api/file/${source}`;
  return source.startsWith("/") ? source : `/download/${encodeURIComponent(source)}`;
}

async function write(body: Readable, target: string): Promise<number> {
  const partial = `${target}.${randomUUID()}.part`;
  try {
    await pipeline(body, createWriteStream(partial, { flags: "wx" }));
    const { size } = await stat(partial);
    await rename(partial, target);
    return size;
  } finally {
    await rm(partial, { force: true });
  }
}
