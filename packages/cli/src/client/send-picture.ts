import { randomBytes } from "node:crypto";
import { codePoints, interfaceLimits } from "@telex/core/contract";
import type { Server } from "./server.ts";
import { print, printJson } from "../terminal/output.ts";
import { callsTo, within } from "./with-client.ts";

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

interface Sent {
  readonly id: number;
  readonly delivered: 0 | 1;
}

function show(deviceId: string, messages: readonly Sent[], json: boolean): void {
  if (json) printJson({ deviceId, messages });
  else print(`Sent to ${deviceId} in ${messages.length} ${messages.length === 1 ? "message" : "messages"}.`);
}

/** Sends the text of a picture to a device in order, and reports the number of messages. */
export async function sendPicture(
  server: Server,
  { id, text }: { readonly id: string; readonly text: string },
  json: boolean,
): Promise<void> {
  const call = callsTo(server);
  const picture = randomBytes(8).toString("hex");
  const sent: Sent[] = [];
  for (const [index, content] of toMessages(text, interfaceLimits.deviceText).entries()) {
    // The nonce keeps a repeat after a lost response from printing twice.
    const input = { deviceId: id, content, nonce: `${picture}-${index}` };
    const message = await call(async ({ teleprinter }) => await teleprinter.send(input, within()));
    sent.push({ id: message.id, delivered: message.delivered });
  }
  show(id, sent, json);
}
