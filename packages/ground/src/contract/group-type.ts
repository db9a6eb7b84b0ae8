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

/** A type of chat room, written as its code. */
export const groupType = z.literal(Object.values(groupTypes)).meta({ id: "GroupType" });

const { HOME_EXT_CHAT_GROUP, HOME_EXT_PRIVATE_CHAT, SELF_EXT_CHAT_GROUP, SELF_EXT_PRIVATE_CHAT } = groupTypes;

/** The types of rooms for a group or a person of a network: through the official bot, and through the room's private bot. */
export const networkTypes = {
  group: { official: HOME_EXT_CHAT_GROUP, private: SELF_EXT_CHAT_GROUP },
  private: { official: HOME_EXT_PRIVATE_CHAT, private: SELF_EXT_PRIVATE_CHAT },
} as const;

/** How a message reaches a room: stored here, or sent by the official bot or by the room's private bot. */
export const routeOf = (type: GroupType): "store" | "official" | "private" => {
  if (type === groupTypes.HOME_CHAT_GROUP || type === groupTypes.HOME_PRIVATE_CHAT) return "store";
  return type === groupTypes.HOME_EXT_CHAT_GROUP || type === groupTypes.HOME_EXT_PRIVATE_CHAT ? "official" : "private";
};
