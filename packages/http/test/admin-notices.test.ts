import { defaultLimits, operator, type Storage, systemClock, TelexError } from "@telex/core";
import { createMemoryNetwork } from "@telex/conformance/testing";
import { createRateLimiter } from "@telex/core/transport";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createClient } from "../src/client/client.ts";
import { setup, type SetupOptions } from "./setup.ts";

const notice = "[管理员更改了连接此聊天室与外部网络的账号]";
const ofModel = "[管理员让 AI 模型以一位成员的身份回答]";

/** An instance with Root, who has a token with only the scope `admin`, and the messages of rooms. */
async function open(options: SetupOptions = {}) {
  const storage = options.telex?.storage ?? createMemoryStorage();
  const here = await setup("in process", { ...options, telex: { ...options.telex, storage } });
  const { telex, alice, http, url } = here;
  const { id } = await telex.operator.users.add(operator, { nickname: "Root" });
  const token = await here.issue({ id, token: "" }, ["admin"]);
  const clientOf = (given: string) =>
    createClient({ url, token: given, language: "en", fetch: (request: Request) => http.fetch(request) });
  const room = async (fields: { groupType: 0 | 1 | 4; ext?: string; bot?: string }) =>
    (await telex.operator.groups.add(operator, { name: "Room", members: [alice.id], ...fields })).groupId;
  const said = (groupId: number) => saidIn(storage, groupId);
  return { ...here, storage, root: { id, token }, admin: clientOf(token).operator, clientOf, room, said };
}

/** The stored texts of a room, with the senders. */
async function saidIn(storage: Storage, groupId: number): Promise<string[]> {
  const { messages } = await storage.messages.page({ groupId, before: null, limit: 1000 });
  return messages.map(({ nickname, content }) => `${nickname}: ${content}`).toReversed();
}

const noticed = [`Root: [{"text":{"text":"${notice}"}}]`];
const refused = { status: 503, code: "storage_unavailable" };

type Opened = Awaited<ReturnType<typeof open>>;

/** A room of the account "bot-1", one of another account, one of the official account, and one without a network. */
const openRooms = async ({ room }: Opened) => ({
  own: await room({ groupType: 4, ext: "500", bot: "bot-1" }),
  other: await room({ groupType: 4, ext: "501", bot: "bot-2" }),
  official: await room({ groupType: 0, ext: "502" }),
  plain: await room({ groupType: 1 }),
});

const connect = "ws://127.0.0.1:1/";

/** Changes after which another program may be connected to the rooms of the account. */
const changes: Readonly<
  Record<string, { readonly official?: boolean; readonly make: (here: Opened) => Promise<unknown> }>
> = {
  "another secret": { make: ({ admin }) => admin.bots.amend({ account: "bot-1", secret: "another-secret" }) },
  "no secret": { make: ({ admin }) => admin.bots.amend({ account: "bot-1", secret: null }) },
  "no address": { make: ({ admin }) => admin.bots.amend({ account: "bot-1", connect: null }) },
  official: { official: true, make: ({ admin }) => admin.bots.amend({ account: "bot-1", official: true }) },
  "its removal": { make: ({ admin }) => admin.bots.remove({ account: "bot-1" }) },
};

describe("a change of an account by an admin", () => {
  it.each(Object.entries(changes))(
    "%s: is told in each of its rooms, and logged",
    async (_name, { make, official }) => {
      const here = await open();
      const rooms = await openRooms(here);
      await here.telex.operator.bots.add(operator, { account: "bot-1", secret: "first-secret", connect });
      here.security.length = 0;
      await make(here);
      const { own, other, plain } = rooms;
      expect(await here.said(own)).toEqual(noticed);
      expect(await here.said(rooms.official)).toEqual(official === true ? noticed : []);
      expect([...(await here.said(other)), ...(await here.said(plain))]).toEqual([]);
      expect(here.security).toEqual([
        expect.stringMatching(/ bot\.changed .*"account":"bot-1","by":3,"byToken":\d+\}/),
      ]);
    },
  );

  it("an official account that an admin adds, changes or removes is told in each room of the official account", async () => {
    const here = await open();
    const { official, own } = await openRooms(here);
    await here.admin.bots.add({ account: "chief", official: true });
    await here.admin.bots.amend({ account: "chief", secret: "another-secret" });
    await here.admin.bots.amend({ account: "chief", official: false });
    await here.admin.bots.amend({ account: "chief", secret: "a-third-secret" });
    expect(await here.said(official)).toEqual([...noticed, ...noticed, ...noticed]);
    expect(await here.said(own)).toEqual([]);
  });

  it("an account that an admin adds again under the name of one that was removed is told in its rooms", async () => {
    const here = await open();
    const { own } = await openRooms(here);
    await here.admin.bots.add({ account: "bot-1" });
    expect(await here.said(own)).toEqual(noticed);
  });

  it("is not told if it connects nobody else, cannot be made, or is the operator's", async () => {
    const here = await open();
    const { own, official } = await openRooms(here);
    const { bots } = here.telex.operator;
    await bots.add(operator, { account: "bot-1", secret: "first-secret" });
    await bots.add(operator, { account: "bot-2", secret: "other-secret", official: true });
    await bots.amend(operator, { account: "bot-1", secret: "new-secret" });
    await here.admin.bots.amend({ account: "bot-1", secret: "new-secret", minInterval: 1300, protocol: 12 });
    const invalid = { status: 400 };
    await expect(here.admin.bots.amend({ account: "bot-1", official: true })).rejects.toMatchObject(invalid);
    await expect(here.admin.bots.amend({ account: "bot-1", secret: "other-secret" })).rejects.toMatchObject(invalid);
    await expect(here.admin.bots.add({ account: "bot-1" })).rejects.toMatchObject(invalid);
    await expect(here.admin.bots.add({ account: "bot-3", official: true })).rejects.toMatchObject(invalid);
    await expect(here.admin.bots.remove({ account: "bot-9" })).rejects.toMatchObject({ status: 404 });
    await bots.remove(operator, { account: "bot-1" });
    expect([...(await here.said(own)), ...(await here.said(official))]).toEqual([]);
  });

  it("is made only when the notices are stored, however many rooms there are", async () => {
    const memory = createMemoryStorage();
    const pages: number[] = [];
    const told: number[] = [];
    const count = async (): Promise<void> => {
      const groups = await memory.groups.listGroups({ after: 0, limit: 1000 });
      const all = await Promise.all(groups.map(({ groupId }) => saidIn(memory, groupId)));
      told.push(all.flat().length);
    };
    const storage: Storage = {
      ...memory,
      groups: {
        ...memory.groups,
        listGroups(page) {
          pages.push(page.limit);
          return memory.groups.listGroups(page);
        },
      },
      bots: {
        ...memory.bots,
        amendBot: (...given) => count().then(() => memory.bots.amendBot(...given)),
        dropBot: (...given) => count().then(() => memory.bots.dropBot(...given)),
      },
    };
    const here = await open({ telex: { storage } });
    for (let ext = 1; ext <= 250; ext += 1) await here.room({ groupType: 4, ext: String(ext), bot: "bot-1" });
    await here.telex.operator.bots.add(operator, { account: "bot-1" });
    await here.admin.bots.amend({ account: "bot-1", secret: "another-secret" });
    await here.admin.bots.remove({ account: "bot-1" });
    expect(told).toEqual([250, 500]);
    expect(new Set(pages)).toEqual(new Set([100]));
  });

  it("is not made if a notice cannot be stored, and the log has it with an unknown outcome", async () => {
    const memory = createMemoryStorage();
    const append = () => Promise.reject(new TelexError("storage_unavailable"));
    const storage: Storage = { ...memory, messages: { ...memory.messages, append } };
    const here = await open({ telex: { storage } });
    await openRooms(here);
    await here.telex.operator.bots.add(operator, { account: "bot-1", secret: "first-secret" });
    const before = await memory.bots.listBots();
    here.security.length = 0;
    await expect(here.admin.bots.amend({ account: "bot-1", secret: "another-secret" })).rejects.toMatchObject(refused);
    await expect(here.admin.bots.remove({ account: "bot-1" })).rejects.toMatchObject(refused);
    expect(await memory.bots.listBots()).toEqual(before);
    expect(here.security).toHaveLength(2);
    for (const line of here.security) expect(line).toMatch(/ bot\.changed .*"by":3.*"outcome":"unknown"/);
  });

  it("is not made if the token of the admin ends while the notices are stored", async () => {
    const memory = createMemoryStorage();
    let revoke = (): Promise<unknown> => Promise.resolve();
    const storage: Storage = {
      ...memory,
      messages: {
        ...memory.messages,
        async append(given) {
          await revoke();
          return memory.messages.append(given);
        },
      },
    };
    const here = await open({ telex: { storage } });
    await openRooms(here);
    await here.telex.operator.bots.add(operator, { account: "bot-1", secret: "first-secret" });
    const before = await memory.bots.listBots();
    revoke = () => here.telex.operator.tokens.revoke(operator, { token: here.root.token });
    const late = here.admin.bots.amend({ account: "bot-1", secret: "another-secret" });
    await expect(late).rejects.toMatchObject({ status: 401 });
    expect(await memory.bots.listBots()).toEqual(before);
  });
});

describe("a room for a group of a network that an admin adds with themselves", () => {
  it("has the notice that an admin joins, and the log has it; a plain room has nothing to read yet", async () => {
    const here = await open();
    const members = [here.root.id, here.alice.id];
    here.security.length = 0;
    const network = { groupType: 4, ext: "500", bot: "bot-1" } as const;
    const { groupId } = await here.admin.groups.add({ ...network, name: "Room", members });
    const plain = await here.admin.groups.add({ groupType: 1, name: "Room", members });
    expect(await here.said(groupId)).toEqual(['Root: [{"text":{"text":"[管理员加入了聊天室]"}}]']);
    const joined = (await here.admin.groups.members({ groupId })).map(({ userId }) => userId);
    expect(new Set(joined)).toEqual(new Set(members));
    expect(await here.said(plain.groupId)).toEqual([]);
    expect(here.security.map((line) => line.split(" ")[1])).toEqual(["group.joined", "group.changed", "group.changed"]);
  });
});

describe("a second room for a group of a network", () => {
  const taken = { status: 409, code: "group_taken" };

  it("cannot be added by an admin, and the messages of the group stay in the first one", async () => {
    const network = createMemoryNetwork();
    const here = await open({ telex: { gateways: [network.gateway] } });
    const own = await here.room({ groupType: 4, ext: "500", bot: "bot-1" });
    const official = await here.room({ groupType: 0, ext: "501" });
    const members = [here.root.id];
    const add = (fields: { groupType: 0 | 4; ext: string; bot?: string }) =>
      here.admin.groups.add({ name: "Trap", members, ...fields });
    await expect(add({ groupType: 0, ext: "500" })).rejects.toMatchObject(taken);
    await expect(add({ groupType: 4, ext: "501", bot: "bot-1" })).rejects.toMatchObject(taken);
    const say = (ext: string) => network.say({ room: { kind: "group", ext } });
    expect(await say("500")).toMatchObject({ outcome: "stored", groupId: own });
    expect(await say("501")).toMatchObject({ outcome: "stored", groupId: official });
    expect((await here.admin.groups.list({})).map(({ groupId }) => groupId)).toEqual([own, official]);
  });

  it("cannot come from another official account, and its rooms are not told of that", async () => {
    const here = await open();
    const trap = await here.room({ groupType: 0, ext: "500" });
    const own = await here.room({ groupType: 4, ext: "500", bot: "bot-1" });
    const { bots } = here.telex.operator;
    await expect(bots.add(operator, { account: "bot-1", official: true })).rejects.toMatchObject({
      code: "group_taken",
      params: { first: trap, second: own },
    });
    await bots.add(operator, { account: "bot-1" });
    await expect(here.admin.bots.amend({ account: "bot-1", official: true })).rejects.toMatchObject(taken);
    expect([...(await here.said(own)), ...(await here.said(trap))]).toEqual([]);
    await here.admin.groups.remove({ groupId: trap });
    expect(await here.admin.bots.amend({ account: "bot-1", official: true })).toMatchObject({ account: "bot-1" });
  });
});

describe("a model that an admin makes answer as a user", () => {
  it("is told in each room of the user before it answers, and once", async () => {
    const here = await open();
    const { own, plain } = await openRooms(here);
    const elsewhere = (await here.telex.operator.groups.add(operator, { name: "Room", groupType: 1, members: [] }))
      .groupId;
    const { id } = here.alice;
    await here.admin.users.amend({ id, nickname: "Alicia" });
    await here.admin.users.amend({ id, ai: "echo" });
    await here.admin.users.amend({ id, ai: "echo" });
    await here.admin.users.amend({ id, ai: null });
    const text = [`Root: [{"text":{"text":"${ofModel}"}}]`];
    expect([await here.said(own), await here.said(plain)]).toEqual([text, text]);
    expect(await here.said(elsewhere)).toEqual([]);
  });

  it("counts as one more call for each room that is told", async () => {
    const clock = { ...systemClock, now: () => 1_800_000_000_000 };
    const rates = { burst: 30, perMinute: 60 };
    const rateLimiter = createRateLimiter({ token: rates, address: rates }, { clock, limits: defaultLimits });
    const here = await open({ rateLimiter, telex: { clock } });
    for (const ext of ["1", "2", "3", "4"]) await here.room({ groupType: 4, ext, bot: "bot-1" });
    const left = async (fields: object): Promise<string | undefined> => {
      const body = JSON.stringify(fields);
      const headers = { "content-type": "application/json" };
      const path = `/external/api/v1/admin/users/${here.alice.id}`;
      const answer = await here.send(path, { method: "PATCH", token: here.root.token, headers, body });
      expect(answer.status).toBe(200);
      return /r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1];
    };
    // Each response reports the rest before its own rooms were charged.
    expect(await left({ ai: "echo" })).toBe("29");
    expect(await left({ ai: "echo" })).toBe("24");
    expect(await left({ ai: null })).toBe("23");
    expect(await left({ ai: "echo" })).toBe("22");
    expect(await left({ nickname: "Alicia" })).toBe("17");
  });
});

describe("what an admin recalls", () => {
  it("is in the log with the admin, if somebody else has said it; notices stay", async () => {
    const here = await open();
    const { own, plain: groupId } = await openRooms(here);
    const { alice, root } = here;
    await here.telex.operator.bots.add(operator, { account: "bot-1" });
    await here.admin.bots.remove({ account: "bot-1" });
    for (const room of [groupId, own]) await here.admin.groups.amendMembers({ groupId: room, add: [root.id] });
    const { messages } = here.clientOf(await here.issue(root, ["chat", "admin"]));
    const ofAlice = here.clientOf(alice.token).messages;
    const say = async (by: typeof messages, message: string) =>
      (await by.send({ groupId, groupType: 1, message })).messageId;
    const [theirs, mine] = [await say(ofAlice, "theirs"), await say(messages, "mine")];
    here.security.length = 0;
    for (const messageId of [theirs, theirs, mine]) await messages.recall({ groupId, messageId });
    await ofAlice.recall({ groupId, messageId: await say(ofAlice, "her own") });
    expect(here.security).toEqual([
      expect.stringMatching(
        new RegExp(
          ` message\\.recalled .*"groupId":${groupId},"messageId":${theirs},"by":${root.id},"byToken":\\d+\\}`,
        ),
      ),
    ]);
    const { messages: stored } = await here.storage.messages.page({ groupId: own, before: null, limit: 10 });
    expect(stored).toHaveLength(2);
    for (const { id } of stored) {
      await expect(messages.recall({ groupId: own, messageId: id })).rejects.toMatchObject({ status: 403 });
    }
  });
});
