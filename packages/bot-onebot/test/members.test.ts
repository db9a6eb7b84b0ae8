import { operator } from "@telex/core";
import { until } from "@telex/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createImplementation } from "../src/testing/index.ts";
import { start } from "./setup.ts";

const page = z.object({
  data: z.object({ list: z.array(z.looseObject({ ext: z.string() })), nextCursor: z.string().nullable() }),
});

/** A server, and what Alice sees of the members of the room. */
async function scene() {
  const here = await start();
  const members = async (query = "") => {
    const headers = { authorization: `Bearer ${here.alice.token}` };
    const response = await fetch(`${here.url}/external/api/v1/im/groups/${here.groupId}/members?${query}`, { headers });
    return page.parse(await response.json()).data;
  };
  return { ...here, members };
}

const lists = {
  11: [
    { user_id: 1002, nickname: "Ben", card: "" },
    { user_id: 1001, nickname: "Ann", card: "Ann of tea" },
    { user_id: 4711, nickname: "Alice there" },
    { nickname: "nobody" },
  ],
  12: [
    { user_id: "1002", user_name: "Ben", user_displayname: "" },
    { user_id: "1001", user_name: "Ann", user_displayname: "Ann of tea" },
    { user_id: "4711", user_name: "Alice there", user_displayname: "" },
    "nobody",
  ],
} as const;

describe.each([11, 12] as const)("members of a group behind OneBot %i", (version) => {
  it("follow the members of the room, who are not listed twice, and are asked for once", async () => {
    const { at, find, alice, members, telex, say, caller, groupId } = await scene();
    await telex.operator.users.amend(operator, { id: alice.id, ext: "4711" });
    const bot = createImplementation(version);
    bot.answers.set("get_group_member_list", () => ({ status: "ok", retcode: 0, data: lists[version], message: "" }));
    expect((await members()).list).toMatchObject([{ userId: String(alice.id), nickname: "Alice" }]);
    await bot.connect(at(`/onebot/v${version}/ws`), { token: "secret" });
    await until(() => find()?.isOnline === true);
    const { list, nextCursor } = await members();
    expect(nextCursor).toBeNull();
    expect(list).toMatchObject([
      { userId: String(alice.id), ext: "4711" },
      {
        userId: null,
        ext: "1001",
        nickname: "Ann",
        card: "Ann of tea",
        avatar: "/api/avatar/get/EXTpersonal?id=1001",
        online: false,
      },
      { userId: null, ext: "1002", nickname: "Ben", card: null },
    ]);
    const first = await members("pageSize=2");
    expect(first.list.map(({ ext }) => ext)).toEqual(["4711", "1001"]);
    const rest = await members(`pageSize=2&cursor=${first.nextCursor}`);
    expect([rest.list.map(({ ext }) => ext), rest.nextCursor]).toEqual([["1002"], null]);
    expect(bot.seen.filter(({ action }) => action === "get_group_member_list")).toHaveLength(1);
    const { messageId } = await say([{ type: "at", data: { ext: "1002" } }]);
    const { groupMessages } = await telex.messages.history(await caller(alice), { groupId, groupType: 4 });
    expect(groupMessages).toMatchObject([{ messageId, content: '[{"at":{"ext":"1002","name":"Ben"}}]' }]);
    bot.end();
    await until(() => find()?.isConnected === false);
    expect((await members()).list).toHaveLength(3);
  });

  it("are missing where the implementation does not list them, and the members of the room are there", async () => {
    const { at, find, members, alice } = await scene();
    const bot = createImplementation(version);
    bot.answers.set("get_group_member_list", () => ({ status: "failed", retcode: 1404, data: null, message: "no" }));
    await bot.connect(at(`/onebot/v${version}/ws`), { token: "secret" });
    await until(() => find()?.isOnline === true);
    expect(await members()).toMatchObject({ list: [{ userId: String(alice.id) }], nextCursor: null });
  });
});
