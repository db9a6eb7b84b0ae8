import { shortText } from "@telex/core/contract";
import { createHash } from "node:crypto";
import { z } from "zod";
import { longText } from "../../wire/fields.ts";
import { action, type Run } from "../actions/action.ts";
import type { Acting, Actor } from "../context.ts";
import { findFile, type LocalFile, readBase64, uploadBytes, uploadFrom, uploadIdOf } from "../files.ts";
import { ActionError } from "../results.ts";

/** Maximum bytes of one answer: pictures and files are base64. */
const maxInFrame = 8 * 2 ** 20;

/** Maximum bytes that an upload in pieces may announce. */
const largest = 2 ** 40;

// The longest name, of 512 characters, has 2,048 in an ID.
const fileId = z.object({ file_id: shortText(2500, 1) });

const name = shortText(512, 1);

const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .optional();

/** The standard requires a name. Frameworks omit that of a picture. */
const optionalName = name
  .or(z.literal(""))
  .nullish()
  .transform((value) => value ?? "");

const upload = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("data"), name: optionalName, data: longText, sha256 }),
    z.object({
      type: z.literal("url"),
      name: optionalName,
      url: z.url({ protocol: /^https?$/ }).refine((url) => url.length <= 8192),
      sha256,
    }),
  ],
  { error: "must be data or url: paths are not read" },
);

const stagedId = shortText(64);

const staging = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("prepare"), name, total_size: z.int().min(1).max(largest) }),
  z.object({ stage: z.literal("transfer"), file_id: stagedId, offset: z.int().min(0), data: longText }),
  z.object({ stage: z.literal("finish"), file_id: stagedId, sha256 }),
]);

async function uploadInPieces({ staged, holder }: Actor, params: z.output<typeof staging>): Promise<object | null> {
  if (params.stage === "prepare") return { file_id: staged.prepare(holder, params.name, params.total_size) };
  if (params.stage === "finish") {
    const { file_id, name: called } = await staged.finish(holder.userId, params.file_id, params.sha256);
    return { file_id: uploadIdOf(file_id, called) };
  }
  await staged.transfer(holder.userId, params.file_id, params.offset, readBase64(params.data));
  return null;
}

async function readRange({ file }: LocalFile, start: number, size: number): Promise<Buffer> {
  if (size > maxInFrame)
    throw new ActionError("bad_param", `At most ${maxInFrame} bytes in one action: read it in pieces.`);
  if (size === 0) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await file.open({ start, end: start + size - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function hashOf({ file }: LocalFile): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of await file.open()) hash.update(chunk);
  return hash.digest("hex");
}

const getting = fileId.extend({ type: z.enum(["url", "data"], { error: "must be url or data: paths are not given" }) });

async function getFile(actor: Acting, { file_id, type }: z.output<typeof getting>): Promise<object> {
  const file = await findFile(actor, file_id);
  return type === "url" ? urlOf(file) : await dataOf(file);
}

function urlOf({ file, url }: LocalFile): object {
  if (url !== null) return { name: file.name, url };
  throw new ActionError("file", "The file is not in a message, so it has no address. Ask for its data.");
}

async function dataOf(file: LocalFile): Promise<object> {
  const { name: called, size } = file.file;
  const bytes = await readRange(file, 0, size);
  return { name: called, data: bytes.toString("base64"), sha256: createHash("sha256").update(bytes).digest("hex") };
}

const getStage = z.discriminatedUnion("stage", [
  fileId.extend({ stage: z.literal("prepare") }),
  fileId.extend({ stage: z.literal("transfer"), offset: z.int().min(0), size: z.int().min(1) }),
]);

async function getInPieces(actor: Acting, params: z.output<typeof getStage>): Promise<object> {
  const file = await findFile(actor, params.file_id);
  const { name: called, size } = file.file;
  if (params.stage === "prepare") return { name: called, total_size: size, sha256: await hashOf(file) };
  if (params.offset + params.size > size) throw new ActionError("bad_param", `offset: the file has ${size} bytes.`);
  return { data: (await readRange(file, params.offset, params.size)).toString("base64") };
}

export const files: Readonly<Record<string, Run>> = {
  upload_file: action(upload, async (actor, input) => {
    const md5 =
      input.type === "data" ? uploadBytes(actor, input.name, input.data) : uploadFrom(actor, input.name, input.url);
    return { file_id: uploadIdOf(await md5, input.name) };
  }),
  upload_file_fragmented: action(staging, uploadInPieces),
  get_file: action(getting, getFile),
  get_file_fragmented: action(getStage, getInPieces),
};
