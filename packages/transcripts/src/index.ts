export { namesIn } from "./names.ts";
export { toMessages } from "./replies/split.ts";
export { createStopTexts } from "./replies/stop-texts.ts";
export { cleanText, createTextPieces } from "./replies/text-pieces.ts";
export type { TextPieces } from "./replies/text-pieces.ts";
export { keepReferences, referencesIn } from "./references.ts";
export type { Reader, RoomMessage, RoomSource } from "./room.ts";
export { tellMissed, tellRoom } from "./tell.ts";
export type { MissedAsk, RoomAsk, Told, ToldBounds, ToldMessage } from "./tell.ts";
