export { templateAvatarSource } from "./avatars/template.ts";
export type { AvatarTemplates } from "./avatars/template.ts";
export { createOutgoing } from "./outgoing/client.ts";
export type { Outgoing, OutgoingAnswer, OutgoingOptions } from "./outgoing/client.ts";
export { OutgoingError } from "./outgoing/error.ts";
export type { OutgoingFailure } from "./outgoing/error.ts";
export type { Resolve } from "./outgoing/target.ts";
