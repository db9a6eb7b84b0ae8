/** Bytes that a server may send after one message to it: its answer, and other messages. */
export const mostBytes = 8 * 2 ** 20;
/** Tools of one server, and bytes of their names, descriptions and schemas. */
export const mostTools = 64;
export const mostListing = 64 * 1024;
export const mostSchema = 16 * 1024;
export const mostDescription = 1024;
/** Characters of a result that the model gets. */
export const mostResult = 16 * 1024;
/** Characters of a result that is stored with the message. */
export const mostShown = 2000;
/** Characters of arguments that a person is asked about: all of them are shown. */
export const mostAsked = { chat: 16 * 1024, room: 1500, device: 1500 } as const;
/** Calls of one step; for the others, the model gets a result that says that they did not run. */
export const mostCalls = 8;
/** Calls of one server that run simultaneously. */
export const mostRunning = 32;
/** Milliseconds that must be left for a call. Timers may end a little early. */
export const leastTime = 20;
/** Milliseconds that a reply waits for a server that is not connected. */
export const connectWait = 3000;
/** Milliseconds in which a server must connect and list its tools. Some programs are downloaded when they start. */
export const connectTime = 60_000;
/**
 * Milliseconds after which a program that has not stated its version is treated as one of 2025. Long, because a program that only starts slowly
 * refuses both handshakes.
 */
export const probeTime = 20_000;
/** Milliseconds for a person to answer. */
export const answerTime = 60_000;
