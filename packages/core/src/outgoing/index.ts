export { templateAvatarSource } from "./avatar-template.ts";
export type { AvatarTemplates } from "./avatar-template.ts";
export { createOutgoing } from "./client.ts";
export type { Outgoing, OutgoingAnswer, OutgoingOptions } from "./client.ts";
export { OutgoingError } from "./error.ts";
export type { OutgoingFailure } from "./error.ts";
export type { Resolve } from "./target.ts";
