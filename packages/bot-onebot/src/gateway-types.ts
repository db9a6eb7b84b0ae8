import type { Gateway, GatewayInbox, GatewayMessage, GatewayPart } from "@telex/core";

/** A room of the network. */
export type NetworkRoom = GatewayMessage["room"];
/** A picture or file to send to the network. */
export type GatewayFile = Extract<GatewayPart, { readonly file: unknown }>["file"];
/** A person in a group of the network. */
export type NetworkMember = Awaited<ReturnType<NonNullable<Gateway["listMembers"]>>>[number];
/** An account as rooms see it. */
export type GatewayAccount = NonNullable<ReturnType<Gateway["findAccount"]>>;
/** A message that an inbox takes. */
export type IncomingMessage = Parameters<GatewayInbox["receive"]>[0];
/** One part of it. */
export type IncomingPart = IncomingMessage["segments"][number];
/** Opens a picture or file of the network. */
export type OpenMedia = NonNullable<Extract<IncomingPart, { readonly type: "file" }>["data"]["open"]>;
