import { basename } from "node:path/posix";
import { TelexError } from "@telex/core";
import { type OutgoingFile, parseImageName } from "@telex/core/transport";
import type { Media } from "../wire/parts.ts";
import type { Acting, Actor } from "./context.ts";
import { ActionError, assertCurrent } from "./results.ts";

/** Maximum milliseconds for fetching a picture or file. */
const fetchTime = 30_000;

/** A file that is stored here. */
export interface LocalFile {
  readonly id: string;
  readonly file: OutgoingFile;
  /** The address for downloads without a token; null if it is neither in a message nor a picture. */
  readonly url: string | null;
}

const isImageName = (name: string): boolean => parseImageName(name)?.thumbnail === false;

const uploadId = /^([0-9a-f]{32})(?:~([\w-]+))?$/;
const filePath = /^[0-9a-f]{32}\/[^/]+$/;

/** The ID under which frameworks know a file of a message. */
export const fileIdOf = (relativePath: string): string => Buffer.from(relativePath).toString("base64url");

/** The ID under which a framework knows its upload. It contains the name, so that no server has to remember it. */
export const uploadIdOf = (md5: string, name: string): string =>
  name === "" ? md5 : `${md5}~${Buffer.from(name.slice(0, 512)).toString("base64url")}`;

/** The name in the ID of an upload, or `""`. */
const uploadNameOf = (id: string): string => Buffer.from(uploadId.exec(id)?.[2] ?? "", "base64url").toString();

/** The path of a file of a message, as its segment has it. */
const pathOf = (id: string): string => Buffer.from(id, "base64url").toString();

/** The name of a file of a message. */
export const fileNameOf = (relativePath: string): string => basename(relativePath);

/** The name in the ID of an upload, or of a file of a message; `""` for any other text. */
export function nameInId(id: string): string {
  const path = pathOf(id);
  return filePath.test(path) && fileIdOf(path) === id ? fileNameOf(path) : uploadNameOf(id);
}

/** The address of a picture of a message. */
export const imageUrl = (baseUrl: string, name: string): string => `${baseUrl}/download/${name}`;

/** The address of a file of a message. */
export const fileUrl = (baseUrl: string, relativePath: string): string =>
  `${baseUrl}/downloadFile/${fileIdOf(relativePath)}/local/${encodeURIComponent(fileNameOf(relativePath))}`;

/**
 * The file with an ID: that of a picture, of a file of a message, or of an upload of the account.
 * @throws TelexError `file_not_found`
 */
export async function findFile({ telex, holder, baseUrl }: Actor, id: string): Promise<LocalFile> {
  if (isImageName(id))
    return { id, file: await telex.bucket.download(holder, { file: id }), url: imageUrl(baseUrl(), id) };
  const [, md5] = uploadId.exec(id) ?? [];
  if (md5 !== undefined) {
    const file = await telex.bucket.file(holder, { md5 });
    const url = isImageName(file.name) ? imageUrl(baseUrl(), file.name) : null;
    return { id, file: { ...file, name: uploadNameOf(id) || file.name }, url };
  }
  const path = pathOf(id);
  if (id === "" || fileIdOf(path) !== id) throw new TelexError("file_not_found");
  const file = await telex.bucket.downloadFile(holder, { path: id, where: "local", name: fileNameOf(path) });
  return { id, file, url: fileUrl(baseUrl(), path) };
}

/** The ID that an address of this server names, or null. */
function ownId(url: string, baseUrl: string): string | null {
  if (!url.startsWith(`${baseUrl}/`)) return null;
  const [, , id = ""] = /^\/(download|downloadFile)\/([^/?]+)/.exec(url.slice(baseUrl.length)) ?? [];
  return id === "" ? null : id;
}

/** Stores bytes as an upload of the account, and returns its MD5. */
async function upload(actor: Acting, name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const { telex, holder } = actor;
  assertCurrent(actor);
  const { file_id } = await telex.bucket.upload(holder, { file: { name: name || "file", mime: "", bytes } });
  return file_id;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Bytes that came as base64.
 * @throws ActionError `bad_segment`
 */
export function readBase64(text: string): Uint8Array {
  if (!/^[\w+/-]*={0,2}$/.test(text) || text === "") throw new ActionError("bad_segment", "The bytes are not base64.");
  return Buffer.from(text, "base64");
}

/** Stores bytes that came in a frame, and returns their MD5. */
export const uploadBytes = (actor: Acting, name: string, text: string): Promise<string> =>
  upload(actor, name, once(readBase64(text)));

/** Fetches an address by the rules of avatars, stores the file, and returns its MD5. */
export async function uploadFrom(actor: Acting, name: string, url: string): Promise<string> {
  const own = ownId(url, actor.baseUrl());
  if (own !== null) return uploadAgain(actor, own);
  const signal = AbortSignal.any([actor.ended, AbortSignal.timeout(fetchTime)]);
  const bytes = await actor.fetchMedia(url, signal).catch((cause: unknown) => {
    throw new ActionError("network", `The address cannot be fetched: ${cause instanceof Error ? cause.message : ""}`);
  });
  return upload(actor, name, bytes);
}

/** A file that is stored already, as an upload of the account. */
async function uploadAgain(actor: Acting, id: string): Promise<string> {
  const { file } = await findFile(actor, id);
  return uploadId.exec(id)?.[1] ?? upload(actor, file.name, await file.open());
}

const base64 = "base64://";
const isUrl = (text: string): boolean => /^https?:\/\//.test(text);

/**
 * The MD5 of an upload of the account for a segment's media: bytes, an address, or a stored file.
 * @throws ActionError `bad_segment`, `network`; TelexError
 */
export async function resolveMedia(actor: Acting, media: Media): Promise<string> {
  const { file, url, fileId, name } = media;
  const source = file || fileId;
  if (source.startsWith(base64)) return uploadBytes(actor, name, source.slice(base64.length));
  if (isUrl(source)) return uploadFrom(actor, name, source);
  if (source.startsWith("file:")) {
    throw new ActionError("bad_segment", "Paths are not read. Send bytes as base64://, or an address.");
  }
  try {
    return await uploadAgain(actor, fileId || file);
  } catch (cause) {
    if (url === null || !isUrl(url) || !TelexError.is(cause)) throw cause;
    return uploadFrom(actor, name, url);
  }
}
