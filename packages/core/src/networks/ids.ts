/** An id of the network, or null for the texts with which networks say that there is none. */
export const networkIdOf = (messageId: string | null): string | null =>
  messageId === "0" || messageId === "-1" ? null : messageId;

/** Ids of the network without those that say that there is none. */
export const networkIdsOf = (messageIds: readonly (string | null)[]): readonly string[] =>
  messageIds.flatMap((messageId) => networkIdOf(messageId) ?? []);
