import { text as readAll } from "node:stream/consumers";
import type { DeviceMessageView } from "@telex/core";
import { Failure } from "../errors/errors.ts";
import type { Server } from "./server.ts";
import { print, printable, printJson, printJsonLine } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { callsTo, withClient, within } from "./with-client.ts";

/** How a text is delivered, as options of the command line. */
export interface Delivery {
  readonly nonce?: string;
  readonly title?: string;
  readonly priority?: number;
  readonly life?: number;
  readonly at?: string;
}

interface Sending {
  readonly server: Server;
  readonly json: boolean;
  readonly talk: Talk;
}

const contentOf = async (text: string): Promise<string> =>
  text === "-" ? (await readAll(process.stdin)).replace(/\r?\n$/, "") : text;

/** The outcome for a person. */
function outcomeOf({ deviceId, id, delivered, dueAt }: DeviceMessageView): string {
  if (dueAt !== undefined) return `Text ${id} will be sent to ${deviceId} at ${dueAt}.`;
  if (delivered === 1) return `Delivered to ${deviceId} (message ${id}).`;
  return `Message ${id} waits for ${deviceId}: the device gets it with its next poll.`;
}

/** Sends one text to a device, and reports whether it was delivered or queued. */
export async function sendToDevice(
  { server, json, talk }: Sending,
  id: string,
  text: string,
  delivery: Delivery,
): Promise<void> {
  const input = { ...delivery, deviceId: id, content: await contentOf(text) };
  const message = await withClient(server, async ({ teleprinter }) => await teleprinter.send(input, within()));
  if (json) return printJson(message);
  print(outcomeOf(message));
  if (message.delivered === 0 && message.dueAt === undefined)
    talk.note(`To be the device: telex device simulate ${id}, with the same --url and --token.`);
}

/**
 * Sends a text to each device with a tag, and reports each. The exit code is 1 if a device did not get it. With a nonce, a repeated
 * command reaches only those that have not got it.
 * @throws Failure `not_found` if no device has the tag
 */
export async function sendToTag(
  { server, json }: Sending,
  tag: string,
  text: string,
  delivery: Delivery,
): Promise<void> {
  const content = await contentOf(text);
  const call = callsTo(server);
  const devices = await call(({ teleprinter }) => teleprinter.devices({ tag }, within()));
  if (devices.length === 0) throw new Failure("not_found", `None of your devices has the tag "${printable(tag)}".`);
  for (const { deviceId } of devices) {
    try {
      const input = { ...delivery, deviceId, content };
      const message = await call(({ teleprinter }) => teleprinter.send(input, within()));
      if (json) printJsonLine(message);
      else print(outcomeOf(message));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      process.exitCode = 1;
      if (json) printJsonLine({ deviceId, error: error.error, msg: error.message });
      else print(`Not sent to ${deviceId}: ${error.message}`);
    }
  }
}
