import { z } from "zod";
import { attachmentRecord } from "../records/bucket.ts";
import { messageRecord } from "../records/messages.ts";
import type { MessageAppend } from "../records/message-append.ts";

const keptMessage = z.object({
  message: messageRecord.omit({ id: true, seq: true }),
  files: z.array(z.string()),
  attachments: z.array(attachmentRecord),
  deviceId: z.string().nullable().default(null),
  server: z.string().nullable().default(null),
});

/** What the outbox keeps of a message: enough to store it later. */
export interface KeptMessage extends Pick<MessageAppend, "message" | "files" | "attachments"> {
  /** The device on which it was said, or null. */
  readonly deviceId: string | null;
  /** The server that has accepted it, as it is named in its leases. Null if an older version has. */
  readonly server: string | null;
}

/** A message as the outbox keeps it. */
export const keepMessage = ({ message, files, attachments, deviceId, server }: KeptMessage): string =>
  JSON.stringify({ message, files, attachments, deviceId, server });

/** A message that {@link keepMessage} has written. */
export const readKept = (text: string): KeptMessage => keptMessage.parse(JSON.parse(text));
