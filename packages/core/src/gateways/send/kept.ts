import { z } from "zod";
import { DeviceOrigin } from "@telex/ground/contract";
import { attachmentRecord } from "@telex/files/records";
import { messageRecord } from "../../records/messages.ts";
import type { MessageAppend } from "../../records/message-append.ts";

const keptMessage = z.object({
  message: messageRecord.omit({ id: true, seq: true, extras: true, changed: true }),
  files: z.array(z.string()),
  attachments: z.array(attachmentRecord),
  deviceId: z.string().nullable().default(null),
  server: z.string().nullable().default(null),
});

export interface KeptMessage extends Pick<MessageAppend, "message" | "files" | "attachments"> {
  readonly deviceId: string | null;
  /** The server that has accepted it, by its name in leases. Null for a row of an older version. */
  readonly server: string | null;
}

export const keepMessage = ({ message, files, attachments, deviceId, server }: KeptMessage): string =>
  JSON.stringify({ message, files, attachments, deviceId, server });

export const readKept = (text: string): KeptMessage => keptMessage.parse(JSON.parse(text));

/** The device on which a message was sent, as an origin that does not get it; or null. */
export const keptOrigin = ({ deviceId }: Pick<KeptMessage, "deviceId">): object | null =>
  deviceId === null ? null : new DeviceOrigin(deviceId);
