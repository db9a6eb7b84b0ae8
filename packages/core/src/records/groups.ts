import { z } from "zod";
import { groupTypes } from "@telex/ground/contract";
import { integer, text, textOrNull } from "./fields.ts";

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
});

/** A chat room. */
export interface GroupRecord extends Readonly<z.output<typeof groupRecord>> {}

/** The fields of a user in a room. */
export const memberRecord = z.strictObject({
  groupId: integer,
  userId: integer,
  /** The member's name in this room, or null. */
  card: textOrNull,
});

/** A user in a room. */
export interface MemberRecord extends Readonly<Omit<z.output<typeof memberRecord>, "groupId">> {}

/** A chat room with its members, as of a moment. */
export interface Room {
  readonly group: GroupRecord;
  readonly members: ReadonlyMap<number, MemberRecord>;
}
