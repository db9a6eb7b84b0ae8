import type { MessageView } from "@telex/core";

type Sent = Pick<MessageView, "userId" | "avatar">;

/** True for a person of an external network, whose ID may be that of a user here: the path of the picture tells (interface 2.9). */
const isExternal = ({ avatar }: Sent): boolean => avatar?.startsWith("/api/avatar/get/EXTpersonal?") === true;

/** True if the user here with this id has sent the message. */
export const isBy = (message: Sent, userId: string): boolean => message.userId === userId && !isExternal(message);

/** True if one person has sent both. */
export const isSameSender = (a: Sent, b: Sent): boolean => a.userId === b.userId && isExternal(a) === isExternal(b);
