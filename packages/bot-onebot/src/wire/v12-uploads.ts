import { shortText } from "@telex/core/contract";
import { z } from "zod";
import type { GatewayFile } from "../gateway-types.ts";
import { toBase64 } from "./bytes.ts";
import type { PlanDeps, Planned } from "./dialect.ts";
import { type Action, type Answer, meaningOf } from "./frames.ts";

/** Bytes of one piece of an upload in pieces. */
const pieceSize = 2 ** 20;

const fileId = z.object({ file_id: shortText(4096, 1) }).transform((data) => data.file_id);

type NotPlanned = Exclude<Planned, { readonly outcome: "planned" }>;

/** The reason why a part of a message cannot be planned. Telex has sent no part of it. */
export class Unplanned extends Error {
  readonly planned: NotPlanned;

  constructor(planned: NotPlanned) {
    super(planned.outcome);
    this.planned = planned;
  }
}

/** @throws Unplanned for every answer that is not an ID */
function readFileId(answer: Answer): string {
  if (answer.outcome === "lost" || answer.outcome === "unsent") throw new Unplanned({ outcome: "offline" });
  const text = answer.outcome === "failed" ? answer.text : "The answer has no file_id.";
  const read = answer.outcome === "ok" ? fileId.safeParse(answer.data).data : undefined;
  if (read !== undefined) return read;
  const meaning = answer.outcome === "failed" ? meaningOf(answer.retcode) : "refused";
  throw new Unplanned(meaning === "refused" ? { outcome: meaning, detail: text } : { outcome: meaning });
}

const upload = (params: Action["params"]): Action => ({ action: "upload_file", params });

const piece = (params: Action["params"]): Action => ({ action: "upload_file_fragmented", params });

/** Uploads a file of any size. Few implementations have this. */
async function uploadInPieces(file: GatewayFile, ask: PlanDeps["ask"], signal: AbortSignal): Promise<string> {
  const prepared = await ask(piece({ stage: "prepare", name: file.name, total_size: file.size }), signal);
  const staged = readFileId(prepared);
  let offset = 0;
  for await (const chunk of await file.open()) {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      const bytes = Buffer.from(chunk.subarray(start, start + pieceSize));
      const params = { stage: "transfer", file_id: staged, offset, data: bytes.toString("base64") };
      const answer = await ask(piece(params), signal);
      if (answer.outcome !== "ok") readFileId(answer);
      offset += bytes.length;
    }
  }
  return readFileId(await ask(piece({ stage: "finish", file_id: staged }), signal));
}

/** Uploads the bytes in one frame, otherwise the address, otherwise in pieces. */
async function uploadFile(file: GatewayFile, { ask }: PlanDeps, signal: AbortSignal): Promise<string> {
  const data = await toBase64(file);
  const byData = data === null ? null : await ask(upload({ type: "data", name: file.name, data }), signal);
  if (byData?.outcome === "ok") return readFileId(byData);
  const url = await file.url();
  const byUrl = url === null ? null : await ask(upload({ type: "url", name: file.name, url }), signal);
  if (byUrl?.outcome === "ok") return readFileId(byUrl);
  const refused = byUrl ?? byData;
  return refused === null ? uploadInPieces(file, ask, signal) : readFileId(refused);
}

export async function fileIdOf(file: GatewayFile, deps: PlanDeps, signal: AbortSignal): Promise<string> {
  const uploaded = deps.uploaded.get(file.md5) ?? (await uploadFile(file, deps, signal));
  deps.uploaded.set(file.md5, uploaded);
  return uploaded;
}
