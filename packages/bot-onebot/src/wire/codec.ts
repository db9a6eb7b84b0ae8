import type { Segment } from "./frames.ts";
import { type Media, noMedia, type Part } from "./parts.ts";

type PartOf<Kind extends Part["kind"]> = Extract<Part, { readonly kind: Kind }>;
type Data = Segment["data"];

/** One type of segment of a version, in both directions. */
interface Row<Kind extends Part["kind"]> {
  readonly type: string;
  /** Null if a required field is missing. */
  read(data: Data): PartOf<Kind> | null;
  write(part: PartOf<Kind>): Data;
}

type Kinds = Exclude<Part["kind"], "other">;
type Rows = { readonly [Kind in Kinds]: Row<Kind> };

/** How the parts of a message look in a version of OneBot, in both directions. */
interface Codec {
  read(segment: Segment): Part;
  write(part: Exclude<Part, { readonly kind: "other" }>): Segment;
}

/** A field that may be a text or a number, as a text. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

function sizeOf(value: unknown): number | null {
  const size = Number(textOf(value) || Number.NaN);
  return Number.isSafeInteger(size) && size >= 0 ? size : null;
}

const text: Row<"text"> = {
  type: "text",
  read: (data) => ({ kind: "text", text: textOf(data["text"]) }),
  write: (part) => ({ text: part.text }),
};

const at11: Row<"at"> = {
  type: "at",
  read(data) {
    const id = textOf(data["qq"]);
    return id === "" ? null : { kind: "at", id, name: textOf(data["name"]) };
  },
  write: ({ id, name }) => ({ qq: id, ...(name !== "" && { name }) }),
};

const reply11: Row<"reply"> = {
  type: "reply",
  read(data) {
    const id = textOf(data["id"]);
    return id === "" ? null : { kind: "reply", id };
  },
  write: ({ id }) => ({ id }),
};

const urlOf = (value: unknown): string | null => textOf(value) || null;

const readMedia11 = (data: Data): Media => ({
  file: textOf(data["file"]),
  url: urlOf(data["url"]),
  fileId: textOf(data["file_id"]),
  name: textOf(data["name"]),
  size: sizeOf(data["file_size"]),
  summary: textOf(data["summary"]),
  subType: textOf(data["sub_type"] ?? data["subType"]),
});

const writeMedia11 = ({ file, url, fileId, size, summary, subType }: Media): Data => ({
  file,
  ...(url !== null && { url }),
  ...(fileId !== "" && { file_id: fileId }),
  ...(size !== null && { file_size: String(size) }),
  ...(summary !== "" && { summary }),
  ...(subType !== "" && { sub_type: subType }),
});

/** Pictures and files have the same fields. */
const mediaRows = (
  readMedia: (data: Data) => Media,
  writeMedia: (media: Media) => Data,
): Pick<Rows, "image" | "file"> => ({
  image: { type: "image", read: (data) => ({ kind: "image", ...readMedia(data) }), write: writeMedia },
  file: { type: "file", read: (data) => ({ kind: "file", ...readMedia(data) }), write: writeMedia },
});

const at12: Row<"at"> = {
  type: "mention",
  read(data) {
    const id = textOf(data["user_id"]);
    return id === "" ? null : { kind: "at", id, name: "" };
  },
  write: ({ id }) => ({ user_id: id }),
};

const reply12: Row<"reply"> = {
  type: "reply",
  read(data) {
    const id = textOf(data["message_id"]);
    return id === "" ? null : { kind: "reply", id };
  },
  write: ({ id }) => ({ message_id: id }),
};

const readMedia12 = (data: Data): Media => ({
  ...noMedia,
  fileId: textOf(data["file_id"]),
  name: textOf(data["name"]),
});

const rows11: Rows = { text, at: at11, reply: reply11, ...mediaRows(readMedia11, writeMedia11) };
const rows12: Rows = {
  text,
  at: at12,
  reply: reply12,
  ...mediaRows(readMedia12, ({ fileId }) => ({ file_id: fileId })),
};

function write(rows: Rows, part: Exclude<Part, { readonly kind: "other" }>): Segment {
  switch (part.kind) {
    case "text":
      return { type: rows.text.type, data: rows.text.write(part) };
    case "at":
      return { type: rows.at.type, data: rows.at.write(part) };
    case "reply":
      return { type: rows.reply.type, data: rows.reply.write(part) };
    case "image":
      return { type: rows.image.type, data: rows.image.write(part) };
    case "file":
      return { type: rows.file.type, data: rows.file.write(part) };
  }
}

function read(rows: Rows, { type, data }: Segment): Part {
  const row = Object.values(rows).find((one) => one.type === type);
  return row?.read(data) ?? { kind: "other", type };
}

/** OneBot 11. */
export const codec11: Codec = {
  read: (segment) => read(rows11, segment),
  write: (part) => write(rows11, part),
};

const everybody = { type: "mention_all", data: {} } as const;

/** OneBot 12, in which everybody is mentioned by a segment of its own. */
export const codec12: Codec = {
  read: (segment) => (segment.type === everybody.type ? { kind: "at", id: "all", name: "" } : read(rows12, segment)),
  write: (part) => (part.kind === "at" && part.id === "all" ? everybody : write(rows12, part)),
};
