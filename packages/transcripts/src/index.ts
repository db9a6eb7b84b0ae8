export { keepReferences, referencesIn } from "./references.ts";
export type { Reader, RoomMessage, RoomSource } from "./room.ts";
export { tellMissed, tellRoom } from "./tell.ts";
export type { MissedAsk, RoomAsk, Told, ToldBounds, ToldMessage } from "./tell.ts";
