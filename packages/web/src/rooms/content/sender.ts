import type { MessageView } from "@telex/core";

type Sent = Pick<MessageView, "userId" | "avatar">;

/** True for a sender in an external network. Its ID may equal that of a local user; only the path of the avatar differs (interface 2.9). */
const isExternal = ({ avatar }: Sent): boolean => avatar?.startsWith("/api/avatar/get/EXTpersonal?") === true;

/** True if the message was sent by the local user with this ID. */
export const isBy = (message: Sent, userId: string): boolean => message.userId === userId && !isExternal(message);

/** True if both messages have the same sender. */
export const isSameSender = (a: Sent, b: Sent): boolean => a.userId === b.userId && isExternal(a) === isExternal(b);
