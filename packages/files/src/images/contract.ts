import { z } from "zod";
import { defineContract, fileId } from "@telex/ground/contract";

/** The ways to turn a picture into text (interface 4.3). */
const algo = z.enum(["gray", "border"]);

/** Image to text (interface 4.3). */
export const imagesContract = defineContract({
  imageText: {
    summary: "Turns a stored image into text, `col` characters wide, each line ending with CRLF.",
    access: { family: "images" },
    input: z.object({
      file_id: fileId,
      col: z.int().min(1).max(200).default(69).meta({ description: "Width in characters." }),
      algo: algo.default("gray"),
    }),
    output: z.object({ text: z.string(), cached: z.boolean() }),
    errors: ["file_not_found", "unreadable_image", "busy"],
  },
});

/** The type of {@link imagesContract}. */
export interface ImagesContract extends Readonly<typeof imagesContract> {}
