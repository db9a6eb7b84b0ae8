import { text as readAll } from "node:stream/consumers";
import type { Server } from "./server.ts";
import { print, printJson } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { withClient, within } from "./with-client.ts";

/** Sends one text to a device, and reports whether it was delivered or queued. */
export async function sendToDevice(
  server: Server,
  { id, text, nonce }: { readonly id: string; readonly text: string; readonly nonce: string | undefined },
  json: boolean,
  talk: Talk,
): Promise<void> {
  const content = text === "-" ? (await readAll(process.stdin)).replace(/\r?\n$/, "") : text;
  const input = { deviceId: id, content, ...(nonce !== undefined && { nonce }) };
  const message = await withClient(server, async ({ teleprinter }) => await teleprinter.send(input, within()));
  if (json) printJson(message);
  else if (message.delivered === 1) print(`Delivered to ${id} (message ${message.id}).`);
  else {
    print(`Message ${message.id} waits for ${id}: the device gets it with its next poll.`);
    talk.note(`Be the device: telex device simulate ${id}, with the same --url and --token.`);
  }
}
