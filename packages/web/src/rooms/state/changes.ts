import type { AccountClient } from "@telex/auth-server/client";
import type { RoomView } from "../content/api.ts";
import type { RoomList } from "./room-list.ts";

/** The operations on rooms that people manage. */
type GroupsApi = AccountClient["groups"];

export type Role = RoomView["role"];

interface NewRoom {
  readonly name: string;
  readonly topic: string;
  readonly members: readonly number[];
  /** Makes repeats safe. */
  readonly nonce: string;
}

/** The person's changes to rooms. When a method resolves, the list shows the change. All methods throw the errors of the server. */
export interface RoomChanges {
  readonly make: (room: NewRoom) => Promise<RoomView>;
  /** Opens the private chat with a person. */
  readonly chatWith: (userId: number) => Promise<RoomView>;
  readonly amend: (groupId: number, change: { readonly name: string; readonly topic: string }) => Promise<void>;
  readonly addMembers: (groupId: number, userIds: readonly number[]) => Promise<void>;
  readonly removeMember: (groupId: number, userId: number) => Promise<void>;
  readonly giveRole: (groupId: number, userId: number, role: Role) => Promise<void>;
  readonly archive: (groupId: number, isArchived: boolean) => Promise<void>;
  readonly quit: (groupId: number) => Promise<void>;
  readonly remove: (groupId: number) => Promise<void>;
  /** Creates an invitation link, and returns its URL and expiry. */
  readonly link: (groupId: number) => Promise<{ readonly url: string; readonly expiresAt: string }>;
  /** Joins the room of an invitation link. */
  readonly join: (secret: string) => Promise<RoomView>;
}

export function createChanges(api: GroupsApi, list: Pick<RoomList, "put" | "drop">): RoomChanges {
  const put = async (changed: Promise<RoomView>): Promise<RoomView> => {
    const room = await changed;
    list.put(room);
    return room;
  };
  const change = async (changed: Promise<RoomView>): Promise<void> => void (await put(changed));
  const drop = async (groupId: number, work: Promise<null>): Promise<void> => {
    await work;
    list.drop(groupId);
  };
  return {
    make: ({ members, ...room }) => put(api.create({ ...room, members: [...members] })),
    chatWith: (userId) => put(api.create({ userId })),
    amend: (groupId, words) => change(api.amend({ groupId, ...words })),
    addMembers: (groupId, add) => change(api.amendMembers({ groupId, add: [...add] })),
    removeMember: (groupId, userId) => change(api.amendMembers({ groupId, remove: [userId] })),
    giveRole: (groupId, userId, role) => change(api.amendMembers({ groupId, roles: [{ userId, role }] })),
    archive: (groupId, isArchived) => change(isArchived ? api.archive({ groupId }) : api.unarchive({ groupId })),
    quit: (groupId) => drop(groupId, api.leave({ groupId })),
    link: (groupId) => api.link({ groupId }),
    join: (secret) => put(api.join({ secret })),
    remove: (groupId) => drop(groupId, api.remove({ groupId })),
  };
}
