import { randomBytes } from "node:crypto";
import { codePoints, interfaceLimits, teleprinterContract } from "@telex/core/contract";
import type { Server } from "./server.ts";
import { print, printJson } from "../terminal/output.ts";
import { createApi } from "./api.ts";

/** Splits a text into messages of a device. Each has as many whole lines as fit, so that a picture stays intact. */
export function toMessages(text: string, max: number): string[] {
  const messages: string[] = [];
  let open: string[] = [];
  let length = 0;
  const close = (): void => {
    if (open.length > 0) messages.push(open.join("\n"));
    open = [];
    length = 0;
  };
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const size = codePoints(line) + 1;
    if (length + size > max + 1) close();
    open.push(line);
    length += size;
  }
  close();
  return messages;
}

/** Sends the text of a picture to a device in order, and reports the number of messages. */
export async function sendPicture(
  { url, token }: Server,
  { id, text }: { readonly id: string; readonly text: string },
  json: boolean,
): Promise<void> {
  const api = createApi(url, token);
  const picture = randomBytes(8).toString("hex");
  const sent: { readonly id: number; readonly delivered: 0 | 1 }[] = [];
  for (const [index, content] of toMessages(text, interfaceLimits.deviceText).entries()) {
    // The nonce keeps a repeat after a lost response from printing twice.
    const body = { deviceId: id, content, nonce: `${picture}-${index}` };
    const answer = await api.call({ path: "/external/api/v1/teleprinter/send", body });
    const message = teleprinterContract.send.output.parse(answer);
    sent.push({ id: message.id, delivered: message.delivered });
  }
  if (json) printJson({ deviceId: id, messages: sent });
  else print(`Sent to ${id} in ${sent.length} ${sent.length === 1 ? "message" : "messages"}.`);
}
