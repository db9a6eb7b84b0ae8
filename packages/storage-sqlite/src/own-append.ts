import type { MessageAppend } from "@telex/core/storage";

/** A message to be stored, and all that comes with it but its terms. */
export type Own = Omit<MessageAppend, "terms">;

/** What the caller does to its objects before their turn comes must change nothing. */
export const ownCopy = ({ message, nonce, files, attachments, network, sent }: MessageAppend): Own => ({
  message: { ...message },
  nonce: nonce === null ? null : { ...nonce },
  files: [...files],
  attachments: attachments.map((attachment) => ({ ...attachment })),
  network: network === null ? null : { ...network, messageIds: [...network.messageIds] },
  sent: sent === null ? null : { ...sent },
});
