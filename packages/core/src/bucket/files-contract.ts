import { z } from "zod";
import { defineContract } from "../contract/operation.ts";
import { fileId } from "../contract/fields.ts";
import { storedFile } from "./contract.ts";

/** What the operator does with files. */
export const filesContract = defineContract({
  sweep: {
    summary: "Deletes files past their time, expired upload codes, and what crashes left behind.",
    access: "operator",
    input: z.object({}),
    output: z.object({
      files: z.int().min(0).meta({ description: "Files whose time was over." }),
      codes: z.int().min(0).meta({ description: "Upload codes that had expired." }),
      orphans: z.int().min(0).meta({ description: "Blobs that no file names, and parts of uploads." }),
      bytes: z.int().min(0).meta({ description: "Bytes that were freed, as far as they are known." }),
    }),
    errors: [],
    event: "files.swept",
  },
  quarantine: {
    summary: "Takes a file out of service for good; its bytes are kept aside, and nobody can upload it again.",
    access: "operator",
    input: z.object({ file_id: fileId }),
    output: storedFile
      .omit({ name: true })
      .extend({ blob: z.string().meta({ description: "Where the bytes are now." }) }),
    errors: ["file_not_found"],
    event: "file.quarantined",
  },
});

/** The type of {@link filesContract}, by name. */
export interface FilesContract extends Readonly<typeof filesContract> {}
