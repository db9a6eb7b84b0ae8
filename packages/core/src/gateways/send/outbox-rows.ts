import { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import { parseImageName } from "@telex/files/blobs";
import type { FileRecord } from "@telex/files/records";
import { readContent, type ReadSegment } from "../../records/content.ts";
import { typeOf } from "../../records/segments.ts";
import type { MessageAppend } from "../../records/message-append.ts";
import type { OutboxRecord } from "../../records/messages.ts";
import type { ToGatewayFile } from "../../networks/sending.ts";
import type { GatewayPart } from "../../networks/gateway.ts";
import { type KeptMessage, readKept } from "./kept.ts";

/** A message of the outbox, for its network and for the store. */
export interface OutboxMessage {
  readonly kept: KeptMessage;
  /** One for each of its segments. */
  readonly parts: readonly GatewayPart[];
}

export interface OutboxRowDeps {
  readonly findUploads: (userId: number, md5s: readonly string[]) => Promise<readonly FileRecord[]>;
  readonly toGatewayFile: ToGatewayFile;
}

export const nonceOf = ({ nonce, fingerprint }: OutboxRecord, life: number): MessageAppend["nonce"] =>
  nonce === null ? null : { value: nonce, fingerprint, life };

/** The MD5 of the file that a segment uses, or `""`. */
function md5Of({ image, file }: ReadSegment, { attachments }: KeptMessage): string {
  if (image !== undefined) return parseImageName(image.file)?.md5 ?? "";
  return attachments.find(({ relativePath }) => relativePath === file?.relativePath)?.md5 ?? "";
}

/** A mention for a network, which does not know a member without an ID. */
const partOfMention = ({ ext, name }: { readonly ext: string; readonly name: string }): GatewayPart =>
  ext === "" ? { kind: "text", text: `@${name} ` } : { kind: "at", ext };

export function onlySegments(
  kept: KeptMessage,
  isWanted: (segment: ReadSegment, index: number) => boolean,
): KeptMessage {
  const segments = readContent(kept.message.content);
  const only = (json: string): readonly unknown[] =>
    z
      .array(z.unknown())
      .parse(JSON.parse(json))
      .filter((_segment, index) => isWanted(segments[index] ?? {}, index));
  const matching = segments.filter(isWanted);
  const used = new Set(matching.map((segment) => md5Of(segment, kept)));
  const paths = new Set(matching.map(({ file }) => file?.relativePath));
  return {
    ...kept,
    message: {
      ...kept.message,
      type: typeOf(matching),
      content: JSON.stringify(only(kept.message.content)),
      pinyin: JSON.stringify(only(kept.message.pinyin)),
    },
    files: kept.files.filter((md5) => used.has(md5)),
    attachments: kept.attachments.filter(({ relativePath }) => paths.has(relativePath)),
  };
}

type Files = ReadonlyMap<string, FileRecord>;

function filePartOf(
  segment: ReadSegment,
  kept: KeptMessage,
  { files, toGatewayFile }: Pick<OutboxRowDeps, "toGatewayFile"> & { readonly files: Files },
): GatewayPart {
  const file = files.get(md5Of(segment, kept));
  if (file === undefined) throw new TelexError("file_not_found");
  if (segment.image !== undefined) return { kind: "image", file: toGatewayFile(file, segment.image.file, null) };
  const attachment = kept.attachments.find(({ relativePath }) => relativePath === segment.file?.relativePath) ?? null;
  return { kind: "file", file: toGatewayFile(file, attachment?.name ?? file.md5, attachment) };
}

/**
 * Reads a message of the outbox.
 * @throws TelexError `file_not_found` if one of its files has been removed
 */
export async function readRow(
  { findUploads, toGatewayFile }: OutboxRowDeps,
  { userId, message }: OutboxRecord,
): Promise<OutboxMessage> {
  const stored = readKept(message);
  const uploads = stored.files.length === 0 ? [] : await findUploads(Number(userId), stored.files);
  const files: Files = new Map(uploads.map((file) => [file.md5, file]));
  const parts = readContent(stored.message.content).map((segment): GatewayPart => {
    const { text, at, reply } = segment;
    if (text !== undefined) return { kind: "text", text: text.text };
    if (at !== undefined) return partOfMention(at);
    if (reply !== undefined) return { kind: "reply", messageId: reply.id };
    return filePartOf(segment, stored, { files, toGatewayFile });
  });
  return { kept: stored, parts };
}
