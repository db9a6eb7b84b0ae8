import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { createAccountClient } from "../src/client.ts";
import { type Browser, start } from "./server.ts";

const path = "/external/api/v1/account/export";

const clientOf = (browser: Browser) =>
  createAccountClient({
    url: browser.url,
    fetch: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("origin", browser.url);
      headers.set("cookie", browser.cookie);
      return await fetch(new Request(request, { headers }));
    },
  });

const idOf = (data: unknown): number => Number(Reflect.get(Object(data), "groupId"));

describe("the export of one's own data", () => {
  it("is one file with everything of the person, over several pages, and nothing of others", async () => {
    const { member } = await start();
    const [alice, bob] = [await member("alice"), await member("bob")];
    const made = await alice.browser.post("/im/groups", { name: "Tea", members: [bob.id] });
    const groupId = idOf(made.data);
    for (let place = 0; place < 120; place += 1) {
      const by = place % 2 === 0 ? alice : bob;
      const message = [{ type: "text", data: { text: `${place} by ${by.id}` } }];
      await by.browser.post("/im/sendGroupMessage", { groupId, groupType: 1, message });
    }
    await alice.browser.post("/teleprinter/register", { deviceId: "kitchen", name: "Kitchen" });
    await alice.browser.post("/teleprinter/send", { deviceId: "kitchen", content: "tea is ready" });
    const issued = await alice.browser.post("/tokens", { name: "backup", scopes: ["profile"] });
    const response = await clientOf(alice.browser).exportData();
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="telex-alice.json"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    const text = await response.text();
    const data: unknown = JSON.parse(text);
    expect(data).toMatchObject({
      account: { id: alice.id, username: "alice" },
      sessions: [{ current: true }],
      tokens: [{ name: "backup" }],
      applications: [],
      rooms: [{ groupName: "Tea", role: "owner" }],
      devices: [{ deviceId: "kitchen", texts: [{ content: "tea is ready" }] }],
      conversations: [],
      files: [],
    });
    const own = Array.from({ length: 60 }, (_, at) => `${at * 2} by ${alice.id}`);
    expect(text.match(/\d+ by \d+/g)?.toSorted()).toEqual(own.toSorted());
    expect(text).not.toContain(String(Reflect.get(Object(issued.data), "token")));
    expect(text).not.toContain("$argon2");
    expect(text).not.toContain(alice.browser.cookie.split("=")[1]);
  });

  it("is refused to a token, to a page of another site, and when the last confirmation is long ago", async () => {
    const { member, clock, telex, url } = await start();
    const alice = await member("alice");
    const token = (await telex.operator.tokens.issue(operator, { userId: alice.id, scopes: ["chat"] })).token;
    const answers = [
      await fetch(`${url}${path}`),
      await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }),
      await fetch(`${url}${path}`, { headers: { cookie: alice.browser.cookie, origin: "https://evil.example" } }),
      await fetch(`${url}${path}`, { headers: { cookie: alice.browser.cookie, "sec-fetch-site": "same-site" } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 403]);
    await clock.advance(11 * 60_000);
    await expect(clientOf(alice.browser).exportData()).rejects.toMatchObject({ code: "not_confirmed" });
    await alice.browser.post("/account/confirm", { password: alice.password });
    expect((await clientOf(alice.browser).exportData()).status).toBe(200);
  });
});
