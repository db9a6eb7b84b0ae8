import { type Telex, TelexError } from "@telex/core";
import type { OperationOutput } from "@telex/core/contract";
import { aiContract } from "@telex/core/contract";
import { nextTick } from "@telex/core/transport";
import { envelopeHeaders, type HttpResponse } from "../response/http-response.ts";
import { callAs, createStop, watchToken } from "./call.ts";
import { assertKnown, type Fields, readFields } from "./fields.ts";
import { createEndpoint, type Endpoint } from "../endpoints/operations.ts";
import { openAiRefuser } from "./refuser.ts";
import { openAiRoute } from "./route.ts";

type Format = "float" | "base64";

const knownFields: ReadonlySet<string> = new Set(["model", "input", "encoding_format", "dimensions", "user"]);

function readFormat(format: unknown): Format {
  if (format === undefined || format === null || format === "float") return "float";
  if (format === "base64") return format;
  const params = { expected: "float, base64" };
  throw new TelexError("invalid_request", { issues: [{ path: "encoding_format", problem: "unknown_value", params }] });
}

/** A text, or a list of its tokens, is a list of one. */
const isSingle = (input: unknown): boolean =>
  typeof input === "string" || (Array.isArray(input) && typeof input[0] === "number");

/** The input of the operation `embed`, not checked yet. */
function readInput({ model, input, dimensions }: Fields): Fields {
  return { model, input: isSingle(input) ? [input] : input, dimensions: dimensions ?? undefined };
}

/** The result of the operation, and the form in which it is written. */
interface Embedded {
  readonly userId: number;
  readonly output: OperationOutput<"ai.embed">;
  readonly format: Format;
}

/** A vector as JSON. Base64 holds numbers of 32 bits, the lowest byte first. */
function encode(vector: Float32Array, format: Format): string {
  if (format === "float") return `[${vector.join(",")}]`;
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((number, index) => bytes.writeFloatLE(number, index * 4));
  return `"${bytes.toString("base64")}"`;
}

/** Characters that are written in one tick: a fast reader would otherwise hold up other requests until the end. */
const perTick = 500_000;

/** Writes vector by vector: encoding all of them together would block other requests. */
export async function* bodyOf({
  output: { model, vectors, usage },
  format,
}: Pick<Embedded, "output" | "format">): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"object":"list","data":[');
  let written = 0;
  for (const [index, vector] of vectors.entries()) {
    const comma = index === 0 ? "" : ",";
    const text = `${comma}{"object":"embedding","index":${index},"embedding":${encode(vector, format)}}`;
    written += text.length;
    if (written > perTick) {
      written = 0;
      await nextTick();
    }
    yield Buffer.from(text);
  }
  const tokens = { prompt_tokens: usage.promptTokens, total_tokens: usage.promptTokens };
  yield Buffer.from(`],"model":${JSON.stringify(model)},"usage":${JSON.stringify(tokens)}}`);
}

/** Maximum bytes of vectors that wait for one user, and for all together, who may read as slowly as they want. */
const mostWaiting = { user: 64 * 2 ** 20, all: 256 * 2 ** 20 } as const;

/** Bounds the memory of vectors that wait for their callers. */
interface WaitingVectors {
  /** @throws TelexError `ai_unavailable` while too many wait */
  assertRoom(userId: number): void;
  /** Counts the vectors of a user from the first part of their body until its end. */
  hold(userId: number, vectors: readonly Float32Array[], body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

export function createWaitingVectors(
  most: { readonly user: number; readonly all: number } = mostWaiting,
): WaitingVectors {
  const users = new Map<number, number>();
  let all = 0;
  const add = (userId: number, size: number): void => {
    all += size;
    const own = (users.get(userId) ?? 0) + size;
    if (own === 0) users.delete(userId);
    else users.set(userId, own);
  };
  return {
    assertRoom(userId) {
      if (all < most.all && (users.get(userId) ?? 0) < most.user) return;
      throw new TelexError("ai_unavailable", { cause: new Error("Too many vectors wait for callers to read them.") });
    },
    async *hold(userId, vectors, body) {
      const size = vectors.reduce((sum, { byteLength }) => sum + byteLength, 0);
      add(userId, size);
      try {
        yield* body;
      } finally {
        add(userId, -size);
      }
    },
  };
}

const writeEmbedded =
  (waiting: WaitingVectors) =>
  (embedded: Embedded): HttpResponse => ({
    status: 200,
    headers: envelopeHeaders,
    body: waiting.hold(embedded.userId, embedded.output.vectors, bodyOf(embedded)),
  });

/** `POST /v1/embeddings`. */
export function createEmbeddings(telex: Telex): Endpoint {
  const waiting = createWaitingVectors();
  return createEndpoint({
    name: "ai.embed",
    operation: aiContract.embed,
    route: openAiRoute("/v1/embeddings"),
    refuser: openAiRefuser,
    async call(caller, given, context): Promise<Embedded> {
      const userId = caller.kind === "token" ? caller.userId : 0;
      waiting.assertRoom(userId);
      const body = readFields(given);
      assertKnown(body, knownFields);
      const format = readFormat(body["encoding_format"]);
      const { signal, abort } = createStop(context.signal);
      const rename = (path: string): string => (isSingle(body["input"]) ? path.replace(/^input\.0/, "input") : path);
      const token = watchToken(telex, caller, abort);
      try {
        const output = await callAs(telex, "ai.embed", { caller, input: readInput(body), signal }, rename);
        waiting.assertRoom(userId);
        return { userId, output, format };
      } catch (cause) {
        token.assert();
        throw cause;
      } finally {
        token.stop();
      }
    },
    write: writeEmbedded(waiting),
  });
}
