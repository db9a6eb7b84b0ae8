import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createScene } from "@telex/conformance/testing";
import type { ChatMessage, ChatModel, ChatPart, ChatRequest, TelexOptions } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { onTestFinished } from "vitest";
import { type AiToolsInput, createAiTools } from "../src/index.ts";

type Server = AiToolsInput["servers"][string];

/** The program of these tests, and what it did. */
export function createProgram(more: Partial<Server> = {}, mode = "") {
  const folder = mkdtempSync(join(tmpdir(), "tools-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, "log");
  const script = fileURLToPath(new URL("programs/tools.ts", import.meta.url));
  const env = { TOOLS_LOG: log, TOOLS_MODE: mode };
  const server: Server = {
    command: process.execPath,
    args: [script],
    env,
    harmless: ["read", "surroundings", "never", "huge", "liar"],
    ...more,
  };
  const lines = (): string[] => {
    try {
      return readFileSync(log, "utf8").trim().split("\n");
    } catch {
      return [];
    }
  };
  return { server, lines };
}

/** A call that a scripted model requests `times` times in one step, or the text of its reply. */
export type Move = string | { readonly tool: string; readonly args?: unknown; readonly times?: number };

export interface ScriptedModel {
  readonly model: ChatModel;
  readonly requests: ChatRequest[];
}

const tokens = 10;

/** A model that makes these moves, one in each step, and repeats the last one. Each step uses 10 tokens for its prompt and 10 for its answer. */
export function createScripted(moves: readonly Move[]): ScriptedModel {
  const requests: ChatRequest[] = [];
  async function* reply(request: ChatRequest): AsyncGenerator<ChatPart> {
    requests.push(request);
    const step = request.messages.filter(({ toolCalls }) => toolCalls !== undefined).length;
    const move = moves[Math.min(step, moves.length - 1)] ?? "";
    const usage = { promptTokens: tokens, completionTokens: tokens, estimated: false };
    if (typeof move === "string") {
      yield { kind: "delta", delta: move };
      yield { kind: "end", finishReason: "stop", usage };
      return;
    }
    const call = { kind: "tool_call", name: move.tool, arguments: JSON.stringify(move.args ?? {}) } as const;
    for (let index = 0; index < (move.times ?? 1); index += 1) yield { ...call, index, id: `c${step}.${index}` };
    yield { kind: "end", finishReason: "tool_calls", usage };
  }
  const model = { contextTokens: 8192, maxOutputTokens: 100, takesTools: true, countTokens: () => 1, reply };
  return { model, requests };
}

export const resultsOf = (messages: readonly ChatMessage[]): string[] =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => content);

/** An instance whose models may call tools. */
export async function openModels(
  given: AiToolsInput,
  models: ReadonlyMap<string, ChatModel>,
  options: Partial<TelexOptions> = {},
) {
  const tools = createAiTools(given);
  const storage = createMemoryStorage();
  const scene = await createScene({
    storage,
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    models: tools.wrap(models),
    plugins: [tools.plugin],
    ...options,
  });
  onTestFinished(() => scene.telex.close());
  onTestFinished(() => tools.close());
  const person = await scene.person("Alice");
  return { ...scene, storage, tools, alice: await scene.caller(person) };
}

/** An instance whose model `m` makes these moves. */
export async function openTools(given: AiToolsInput, moves: readonly Move[], options: Partial<TelexOptions> = {}) {
  const { model, requests } = createScripted(moves);
  return { ...(await openModels(given, new Map([["m", model]]), options)), requests };
}

/** All events of a reply. Calls `heard` with each on arrival. */
export async function all<E>(events: AsyncIterable<E>, heard: (event: E) => unknown = () => undefined): Promise<E[]> {
  const list: E[] = [];
  for await (const event of events) {
    list.push(event);
    await heard(event);
  }
  return list;
}
