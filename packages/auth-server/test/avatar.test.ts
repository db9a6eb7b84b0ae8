import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { createAccountClient } from "../src/client.ts";
import { field, kinds, listen, type Member, scene } from "./groups-scene.ts";
import { start } from "./server.ts";

const path = "/external/api/v1/account/avatar";

/** A picture of one pixel. */
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7", "base64");

describe("the picture of one's own account", () => {
  it("is set by the person who is signed in, and stays after something that is no picture", async () => {
    const { member, storage, telex, url } = await start();
    const alice = await member("alice");
    const headers = { origin: url, cookie: alice.browser.cookie };
    const account = createAccountClient({
      url,
      fetch: async (request) =>
        await fetch(new Request(request, { headers: { ...Object.fromEntries(request.headers), ...headers } })),
    });
    const avatar = async () => (await storage.users.findUser(alice.id))?.avatar;
    const generated = `/api/avatar/get/personal?id=${alice.id}`;
    expect((await account.show({})).avatar).toBe(generated);
    await account.putAvatar({ file: new Blob([gif], { type: "image/gif" }) });
    expect((await account.show({})).avatar).toBe(`${generated}&picture=${(await avatar()) ?? ""}`);
    const set = await avatar();
    expect(set).toMatch(/^[0-9a-f]{32}$/);
    await expect(account.putAvatar({ file: new Blob(["no picture"]) })).rejects.toMatchObject({
      code: "unreadable_image",
    });
    const { token } = await telex.operator.tokens.issue(operator, { userId: alice.id, scopes: ["chat"] });
    const send = async (more: Readonly<Record<string, string>>, body: FormData | string) =>
      (await fetch(`${url}${path}`, { method: "POST", headers: more, body })).status;
    const form = new FormData();
    form.set("file", new Blob([gif]));
    expect(await send({}, form)).toBe(401);
    expect(await send({ authorization: `Bearer ${token}` }, form)).toBe(403);
    expect(await send({ ...headers, origin: "https://evil.example" }, form)).toBe(403);
    expect(await send({ ...headers, "content-type": "application/json" }, "{}")).toBe(415);
    expect(await send(headers, new FormData())).toBe(400);
    expect(await avatar()).toBe(set);
  });
});

describe("the picture of a room", () => {
  it("is set by those who run it, with a notice and for everybody to see", async () => {
    const { alice, bob, carol, url, create, notices } = await scene();
    const groupId = await create(alice, [bob]);
    const clientOf = ({ browser }: Member) =>
      createAccountClient({
        url,
        fetch: async (request) =>
          await fetch(
            new Request(request, {
              headers: { ...Object.fromEntries(request.headers), origin: url, cookie: browser.cookie },
            }),
          ),
      });
    const put = async (by: Member, content: Blob = new Blob([gif], { type: "image/gif" })) =>
      await clientOf(by).putRoomAvatar({ groupId, file: content });
    const picture = async () => await (await fetch(`${url}/api/avatar/get/group?id=${groupId}`)).text();
    const before = await picture();
    const atBob = await listen(bob, url);
    await expect(put(bob)).rejects.toMatchObject({ code: "not_allowed" });
    await expect(put(carol)).rejects.toMatchObject({ code: "group_not_found" });
    await put(alice);
    expect(await picture()).not.toBe(before);
    expect(await notices(bob, groupId)).toEqual(["created", "avatar_changed"]);
    expect(kinds(await atBob())).toEqual(["avatar"]);
    await expect(put(alice, new Blob(["no picture"]))).rejects.toMatchObject({ code: "unreadable_image" });
    expect(await notices(bob, groupId)).toEqual(["created", "avatar_changed"]);
  });
});

describe("the picture of a hook", () => {
  it("is set by those who run its room, and shown with its messages", async () => {
    const { alice, bob, url, create } = await scene();
    const groupId = await create(alice, [bob]);
    const made = await alice.browser.post(`/im/groups/${groupId}/hooks`, { name: "Alerts" });
    const listed = await alice.browser.get(`/im/groups/${groupId}/hooks`);
    const userId = /"userId":"(\d+)"/.exec(listed.text)?.[1] ?? "";
    const picture = async () => await (await fetch(`${url}/api/avatar/get/personal?id=${userId}`)).text();
    const before = await picture();
    const put = async ({ browser }: typeof alice, file = new Blob([gif], { type: "image/gif" })) => {
      const form = new FormData();
      form.set("file", file);
      const address = `${url}/external/api/v1/im/groups/${groupId}/hooks/${String(field(made, "id"))}/avatar`;
      const headers = { cookie: browser.cookie, origin: url };
      return (await fetch(address, { method: "POST", body: form, headers })).status;
    };
    expect([await put(bob), await put(alice, new Blob(["no picture"]))]).toEqual([403, 422]);
    expect(await picture()).toBe(before);
    expect(await put(alice)).toBe(200);
    expect(await picture()).not.toBe(before);
  });
});
