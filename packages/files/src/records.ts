import { z } from "zod";
import { flag, integer, integerOrNull, text } from "@telex/ground/records";

/** The kinds of files. */
export const fileKinds = ["picture", "text", "audio", "video", "archive", "other"] as const;

/** One word of {@link fileKinds}. */
export type FileKind = (typeof fileKinds)[number];

/** The fields of a file: types, transfer and the columns of SQLite derive from them. */
export const fileRecord = z.strictObject({
  /** 32 lower-case hexadecimal digits: its `file_id` (interface 2.8). */
  md5: text,
  sha256: text,
  /** Bytes. */
  size: integer,
  mime: text,
  /** The extension under `/download/`, without a dot; `""` for a file that is not an image. */
  ext: text,
  blobId: text,
  /** Unix milliseconds. */
  createdAt: integer,
  /**
   * Unix milliseconds of the last message that used it; null before the first one, and after the recall of the only one; the
   * greatest safe integer if it is kept.
   */
  usedAt: integerOrNull,
  /** Unix milliseconds until which the file is kept if no message uses it. */
  unusedUntil: integer,
});

/** A stored file. Its bytes are in the blob store under `blobId`. */
export interface FileRecord extends Readonly<Omit<z.output<typeof fileRecord>, "unusedUntil">> {}

/** The fields of who may use a file in a message. */
export const uploadRecord = z.strictObject({
  md5: text,
  /** The user; 0 for uploads without one. */
  userId: integer,
  /** The name under which the user uploaded it last; `""` for uploads of earlier versions. */
  name: text.default(""),
  /** One of `fileKinds`; `""` for uploads of earlier versions. */
  kind: text.default(""),
  /** Unix milliseconds of the user's first upload of it; 0 if a backup of an earlier version does not say. */
  createdAt: integer.default(0),
});

/** A file as a user has uploaded it. */
export interface UploadedFile extends FileRecord {
  readonly name: string;
  readonly kind: string;
  /** Unix milliseconds; see `createdAt` of {@link uploadRecord}. */
  readonly uploadedAt: number;
}

/** The place of a message that uses a file. Room 0 stands for messages whose place is not known. */
export const fileUseRecord = z.strictObject({ md5: text, groupId: integer, seq: integer });

/** The fields of an upload code. */
export const codeRecord = z.strictObject({
  digest: text,
  storageId: text,
  /** Unix milliseconds. */
  expiresAt: integer,
  used: flag,
});

/** An issued upload code. Only a digest of the code is stored. */
export interface CodeRecord extends Readonly<z.output<typeof codeRecord>> {}

/** The fields of an attachment. */
export const attachmentRecord = z.strictObject({ relativePath: text, md5: text, name: text });

/** A file of a message that is an attachment. Its path cannot be guessed. */
export interface AttachmentRecord extends Readonly<z.output<typeof attachmentRecord>> {}

/** The fields of the uploads that count in a share. */
export const uploadShareRecord = z.strictObject({
  /** The user whose share it is; 0 for the common share of all uploads without a user. */
  uploader: integer,
  /** Unix milliseconds at which the bytes stop counting. */
  until: integer,
  /** 0 and above. */
  bytes: integer,
});

/** Bytes of uploads that count towards a share until a time. */
export interface UploadShare extends Readonly<z.output<typeof uploadShareRecord>> {}

const questionFiles = z.array(
  z.strictObject({ md5: text, name: text, size: integer, mime: text, /** "" for a text. */ ext: text }),
);

/** A file of a question: an upload, under the name that the person gave it. */
export type QuestionFile = z.output<typeof questionFiles>[number];

/** The files of a question in the JSON of its record. */
export const parseQuestionFiles = (json: string | null): readonly QuestionFile[] =>
  json === null ? [] : questionFiles.parse(JSON.parse(json));

/** The place in which the files of a question are used: a number below 0 for the conversation, and the id of the message. */
export const usePlaceOf = ({ conversationId, id }: { readonly conversationId: number; readonly id: number }) => ({
  groupId: -conversationId,
  seq: id,
});
