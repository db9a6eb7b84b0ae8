import type { RoomNews } from "@telex/core";
import type { Room } from "@telex/core/storage";
import type { Decision } from "./rules.ts";

type Changes = readonly Omit<RoomNews[number], "groupType">[];

const toSome = (change: Changes[number]["change"], to: readonly number[]): Changes =>
  to.length === 0 ? [] : [{ change, to }];

function ofFields({ change }: Pick<Decision, "change">): Changes {
  const fields = [
    ["name", change.name],
    ["topic", change.topic],
    ["avatar", change.avatar],
    ["archived", change.archived],
    ["pins", change.pins],
  ] as const;
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [{ change: name }]));
}

function ofMembers({ members }: Room, { put, drop }: Pick<Decision, "put" | "drop">): Changes {
  const added = put.flatMap(({ userId }) => (members.has(userId) ? [] : [userId]));
  const old = put.filter(({ userId }) => members.has(userId));
  const hasNewRole = old.some(({ userId, role }) => members.get(userId)?.role !== role);
  const putAway = old.filter(({ userId, archived }) => members.get(userId)?.archived !== archived);
  const stay = [...members.keys()].filter((userId) => !drop.includes(userId));
  return [
    ...toSome("removed", drop),
    ...toSome("added", added),
    ...(added.length + drop.length > 0 ? toSome("members", stay) : []),
    ...(hasNewRole ? [{ change: "roles" } as const] : []),
    ...toSome(
      "archived",
      putAway.map(({ userId }) => userId),
    ),
  ];
}

/** The news of a change of a room, which was as given. */
export const newsOf = (room: Room, decision: Decision): RoomNews =>
  [...ofFields(decision), ...ofMembers(room, decision)].map((news) => ({ ...news, groupType: room.group.groupType }));
