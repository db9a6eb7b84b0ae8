import { operator } from "../src/index.ts";
import { describe, expect, it } from "vitest";
import { createKit } from "./kit.ts";

describe("the roles that an operator gives", () => {
  it("come with members who come and go, all or nothing", async () => {
    const { telex, storage, room } = await createKit();
    const { groups } = telex.operator;
    const change = { groupId: room, add: [3], remove: [2] };
    const refused = groups.amendMembers(operator, { ...change, roles: [{ userId: 2, role: "owner" }] });
    await expect(refused).rejects.toMatchObject({ code: "not_member" });
    expect(await groups.members(operator, { groupId: room })).toMatchObject([{ userId: 1 }, { userId: 2 }]);
    const given = { ...change, roles: [{ userId: 3, role: "owner" as const }] };
    const members = [
      { userId: 1, role: "member" },
      { userId: 3, role: "owner" },
    ];
    expect(await groups.amendMembers(operator, given)).toMatchObject(members);
    const { rev } = (await storage.groups.findGroup(room)) ?? {};
    expect(await groups.amendMembers(operator, given)).toMatchObject(members);
    expect((await storage.groups.findGroup(room))?.rev).toBe(rev);
  });

  it("are said in the room if an admin gives them", async () => {
    const { telex, bob, room } = await createKit();
    const { token } = await telex.operator.tokens.issue(operator, { userId: 3, scopes: ["admin"] });
    const admin = await telex.authenticate(token);
    if (admin.kind !== "token") throw new Error("The token is valid.");
    const roles = [{ userId: 1, role: "moderator" as const }];
    await telex.operator.groups.amendMembers(admin, { groupId: room, roles });
    await telex.operator.groups.amendMembers(admin, { groupId: room, roles });
    const { groupMessages } = await telex.messages.history(bob, { groupId: room, groupType: 1, more: 1 });
    expect(groupMessages).toMatchObject([{ userId: "3", notice: { kind: "roles_changed", userIds: ["1"] } }]);
  });

  it("are refused in private chats and in rooms of external networks", async () => {
    const { telex } = await createKit();
    const { groups } = telex.operator;
    for (const groupType of [2, 4] as const) {
      const room = { groupType, name: "Other", members: [1, 2] };
      await expect(groups.add(operator, { ...room, owner: 1 })).rejects.toMatchObject({ code: "not_supported" });
      const { groupId } = await groups.add(operator, room);
      const given = groups.amendMembers(operator, { groupId, roles: [{ userId: 1, role: "owner" }] });
      await expect(given).rejects.toMatchObject({ code: "not_supported" });
    }
    await expect(groups.add(operator, { groupType: 1, name: "Ours", owner: 99 })).rejects.toMatchObject({
      code: "user_not_found",
    });
  });
});
