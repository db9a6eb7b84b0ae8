import type { TopicsOf } from "@telex/ground/bus";

/** Events between servers about tokens. */
export interface UsersBusEvents {
  /** A token has ended: its connections are closed. */
  token_ended: { readonly tokenId: number };
}

export const usersBusTopics: TopicsOf<UsersBusEvents> = { token_ended: () => null };
