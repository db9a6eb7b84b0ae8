import { z } from "zod";
import { groupTypes } from "@telex/ground/contract";
import { flag, integer, text, textOrNull } from "@telex/ground/records";

/** The fields of a chat room: types, transfer and the columns of SQLite derive from them. */
export const groupRecord = z.strictObject({
  groupId: integer,
  groupType: z.literal(Object.values(groupTypes)),
  name: text,
  /** The ID of the group in the external network, for types 0, 3, 4 and 5. */
  ext: textOrNull,
  /** The account of the room's private bot, for types 4 and 5. */
  bot: textOrNull,
  /** MD5 of a stored image, or null. */
  avatar: textOrNull,
  /** Unix milliseconds. */
  createdAt: integer,
  topic: text.default(""),
  /** True if no member may write in the room. */
  archived: flag.default(false),
  /** Only one room has it: the two people of a private chat, or the nonce with which a person made the room. Null: it has none. */
  uniqueKey: textOrNull.default(null),
  /** Rises with each change of the room or its members. */
  rev: integer.default(0),
  /** JSON: the ids of the pinned messages, the newest pin first. */
  pins: text.default("[]"),
});

/** A chat room. */
export interface GroupRecord extends Readonly<z.output<typeof groupRecord>> {}

/** The fields of a room that have a value of their own from the beginning. */
type GroupDefaults = Pick<GroupRecord, "topic" | "archived" | "uniqueKey" | "rev" | "pins">;

/** The ids of the pinned messages of a room, the newest pin first. */
export const pinsOf = ({ pins }: Pick<GroupRecord, "pins">): readonly number[] =>
  z.array(z.int()).parse(JSON.parse(pins));

/** A room to add. The store assigns the id. */
export type NewGroup = Omit<GroupRecord, "groupId" | keyof GroupDefaults> & Partial<GroupDefaults>;

/** A new room with all its fields, apart from its id. */
export const newGroup = (group: NewGroup): Omit<GroupRecord, "groupId"> => ({
  topic: "",
  archived: false,
  uniqueKey: null,
  rev: 0,
  pins: "[]",
  ...group,
});

/** The fields of a user in a room. */
export const memberRecord = z.strictObject({
  groupId: integer,
  userId: integer,
  /** The member's name in this room, or null. */
  card: textOrNull,
  /** Owners and moderators run the room. */
  role: z.literal(["owner", "moderator", "member"]).default("member"),
  /** Unix milliseconds; 0 for the first members of an operator's room. */
  joinedAt: integer.default(0),
  /** True if the member has put the room away. */
  archived: flag.default(false),
  /** The messages for which the member gets notifications. */
  notify: z.literal(["default", "all", "mentions", "none"]).default("default"),
  /** Unix milliseconds until which the member gets no notifications; 0: not muted. */
  mutedUntil: integer.default(0),
});

/** A user in a room. */
export interface MemberRecord extends Readonly<Omit<z.output<typeof memberRecord>, "groupId">> {}

/** The fields of a new member. */
export const newMember = (userId: number, joinedAt: number): MemberRecord => ({
  userId,
  card: null,
  role: "member",
  joinedAt,
  archived: false,
  notify: "default",
  mutedUntil: 0,
});

/** A chat room with its members, as of a moment. */
export interface Room {
  readonly group: GroupRecord;
  readonly members: ReadonlyMap<number, MemberRecord>;
}
