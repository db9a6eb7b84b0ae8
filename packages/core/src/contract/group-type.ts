import { z } from "zod";

/** The types of chat rooms, by their codes (interface 2.11). */
export const groupTypes = {
  HOME_EXT_CHAT_GROUP: 0,
  HOME_CHAT_GROUP: 1,
  HOME_PRIVATE_CHAT: 2,
  HOME_EXT_PRIVATE_CHAT: 3,
  SELF_EXT_CHAT_GROUP: 4,
  SELF_EXT_PRIVATE_CHAT: 5,
} as const;

/** A code of {@link groupTypes}. */
export type GroupType = (typeof groupTypes)[keyof typeof groupTypes];

/** A type of chat room as it is written: its code. */
export const groupType = z.literal(Object.values(groupTypes)).meta({ id: "GroupType" });

/** How a message gets into a room: stored here, or sent by the official bot, or by the room's private bot. */
export const routeOf = (type: GroupType): "store" | "official" | "private" => {
  if (type === groupTypes.HOME_CHAT_GROUP || type === groupTypes.HOME_PRIVATE_CHAT) return "store";
  return type === groupTypes.HOME_EXT_CHAT_GROUP || type === groupTypes.HOME_EXT_PRIVATE_CHAT ? "official" : "private";
};
