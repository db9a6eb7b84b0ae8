import { text as readAll } from "node:stream/consumers";
import { teleprinterContract } from "@telex/core/contract";
import type { Server } from "./server.ts";
import { print, printJson } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { createApi } from "./api.ts";

/** Sends one text to a device, and reports whether it was delivered or queued. */
export async function sendToDevice(
  { url, token }: Server,
  { id, text, nonce }: { readonly id: string; readonly text: string; readonly nonce?: string },
  json: boolean,
  talk: Talk,
): Promise<void> {
  const content = text === "-" ? (await readAll(process.stdin)).replace(/\r?\n$/, "") : text;
  const body = { deviceId: id, content, ...(nonce !== undefined && { nonce }) };
  const answer = await createApi(url, token).call({ path: "/external/api/v1/teleprinter/send", body });
  const message = teleprinterContract.send.output.parse(answer);
  if (json) printJson(message);
  else if (message.delivered === 1) print(`Delivered to ${id} (message ${message.id}).`);
  else {
    print(`Message ${message.id} waits for ${id}: the device gets it with its next poll.`);
    talk.note(`Be the device: telex device simulate --id ${id}, with the same --url and --token.`);
  }
}
