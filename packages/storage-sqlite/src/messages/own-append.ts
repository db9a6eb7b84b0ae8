import type { MessageAppend } from "@telex/core/storage";

/** Copies the input, because a caller may change its objects before the verb runs. */
export const ownCopy = ({ message, nonce, files, attachments, network, sent }: MessageAppend): MessageAppend => ({
  message: { ...message },
  nonce: nonce === null ? null : { ...nonce },
  files: [...files],
  attachments: attachments.map((attachment) => ({ ...attachment })),
  network: network === null ? null : { ...network, messageIds: [...network.messageIds] },
  sent: sent === null ? null : { ...sent },
});
