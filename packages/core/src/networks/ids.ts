/** An id of the network, or null for the texts by which networks say "no id". */
export const networkIdOf = (messageId: string | null): string | null =>
  messageId === "0" || messageId === "-1" ? null : messageId;

/** The ids of the network without those that mean "no id". */
export const networkIdsOf = (messageIds: readonly (string | null)[]): readonly string[] =>
  messageIds.flatMap((messageId) => networkIdOf(messageId) ?? []);
