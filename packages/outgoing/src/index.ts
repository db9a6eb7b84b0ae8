export { type AvatarTemplates, templateAvatarSource } from "./avatars.ts";
export {
  createOutgoing,
  type Outgoing,
  type OutgoingAnswer,
  type OutgoingOptions,
  type OutgoingResponse,
} from "./client.ts";
export type { OutgoingRequest } from "./dial.ts";
export { OutgoingError, type OutgoingFailure } from "./error.ts";
export type { Resolve } from "./target.ts";
