export { type AvatarTemplates, templateAvatarSource } from "./avatars.ts";
export { createOutgoing, type Outgoing, type OutgoingAnswer, type OutgoingOptions } from "./client.ts";
export { OutgoingError, type OutgoingFailure } from "./error.ts";
export type { Resolve } from "./target.ts";
