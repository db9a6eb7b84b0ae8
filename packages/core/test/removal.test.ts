import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { anonymous, operator, type Storage } from "../src/index.ts";
import type { TokenStore } from "../src/users/store.ts";
import { createKit } from "./kit.ts";

const deviceId = "printer-1";

describe("removing a user", () => {
  it("ends tokens, devices, memberships and conversations, and leaves the messages", async () => {
    const { telex, storage, alice, bob, token, room } = await createKit();
    const { id: userId } = await telex.users.userId(alice, {});
    await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
    const conversation = { title: "Talk", status: 0, defaultModel: "echo", lastMessage: 1, totalToken: 0 } as const;
    for (let count = 0; count < 150; count += 1) await storage.ai.appendConversation({ userId, ...conversation });
    const send = (caller: typeof alice) =>
      telex.messages.send(caller, { groupId: room, groupType: 1, message: "Good morning" });
    await send(alice);

    expect(await telex.operator.users.remove(operator, { id: userId })).toBeNull();

    expect(await telex.authenticate(token)).toEqual({ kind: "anonymous" });
    await expect(telex.operator.users.show(operator, { id: userId })).rejects.toMatchObject({ code: "user_not_found" });
    expect(await storage.teleprinter.findDevice(deviceId)).toBeNull();
    expect((await storage.ai.listConversations(userId, { offset: 0, limit: 1 })).total).toBe(0);
    const members = await telex.operator.groups.members(operator, { groupId: room });
    expect(members.map((member) => member.userId)).not.toContain(userId);
    await expect(send(alice)).rejects.toMatchObject({ code: "user_not_found" });
    const { groupMessages } = await telex.messages.history(bob, { groupId: room, groupType: 1 });
    expect(groupMessages).toMatchObject([{ userId: String(userId), nickname: "已注销用户" }]);
  });

  it("closes the open connections of the user", async () => {
    const { telex, token } = await createKit();
    const holder = await telex.authenticate(token);
    if (holder.kind !== "token") throw new Error("The token is valid.");
    const closed: string[] = [];
    telex.attach({ holder, write: () => undefined, close: (reason) => closed.push(reason) });
    await telex.operator.users.remove(operator, { id: holder.userId });
    expect(closed).toEqual(["token_ended"]);
  });

  it("is refused for a user who does not exist, and then removes what is left over", async () => {
    const { telex, storage } = await createKit();
    await storage.teleprinter.claimDevice({ deviceId, owner: 99, name: "Left over", now: 1 });
    await expect(telex.operator.users.remove(operator, { id: 99 })).rejects.toMatchObject({ code: "user_not_found" });
    expect(await storage.teleprinter.findDevice(deviceId)).toBeNull();
  });

  it("ends all tokens of the user, however many there are", async () => {
    const { telex } = await createKit();
    const { id } = await telex.operator.users.add(operator, { nickname: "dave" });
    for (let count = 0; count < 250; count += 1)
      await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
    await telex.operator.users.remove(operator, { id });
    const ended = await telex.operator.tokens.list(operator, { userId: id, limit: 1000 });
    expect([ended.length, ended.filter(({ revoked }) => !revoked)]).toEqual([250, []]);
  });

  it("leaves no valid token that is issued meanwhile", async () => {
    let meanwhile = (): Promise<unknown> => Promise.resolve();
    const memory = createMemoryStorage();
    const tokens: TokenStore = {
      ...memory.tokens,
      async issueToken(token) {
        await meanwhile();
        return memory.tokens.issueToken(token);
      },
    };
    const storage: Storage = { ...memory, tokens };
    const { telex } = await createKit({ storage });
    const { id } = await telex.operator.users.add(operator, { nickname: "dave" });
    meanwhile = () => telex.operator.users.remove(operator, { id });
    const issue = telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
    await expect(issue).rejects.toMatchObject({ code: "user_not_found" });
    expect(await telex.operator.tokens.list(operator, { userId: id })).toMatchObject([{ revoked: true }]);
  });
});

describe("rooms", () => {
  it("are renamed for everybody immediately", async () => {
    const { telex, alice, room } = await createKit();
    await telex.messages.send(alice, { groupId: room, groupType: 1, message: "one" });
    await telex.operator.groups.amend(operator, { groupId: room, name: "新房间" });
    const { groupMessages } = await telex.messages.history(alice, { groupId: room, groupType: 1 });
    expect(groupMessages).toMatchObject([{ groupName: "新房间", groupNamePinyin: "xin1 fang2 jian1" }]);
    await expect(telex.operator.groups.amend(operator, { groupId: 99, name: "x" })).rejects.toMatchObject({
      code: "group_not_found",
    });
  });

  it("that are removed are nobody's any more", async () => {
    const { telex, alice, room } = await createKit();
    await telex.messages.send(alice, { groupId: room, groupType: 1, message: "one" });
    expect(await telex.operator.groups.remove(operator, { groupId: room })).toBeNull();
    const gone = { code: "group_not_found" };
    const key = { groupId: room, groupType: 1 } as const;
    await expect(telex.messages.send(alice, { ...key, message: "two" })).rejects.toMatchObject(gone);
    await expect(telex.messages.history(alice, key)).rejects.toMatchObject(gone);
    await expect(telex.operator.groups.remove(operator, { groupId: room })).rejects.toMatchObject(gone);
  });
});

describe("devices in the hands of the operator", () => {
  it("are listed, read, renamed and removed for their owner", async () => {
    const { telex, alice } = await createKit();
    const { id: userId } = await telex.users.userId(alice, {});
    await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
    await telex.teleprinter.offline(alice, { deviceId });
    await telex.teleprinter.send(alice, { deviceId, content: "hello" });
    const { devices } = telex.operator;
    expect(await devices.rename(operator, { deviceId, name: "Kitchen" })).toMatchObject({ name: "Kitchen", userId });
    expect(await devices.list(operator, { userId })).toMatchObject([{ deviceId, name: "Kitchen", online: false }]);
    expect(await devices.messages(operator, { deviceId })).toMatchObject({ messages: [{ content: "hello" }] });
    expect(await devices.remove(operator, { deviceId })).toBeNull();
    for (const call of [devices.remove(operator, { deviceId }), devices.messages(operator, { deviceId })]) {
      await expect(call).rejects.toMatchObject({ code: "device_not_found" });
    }
    await expect(devices.list(operator, { userId: 99 })).rejects.toMatchObject({ code: "user_not_found" });
  });

  it("are not paired beyond the limits of their user", async () => {
    const { telex, alice } = await createKit({ limits: { devicesPerUser: 1 } });
    const { id: userId } = await telex.users.userId(alice, {});
    const { devices } = telex.operator;
    await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
    const { code } = await telex.pairing.pair(anonymous, { deviceId: "another", name: "Another" });
    await expect(devices.pair(operator, { userId, code })).rejects.toMatchObject({ code: "quota_exceeded" });
    const guess = () => devices.pair(operator, { userId, code: "BBBBBBBB" });
    for (let count = 0; count < 8; count += 1) await expect(guess()).rejects.toMatchObject({ code: "not_found" });
    await expect(guess()).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("are paired for a user by the code that they show", async () => {
    const { telex, alice } = await createKit();
    const { id: userId } = await telex.users.userId(alice, {});
    const { code, secret } = await telex.pairing.pair({ kind: "anonymous" }, { deviceId, name: "Printer" });
    expect(await telex.operator.devices.pair(operator, { userId, code })).toMatchObject({ deviceId, userId });
    expect(await telex.pairing.collect({ kind: "anonymous" }, { secret })).toMatchObject({ deviceId });
    const again = telex.operator.devices.pair(operator, { userId, code: "BBBBBBBB" });
    await expect(again).rejects.toMatchObject({ code: "not_found" });
  });
});
