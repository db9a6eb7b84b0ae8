import { z } from "zod";
import { defineContract, fileId, timestamp } from "@telex/ground/contract";
import { storedFile } from "./contract.ts";

/** A stored file as the operator sees it: without the names that people gave it. */
const fileRow = storedFile
  .omit({ name: true })
  .extend({
    createdAt: timestamp,
    usedAt: timestamp.nullable().meta({
      description:
        "When a message used it last; null before the first one, and for a file that is kept for another use.",
    }),
    kept: z.boolean().meta({ description: "True for a file that does not expire, such as an avatar." }),
  })
  .meta({ id: "FileRow" });

/** Operations of the operator on files. */
export const filesContract = defineContract({
  list: {
    summary: "Lists stored files by their MD5. For an admin, pictures that messages use or can still use are left out.",
    access: "operator",
    input: z.object({
      after: fileId.optional().meta({ description: "Only files with a greater MD5." }),
      limit: z.int().min(1).max(1000).default(100),
    }),
    output: z.array(fileRow),
    errors: [],
  },
  sweep: {
    summary: "Deletes expired files, expired upload codes, and files that crashes left behind.",
    access: "operator",
    input: z.object({}),
    output: z.object({
      files: z.int().min(0).meta({ description: "Expired files." }),
      codes: z.int().min(0).meta({ description: "Expired upload codes." }),
      orphans: z.int().min(0).meta({ description: "Blobs that no file refers to, and parts of uploads." }),
      bytes: z.int().min(0).meta({ description: "Bytes that were freed, as far as is known." }),
    }),
    errors: [],
    event: "files.swept",
  },
  quarantine: {
    summary:
      "Takes a file out of service permanently: its bytes are kept in another place, and nobody can upload it again.",
    access: "operator",
    input: z.object({ file_id: fileId }),
    output: storedFile
      .omit({ name: true })
      .extend({ blob: z.string().meta({ description: "Where the bytes are now." }) }),
    errors: ["file_not_found"],
    event: "file.quarantined",
  },
});

/** The type of {@link filesContract}. */
export interface FilesContract extends Readonly<typeof filesContract> {}
