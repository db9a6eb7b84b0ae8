import { z } from "zod";
import { defineContract, fileId, text, word } from "@telex/ground/contract";
import { incomingFile, outgoingFile } from "../blobs/bytes.ts";
import { fileKinds } from "../records.ts";

const storageId = word(/^[A-Za-z0-9_-]{1,64}$/, 64, "storage_id");

/** A stored file, as callers see it. */
export const storedFile = z
  .object({
    file_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .meta({ description: "The MD5 of the file." }),
    name: z.string(),
    size: z.int().min(0).meta({ description: "Bytes." }),
    mime: z.string(),
  })
  .meta({ id: "StoredFile" });

const ownFile = storedFile
  .extend({
    name: z.string().meta({
      description: "The name under which the caller uploaded it last; empty for uploads of earlier versions.",
    }),
    kind: z.enum(fileKinds).meta({ description: "By the content; for uploads of earlier versions by the type." }),
    createTime: z.int().meta({ description: "When the caller uploaded it first. Unix milliseconds." }),
    used: z.boolean().meta({ description: "True if a message uses it. Other files are deleted after a time." }),
    url: z.string().meta({ description: "The path under which it is downloaded." }),
    thumbnail: z
      .string()
      .nullable()
      .meta({ description: "The path of an image with at most 128 pixels on each side." }),
  })
  .meta({ id: "OwnFile" });

const fileLink = z
  .object({
    id: z.string().meta({ description: "Names the link to its maker. It does not open the file." }),
    file_id: z.string(),
    name: z.string().meta({ description: "The name of the download." }),
    createTime: z.int().meta({ description: "Unix milliseconds." }),
    expireTime: z.int().meta({ description: "Unix milliseconds: from then on the link opens nothing." }),
  })
  .meta({ id: "FileLink" });

const minute = 60;
const day = 86_400;

/** Upload codes, uploads and downloads (interface 4.3, 4.7). */
export const bucketContract = defineContract({
  generateCode: {
    summary: "Issues an upload code: one upload, within 8 hours.",
    access: { family: "codes" },
    input: z.object({ storageId: storageId.default("default") }),
    output: z.string(),
    errors: [],
  },
  uploadByCode: {
    summary: "Stores a file for a short time, and uses the code. After a failed upload, the code can still be used.",
    access: { family: "codes" },
    input: z.object({ storageId, code: text(1, 64), file: incomingFile }),
    output: storedFile,
    errors: ["not_found", "code_used", "code_expired", "too_large", "file_conflict", "quota_exceeded", "timeout"],
  },
  upload: {
    summary: "Stores a file for use in messages.",
    access: "chat",
    input: z.object({ file: incomingFile }),
    output: storedFile,
    errors: ["too_large", "file_conflict", "quota_exceeded", "timeout"],
  },
  files: {
    summary: "The files that the caller has uploaded and that still exist, newest first.",
    access: "chat",
    input: z.object({
      query: text(1, 100).optional().meta({
        description: "Words, separated by spaces. The name must contain all, Chinese also as pinyin or initials.",
      }),
      kind: z.enum(fileKinds).optional(),
      pageSize: z.int().min(1).max(100).default(50),
      cursor: word(/^\d{1,16}\.[0-9a-f]{32}$/, 49, "invalid")
        .optional()
        .meta({
          description: "`nextCursor` of the page before.",
        }),
    }),
    output: z.object({
      list: z.array(ownFile).meta({ description: "With `query` or `kind`, a page may be short, or empty." }),
      nextCursor: z.string().nullable().meta({ description: "Null if nothing is left." }),
    }),
    errors: [],
  },
  countFiles: {
    summary: "Counts the files that the caller has uploaded and that still exist, by their kind.",
    access: "chat",
    input: z.object({}),
    output: z.object({
      count: z.int(),
      size: z.int().meta({ description: "Bytes of all files together." }),
      kinds: z.record(z.enum(fileKinds), z.int()),
      isWhole: z.boolean().meta({ description: "False if the caller has 10,000 or more: the newest are counted." }),
    }),
    errors: [],
  },
  deleteFile: {
    summary:
      "Takes a file away from the caller, and ends their links to it. The bytes stay while a message or another upload uses them.",
    access: "chat",
    input: z.object({ md5: fileId }),
    output: z.null(),
    errors: ["file_not_found"],
  },
  shareFile: {
    summary: "Makes a link to a file of the caller. Anyone who has the link can download the file until the link ends.",
    access: "chat",
    input: z.object({
      md5: fileId,
      life: z
        .int()
        .min(minute)
        .max(30 * day)
        .default(7 * day)
        .meta({ description: "Seconds." }),
    }),
    output: fileLink.extend({
      url: z.string().meta({ description: "The path of the download. It is shown only once." }),
      public: z.boolean().meta({ description: "False if downloads from this server need a token." }),
    }),
    errors: ["file_not_found", "limit_reached"],
  },
  links: {
    summary: "The links to files of the caller that can be opened, newest first.",
    access: "chat",
    input: z.object({}),
    output: z.array(fileLink),
    errors: [],
  },
  revokeLink: {
    summary: "Ends a link to a file of the caller.",
    access: "chat",
    input: z.object({ id: word(/^[0-9a-f]{16}$/, 16, "invalid") }),
    output: z.null(),
    errors: ["not_found"],
  },
  file: {
    summary: "A file that the caller has uploaded, as an attachment.",
    access: "chat",
    input: z.object({ md5: fileId }),
    output: outgoingFile,
    errors: ["file_not_found"],
  },
  download: {
    summary:
      "An image by its file name, in its original size, or with the prefix 128_ with at most 128 pixels on each side.",
    access: { family: "downloads" },
    input: z.object({ file: text(1, 128) }),
    output: outgoingFile,
    errors: ["file_not_found", "busy"],
  },
  downloadFile: {
    summary: "A file of a message, or of a link to a file, as an attachment.",
    access: { family: "downloads" },
    input: z.object({
      path: text(1, 1024).meta({ description: "base64url of the relativePath of the file segment." }),
      where: z.enum(["ext", "local"]),
      name: text(1, 512).meta({ description: "The file name of the download." }),
    }),
    output: outgoingFile,
    errors: ["file_not_found"],
  },
});

/** The type of {@link bucketContract}. */
export interface BucketContract extends Readonly<typeof bucketContract> {}
/** A link to a file, without its secret. */
export type FileLinkView = z.output<typeof fileLink>;
/** A file as its uploader sees it. */
export type OwnFileView = z.output<typeof ownFile>;
/** A stored file, as callers see it. */
export type StoredFileView = z.output<typeof storedFile>;

/** A file of a question in a conversation with a model. */
export const questionFileView = z.object({
  file_id: z.string(),
  name: z.string(),
  size: z.int(),
  mime: z.string(),
  url: z.string(),
  thumbnail: z.string().nullable().meta({ description: "The preview of a picture; null for a text." }),
});
