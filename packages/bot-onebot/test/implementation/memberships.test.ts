import { intercept } from "@telex/conformance";
import { until } from "@telex/conformance/testing";
import { operator, TelexError } from "@telex/core";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { type Framework, start } from "./setup.ts";

/** The groups and users of the events about members who joined. */
const joins = ({ frames }: Framework): readonly unknown[] =>
  frames
    .filter(({ notice_type }) => notice_type === "group_increase")
    .map((frame) => [frame["group_id"], frame["user_id"]]);

/** A storage that cannot list groups while `isAway` is true. */
function createForgetful() {
  const memory = createMemoryStorage();
  const state = { isAway: false };
  const own = intercept(memory, ({ verb, run }) => {
    if (verb === "listGroups" && state.isAway) throw new TelexError("storage_unavailable");
    return run();
  });
  return { state, storage: { ...memory, ...own } };
}

/** A framework whose account is in a group whose members Telex has forgotten. */
async function startForgotten() {
  const { state, storage } = createForgetful();
  const { connect, telex, bob, bot, groupId, log } = await start({}, [], { storage });
  const framework = await connect();
  await framework.ask("get_group_list");
  state.isAway = true;
  await telex.operator.groups.amendMembers(operator, { groupId, remove: [bob.id] });
  await until(() => log.lines.some((line) => line.includes("onebot.room_failed")));
  state.isAway = false;
  const decrease = { notice_type: "group_decrease", sub_type: "kick_me", group_id: groupId, user_id: bot.id };
  return { framework, groups: telex.operator.groups, groupId, bot, decrease };
}

describe("a framework whose account", () => {
  it("joins a group of others, or a new one, is told so, and of other groups nothing", async () => {
    const { connect, telex, room, alice, bob, bot } = await start();
    const [joined, unknown] = [await room([alice], { groupType: 1 }), await room([alice], { groupType: 1 })];
    const framework = await connect();
    // Telex reports new groups only after it has read all groups of the account.
    await framework.ask("get_group_list");
    await telex.operator.groups.amendMembers(operator, { groupId: unknown, add: [bob.id] });
    await telex.operator.groups.amendMembers(operator, { groupId: joined, add: [bot.id] });
    await framework.told({ notice_type: "group_increase", group_id: joined });
    const created = await room([alice, bot], { groupType: 1 });
    await framework.told({ notice_type: "group_increase", group_id: created });
    expect(joins(framework)).toEqual([
      [joined, bot.id],
      [created, bot.id],
    ]);
  });

  it("leaves a group is told so, also if the members of the group could not be read before", async () => {
    const { framework, groups, groupId, bot, decrease } = await startForgotten();
    await groups.amendMembers(operator, { groupId, remove: [bot.id] });
    expect(await framework.told({ notice_type: "group_decrease" })).toMatchObject(decrease);
  });

  it("is in a group that is removed is told so, also if the members of the group could not be read before", async () => {
    const { framework, groups, groupId, decrease } = await startForgotten();
    await groups.remove(operator, { groupId });
    expect(await framework.told({ notice_type: "group_decrease" })).toMatchObject(decrease);
  });
});
