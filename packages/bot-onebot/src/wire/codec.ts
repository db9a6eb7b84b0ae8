import type { Segment } from "./frames.ts";
import type { Part } from "./parts.ts";
import { type Row, type Rows, textOf, readMedia11, writeMedia11, mediaRows, readMedia12 } from "./codec-media.ts";

/** How the parts of a message look in a version of OneBot, in both directions. */
interface Codec {
  read(segment: Segment): Part;
  write(part: Exclude<Part, { readonly kind: "other" }>): Segment;
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

/** OneBot 12, which has its own segment for a mention of all members. */
export const codec12: Codec = {
  read: (segment) => (segment.type === everybody.type ? { kind: "at", id: "all", name: "" } : read(rows12, segment)),
  write: (part) => (part.kind === "at" && part.id === "all" ? everybody : write(rows12, part)),
};
