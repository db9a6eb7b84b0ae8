import { text as readAll } from "node:stream/consumers";
import type { Client } from "@telex/http/client";
import type { ChatEvent } from "@telex/core/contract";
import { Failure, UsageError } from "../errors/errors.ts";
import { openLocal } from "../input/local-file.ts";
import type { Server } from "./server.ts";
import { print, printable, printJson } from "../terminal/output.ts";
import { untilStopped } from "../terminal/signals.ts";
import type { Talk } from "../terminal/talk.ts";
import { withClient } from "./with-client.ts";

export interface Question {
  /** `-` reads stdin. */
  readonly text: string;
  readonly model: string | undefined;
  readonly system: string | undefined;
  readonly conversation: string | undefined;
  /** Replaces the last question. */
  readonly edit: true | undefined;
  /** Paths of pictures and texts. */
  readonly files: readonly string[];
  readonly json: boolean;
  readonly talk: Talk;
}

function show(event: ChatEvent, { json, talk }: Question): void {
  if (event.kind === "delta") {
    if (!json) process.stdout.write(printableReply(event.delta));
  } else if (json) printJson(withoutKind(event));
  else {
    print("");
    talk.note(`Continue with --conversation ${event.conversationId}.`);
  }
}

/** Uploads the files of a question, one after the other. */
async function uploadAll({ bucket }: Client, paths: readonly string[]): Promise<{ file_id: string; name: string }[]> {
  const files = [];
  for (const path of paths) {
    const { file_id, name } = await bucket.upload({ file: await openLocal(path) });
    files.push({ file_id, name });
  }
  return files;
}

/** The IDs of the last question and the newest message: the range that an edited question replaces. */
async function lastTurn({ ai }: Client, conversationId: string | undefined): Promise<{ from: number; to: number }> {
  if (conversationId === undefined)
    throw new UsageError("--edit needs --conversation <id>: the conversation whose last question is edited.");
  const { messages } = await ai.conversationMessages({ conversationId: Number(conversationId), pageSize: 2 });
  const question = messages.find(({ role }) => role === "user");
  if (question === undefined) throw new Failure("not_found", "The conversation has no question to edit.");
  return { from: question.id, to: messages[0]?.id ?? question.id };
}

/** Asks a model, and prints the reply piece by piece, or with `json` when it is complete. Ctrl-C stops the reply. */
export async function ask(server: Server, question: Question): Promise<void> {
  const content = question.text === "-" ? (await readAll(process.stdin)).replace(/\r?\n$/, "") : question.text;
  const { model, system: systemPrompt, conversation: conversationId } = question;
  const input = { content, ...defined({ model, systemPrompt, conversationId }) };
  const signal = untilStopped();
  const response = withClient(server, async (client) => {
    const files = await uploadAll(client, question.files);
    const filed = files.length > 0 && { files };
    const edited = question.edit === true && { replaces: await lastTurn(client, conversationId) };
    for await (const event of await client.ai.chat({ ...input, ...filed, ...edited }, { signal }))
      show(event, question);
  });
  await response.catch((error: unknown) => {
    throw signal.aborted ? new Failure("stopped", "The reply was stopped.") : error;
  });
}

const defined = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const withoutKind = ({ kind: _kind, ...rest }: { readonly kind: string }): object => rest;

/** Removes control characters from a reply, except line breaks and tabs. */
const printableReply = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part) => (part === "\n" || part === "\t" ? part : printable(part)))
    .join("");
