import { operator } from "@telex/core";
import { createManualClock } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { z } from "zod";
import { field, type Member, scene } from "./groups-scene.ts";
import { type Answer, start } from "./server.ts";

const result = ({ status, error }: Answer): unknown => error ?? status;
const json = "application/json";
const messagesIn = z.array(z.object({ nickname: z.string(), content: z.string(), notice: z.unknown().optional() }));
const segmentsIn = z.tuple([z.object({ text: z.object({ text: z.string() }) })]);

/** The body that Grafana documents for its contact point "webhook". */
const grafana = {
  receiver: "My Super Webhook",
  status: "firing",
  orgId: 1,
  alerts: [
    {
      status: "firing",
      labels: { alertname: "CPU high", team: "blue", zone: "us-1" },
      annotations: { description: "The CPU is high", runbook_url: "https://grafana.example/runbook" },
      startsAt: "2021-10-12T09:51:03.157076+02:00",
      endsAt: "0001-01-01T00:00:00Z",
      generatorURL: "https://grafana.example/alerting/1afz29v7z/edit",
      fingerprint: "c6eadffa33fcdf37",
      silenceURL: "https://grafana.example/alerting/silence/new",
      values: { B: 44.23943737541908, C: 1 },
    },
  ],
  groupLabels: {},
  commonLabels: { team: "blue" },
  commonAnnotations: {},
  externalURL: "https://grafana.example/",
  version: "1",
  groupKey: "{}:{}",
  truncatedAlerts: 0,
  title: "[FIRING:1]  (CPU high)",
  state: "alerting",
  message: "**Firing**\n\nValue: B=22, C=1",
};

async function hookScene(...how: Parameters<typeof scene>) {
  const base = await scene(...how);
  const { alice, bob, create } = base;
  const groupId = await create(alice, [bob]);
  const make = async (by: Member, input: object = {}): Promise<string> =>
    String(field(await by.browser.post(`/im/groups/${groupId}/hooks`, { name: "Alerts", ...input }), "url"));
  const send = async (url: string, body: string, type?: string, headers: Record<string, string> = {}) => {
    const sent = { ...(type !== undefined && { "content-type": type }), ...headers };
    const response = await fetch(url, { method: "POST", body, headers: sent });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const post = async (url: string, body: object) => await send(url, JSON.stringify(body), json);
  /** The names and texts of the messages of the room, the oldest first, without notices. */
  const said = async (): Promise<string[]> => {
    const path = `/im/getMessage?groupId=${groupId}&groupType=1&pageSize=100&more=1`;
    return messagesIn
      .parse(field(await alice.browser.get(path), "groupMessages"))
      .filter(({ notice }) => notice === undefined)
      .map(({ nickname, content }) => `${nickname}: ${segmentsIn.parse(JSON.parse(content))[0].text.text}`)
      .toReversed();
  };
  return { ...base, groupId, make, send, post, said };
}

it("takes plain texts, those that curl calls forms, and the forms of Slack, Discord and Grafana", async () => {
  const { alice, make, send, post, said } = await hookScene();
  const url = await make(alice);
  expect(url).toMatch(/\/hooks\/[\w-]+$/);
  expect(await send(url, " disk full ", "text/plain")).toMatchObject({ status: 200, text: "ok" });
  await send(url, "sent with curl", "application/x-www-form-urlencoded");
  await send(url, `payload=${encodeURIComponent('{"text":"as a form"}')}`, "application/x-www-form-urlencoded");
  await post(url, { text: "see <https://a.example|this> &amp; <!channel> @all <@U1>", username: "bot" });
  await post(url, {
    username: "Alertmanager",
    attachments: [
      {
        title: "[FIRING:1] Down",
        title_link: "https://a.example",
        text: "all of it",
        fields: [{ title: "host", value: "a" }],
      },
    ],
  });
  await post(url, { blocks: [{ type: "header", text: { text: "Head" } }, { elements: [{ text: "small" }] }] });
  await post(url, { content: "hi", embeds: [{ title: "T", url: "https://b.example", description: "D" }] });
  await post(url, grafana);
  expect(await said()).toEqual([
    "Alerts: disk full",
    "Alerts: sent with curl",
    "Alerts: as a form",
    "bot · Alerts: see this (https://a.example) & <!channel> @all <@U1>",
    "Alertmanager · Alerts: [FIRING:1] Down (https://a.example)\nall of it\nhost: a",
    "Alerts: Head\nsmall",
    "Alerts: hi\nT (https://b.example)\nD",
    "Alerts: [FIRING:1]  (CPU high)\n**Firing**\n\nValue: B=22, C=1",
  ]);
});

it("fills a template from any JSON, and refuses what has no text", async () => {
  const { alice, make, post, send, said } = await hookScene();
  const url = await make(alice, { template: "{{repo.name}}: {{commits[1].by}} {{nothing.at.all}}{{repo}}({{ok}})" });
  await post(url, { repo: { name: "telex" }, commits: [{}, { by: "Ann" }], ok: true });
  expect(await said()).toEqual(["Alerts: telex: Ann (true)"]);
  const plain = await make(alice);
  for (const [body, type] of [
    ["", "text/plain"],
    ["{}", json],
    ["[1", json],
    ['{"text":" "}', json],
  ] as const)
    expect([body, (await send(plain, body, type)).status]).toEqual([body, 400]);
  expect((await fetch(plain)).status).toBe(405);
});

it("cuts long texts, and stays quick with the most expensive bodies", async () => {
  const { alice, make, send, said } = await hookScene();
  const [plain, template] = [await make(alice), await make(alice, { template: "{{a}}".repeat(800) })];
  expect((await send(plain, "😀".repeat(20_000), "text/plain")).status).toBe(200);
  expect((await send(plain, "x".repeat(256 * 1024 + 1), "text/plain")).status).toBe(413);
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect([200, 400]).toContain((await send(template, `{"a":${deep}}`, json)).status);
  expect((await send(template, JSON.stringify({ a: "y".repeat(250_000) }), json)).status).toBe(200);
  for (const text of await said()) expect([...text].length).toBeLessThanOrEqual(10_000 + "Alerts: ".length);
});

it("stores one message for one Idempotency-Key, and refuses another body with it", async () => {
  const { alice, make, send, said } = await hookScene();
  const url = await make(alice);
  const keyed = async (body: string, key = "k") =>
    (await send(url, body, "text/plain", { "idempotency-key": key })).status;
  expect(await Promise.all(["a", "a", "a"].map(async (body) => await keyed(body)))).toEqual([200, 200, 200]);
  expect([await keyed("b"), await keyed("b", "x".repeat(256)), await keyed("b", "x".repeat(257))]).toEqual([
    409, 200, 400,
  ]);
  expect(await said()).toEqual(["Alerts: a", "Alerts: b"]);
});

it("lets 30 calls through at once, and then says when to come again", async () => {
  const { alice, clock, make, send } = await hookScene();
  const url = await make(alice);
  const call = async () => await send(url, "x", "text/plain");
  const answers = await Promise.all(Array.from({ length: 31 }, call));
  const late = answers.filter(({ status }) => status === 429);
  expect(late.map(({ headers }) => headers.get("retry-after"))).toEqual(["1"]);
  await clock.advance(1000);
  expect((await Promise.all(Array.from({ length: 6 }, call))).filter(({ status }) => status === 200)).toHaveLength(5);
});

it("writes messages that nobody edits, and on which members react", async () => {
  const { alice, groupId, make, send } = await hookScene();
  await send(await make(alice), "disk full", "text/plain");
  const [newest] = z
    .array(z.object({ messageId: z.int() }))
    .parse(field(await alice.browser.get(`/im/getMessage?groupId=${groupId}&groupType=1&pageSize=1`), "groupMessages"));
  const place = { groupId, messageId: newest?.messageId };
  expect((await alice.browser.post("/im/react", { ...place, emoji: "👍" })).status).toBe(200);
  expect(await alice.browser.post("/im/edit", { ...place, message: "x" })).toMatchObject({
    status: 409,
    error: "not_supported",
  });
});

it("is made, listed and ended by those who run the room, and its secret is shown once and in no log", async () => {
  const { alice, bob, carol, log, groupId, make, send, said } = await hookScene();
  const hooks = `/im/groups/${groupId}/hooks`;
  expect(result(await bob.browser.post(hooks, { name: "x" }))).toBe("not_allowed");
  expect(result(await carol.browser.post(hooks, { name: "x" }))).toBe("group_not_found");
  const url = await make(alice);
  const secret = url.slice(url.lastIndexOf("/") + 1);
  const listed = await alice.browser.get(hooks);
  expect(listed.text).not.toContain(secret);
  const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(field(listed, "list"));
  expect(field(await bob.browser.get(`/im/groups/${groupId}/devices`), "list")).toEqual([
    { kind: "hook", name: "Alerts", owner: null },
  ]);
  expect((await send(url, "", "text/plain")).headers.get("cache-control")).toBe("no-store");
  expect(result(await alice.browser.delete(`${hooks}/${id}`))).toBe(200);
  const gone = await send(url, "x", "text/plain");
  const unknown = await send(url.replace(/.{20}$/, "a".repeat(20)), "x", "text/plain");
  expect([gone.status, gone.text]).toEqual([404, unknown.text]);
  expect(await said()).toEqual([]);
  expect(JSON.stringify(log)).not.toContain(secret);
});

it("ends with its maker, who is suspended, leaves or is removed, and waits while the room is archived", async () => {
  const { telex, alice, bob, groupId, make, role, send } = await hookScene();
  await role(alice, groupId, bob, "moderator");
  const [ofAlice, ofBob] = [await make(alice), await make(bob)];
  const status = async (url: string) => (await send(url, "x", "text/plain")).status;
  await alice.browser.post(`/im/groups/${groupId}/archive`);
  expect(await status(ofAlice)).toBe(409);
  await alice.browser.post(`/im/groups/${groupId}/unarchive`);
  await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
  expect([await status(ofAlice), await status(ofBob)]).toEqual([200, 404]);
  const { users } = telex.operator;
  await users.amend(operator, { id: alice.id, state: "suspended" });
  expect(await status(ofAlice)).toBe(404);
  await users.amend(operator, { id: alice.id, state: "active" });
  expect(await status(ofAlice)).toBe(404);
  const other = await hookScene();
  const ofRemoved = await other.make(other.alice);
  expect(await status(ofRemoved)).toBe(200);
  await other.telex.operator.users.remove(operator, { id: other.alice.id });
  expect(await status(ofRemoved)).toBe(404);
});

it("ends on each of three servers with the answer that removes its maker", async () => {
  const base = await hookScene();
  const { alice, bob, groupId, make, role, clock, storage } = base;
  await role(alice, groupId, bob, "moderator");
  const { pathname } = new URL(await make(bob));
  const others = [await start({}, { beside: { clock, storage } }), await start({}, { beside: { clock, storage } })];
  const servers = [base, ...others];
  const statuses = async () =>
    await Promise.all(servers.map(async ({ url }) => (await base.send(url + pathname, "x", "text/plain")).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
  expect(await statuses()).toEqual([404, 404, 404]);
});

it("prints on one's own device, as long as it is one's own", async () => {
  const { alice, bob, send } = await hookScene();
  await alice.browser.post("/teleprinter/register", { deviceId: "printer", name: "Hall" });
  const hooks = "/teleprinter/hooks";
  expect(result(await bob.browser.post(hooks, { deviceId: "printer", name: "x" }))).toBe("not_owner");
  const made = await alice.browser.post(hooks, { deviceId: "printer", name: "Door" });
  const url = String(field(made, "url"));
  expect((await send(url, "ring", "text/plain")).status).toBe(200);
  const texts = await alice.browser.get("/teleprinter/messages?deviceId=printer");
  expect(texts.text).toContain("ring");
  const id = String(field(made, "id"));
  expect(field(await alice.browser.get(hooks), "list")).toEqual([expect.objectContaining({ id, deviceId: "printer" })]);
  expect(result(await bob.browser.delete(`${hooks}/${id}`))).toBe("not_found");
  await alice.browser.delete(`${hooks}/${id}`);
  expect((await send(url, "ring", "text/plain")).status).toBe(404);
});

it("reads the members of its room, who may be thousands, only after they have changed", async () => {
  const clock = createManualClock(Date.now());
  const storage = createMemoryStorage({ clock });
  let reads = 0;
  const findRoom: typeof storage.groups.findRoom = async (groupId) => {
    reads += 1;
    return await storage.groups.findRoom(groupId);
  };
  const groups = new Proxy(storage.groups, {
    get: (target, name): unknown => (name === "findRoom" ? findRoom : Reflect.get(target, name)),
  });
  const { alice, carol, groupId, make, send, said } = await hookScene(
    {},
    { beside: { clock, storage: { ...storage, groups } } },
  );
  const url = await make(alice);
  await send(url, "0", "text/plain");
  reads = 0;
  for (const text of ["1", "2", "3"]) expect((await send(url, text, "text/plain")).status).toBe(200);
  expect(reads).toBe(0);
  await alice.browser.post(`/im/groups/${groupId}/members`, { add: [carol.id] });
  await send(url, "4", "text/plain");
  expect(reads).toBeGreaterThan(0);
  expect(await said()).toEqual(["0", "1", "2", "3", "4"].map((text) => `Alerts: ${text}`));
});

it("is refused beyond 1,000 of its maker, and leaves nothing behind", async () => {
  const { alice, storage, telex, groupId } = await hookScene();
  const now = telex.clock.now();
  for (let at = 0; at < 1000; at += 1)
    await storage.accounts.issueLink(
      {
        linkId: `r${groupId}-${at}`,
        digest: `digest ${at}`,
        kind: "hook",
        makerId: alice.id,
        slot: null,
        data: "{}",
        uses: 1,
        createdAt: now,
        until: now + 1000,
      },
      1000,
    );
  const namesOf = async () =>
    (await telex.operator.users.list(operator, { limit: 1000 })).map(({ nickname }) => nickname);
  const before = await namesOf();
  const path = `/im/groups/${groupId}/hooks`;
  expect(result(await alice.browser.post(path, { name: "Alerts" }))).toBe("quota_exceeded");
  expect(await namesOf()).toEqual(before);
});
