import type { MessageAppend } from "@telex/core/storage";

/** What the caller does to its objects before their turn comes must change nothing. */
export const ownCopy = ({ message, nonce, files, attachments, network, sent }: MessageAppend): MessageAppend => ({
  message: { ...message },
  nonce: nonce === null ? null : { ...nonce },
  files: [...files],
  attachments: attachments.map((attachment) => ({ ...attachment })),
  network: network === null ? null : { ...network, messageIds: [...network.messageIds] },
  sent: sent === null ? null : { ...sent },
});
