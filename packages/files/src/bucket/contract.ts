import { z } from "zod";
import { defineContract, fileId, text, word } from "@telex/ground/contract";
import { incomingFile, outgoingFile } from "../blobs/bytes.ts";

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
  .omit({ name: true })
  .extend({
    createTime: z.int().meta({ description: "When it was stored first. Unix milliseconds." }),
    used: z.boolean().meta({ description: "True if a message uses it. Other files are deleted after a time." }),
    url: z.string().meta({ description: "The path under which it is downloaded." }),
    thumbnail: z
      .string()
      .nullable()
      .meta({ description: "The path of an image with at most 128 pixels on each side." }),
  })
  .meta({ id: "OwnFile" });

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
      pageSize: z.int().min(1).max(100).default(50),
      cursor: word(/^\d{1,16}\.[0-9a-f]{32}$/, 49, "invalid")
        .optional()
        .meta({
          description: "`nextCursor` of the page before.",
        }),
    }),
    output: z.object({ list: z.array(ownFile), nextCursor: z.string().nullable() }),
    errors: [],
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
    summary: "A file of a message, as an attachment.",
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
/** A file as the one who uploaded it sees it. */
export type OwnFileView = z.output<typeof ownFile>;
/** A stored file, as callers see it. */
export type StoredFileView = z.output<typeof storedFile>;
