import type { Segment } from "./frames.ts";
import { type Media, noMedia, type Part } from "./parts.ts";

type PartOf<Kind extends Part["kind"]> = Extract<Part, { readonly kind: Kind }>;

type Data = Segment["data"];

/** One type of segment of a version, in both directions. */
export interface Row<Kind extends Part["kind"]> {
  readonly type: string;
  /** Null if a required field is missing. */
  read(data: Data): PartOf<Kind> | null;
  write(part: PartOf<Kind>): Data;
}

type Kinds = Exclude<Part["kind"], "other">;

export type Rows = { readonly [Kind in Kinds]: Row<Kind> };

/** A field that may be a text or a number, as a text. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

function sizeOf(value: unknown): number | null {
  const size = Number(textOf(value) || Number.NaN);
  return Number.isSafeInteger(size) && size >= 0 ? size : null;
}

const urlOf = (value: unknown): string | null => textOf(value) || null;

export const readMedia11 = (data: Data): Media => ({
  file: textOf(data["file"]),
  url: urlOf(data["url"]),
  fileId: textOf(data["file_id"]),
  name: textOf(data["name"]),
  size: sizeOf(data["file_size"]),
  summary: textOf(data["summary"]),
  subType: textOf(data["sub_type"] ?? data["subType"]),
});

export const writeMedia11 = ({ file, url, fileId, size, summary, subType }: Media): Data => ({
  file,
  ...(url !== null && { url }),
  ...(fileId !== "" && { file_id: fileId }),
  ...(size !== null && { file_size: String(size) }),
  ...(summary !== "" && { summary }),
  ...(subType !== "" && { sub_type: subType }),
});

/** Pictures and files have the same fields. */
export const mediaRows = (
  readMedia: (data: Data) => Media,
  writeMedia: (media: Media) => Data,
): Pick<Rows, "image" | "file"> => ({
  image: { type: "image", read: (data) => ({ kind: "image", ...readMedia(data) }), write: writeMedia },
  file: { type: "file", read: (data) => ({ kind: "file", ...readMedia(data) }), write: writeMedia },
});

export const readMedia12 = (data: Data): Media => ({
  ...noMedia,
  fileId: textOf(data["file_id"]),
  name: textOf(data["name"]),
});
