import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createLogCollector, createManualClock } from "@telex/conformance/testing";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { fc } from "test-support/property";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRecentClient } from "../src/recent/client.ts";
import { Durations } from "../src/recent/durations.ts";
import { type AuditFiles, createRecent } from "../src/recent/index.ts";
import { createTrends } from "../src/recent/trends.ts";

const minute = 60_000;

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "telex-recent-"));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

/** A server with its recent activity, an admin, and a function that adds people. */
async function start(files: AuditFiles | null = null) {
  const clock = createManualClock(Date.parse("2026-11-28T10:00:30Z"));
  const recent = createRecent();
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    checkOutput: true,
    clock,
    log: recent.listen(createLogCollector(), files),
    plugins: [recent.plugin],
  });
  const http = createHttp(telex, { routes: recent.routes });
  const serving = await serve({ telex, http, ws: createWs(telex, { others: "refuse" }), port: 0 });
  onTestFinished(() => serving.close(0));
  const client = (token: string) => createRecentClient({ url: serving.url, token });
  const person = async (nickname: string, scope = "chat") => {
    const { id } = await telex.operator.users.add(operator, { nickname });
    const { token, id: tokenId } = await telex.operator.tokens.issue(operator, { userId: id, scopes: [scope] });
    const caller = await telex.authenticate(token);
    if (caller.kind !== "token") throw new TypeError("The token has ended.");
    return { id, tokenId, caller, client: client(token) };
  };
  const boss = await person("Boss", "admin");
  return { telex, clock, person, boss, admin: boss.client };
}

describe("the figures of a server", () => {
  it("say for each minute how many calls, messages and failures there were, and which devices are online", async () => {
    const { telex, clock, person, admin } = await start();
    const { caller } = await person("Ada");
    await telex.teleprinter.register(caller, { deviceId: "a", name: "A" });
    await telex.teleprinter.heartbeat(caller, { deviceId: "a" });
    await telex.teleprinter.send(caller, { deviceId: "a", content: "hello" });
    await telex.teleprinter.heartbeat(caller, { deviceId: "none" }).catch(() => {});
    await clock.advance(minute);
    await telex.teleprinter.heartbeat(caller, { deviceId: "a" });
    const { seconds, list } = await admin.trends({ hours: 3 });
    expect(seconds).toBe(60);
    expect(list).toHaveLength(180);
    const [before, last] = list.slice(-2);
    expect(before).toMatchObject({ at: "2026-11-28T10:00:00.000Z", refused: 1, failed: 0, messages: 1, devices: 1 });
    expect(before?.p99).toBeGreaterThan(0);
    expect(last).toMatchObject({ at: "2026-11-28T10:01:00.000Z", refused: 0, messages: 0, devices: 1 });
  });

  it("drop values older than a day, and join minutes into steps", async () => {
    const clock = createManualClock(Date.parse("2026-11-28T10:00:30Z"));
    const trends = createTrends();
    onTestFinished(trends.start({ clock }));
    const sum = () => trends.of(24).list.reduce((all, { messages }) => all + messages, 0);
    trends.messageCame();
    await clock.advance(5 * minute);
    expect(trends.of(24).step).toBe(8 * minute);
    expect(trends.of(24).list).toHaveLength(180);
    expect(sum()).toBe(1);
    await clock.advance(25 * 60 * minute);
    expect(sum()).toBe(0);
  });

  it("time calls within a fifth, in a memory that does not grow", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.1, max: 500_000, noNaN: true }), { minLength: 1 }), (times) => {
        const durations = new Durations();
        for (const time of times) durations.add(time);
        const exact = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0;
        const found = durations.within(0.99) ?? 0;
        expect(found).toBeGreaterThanOrEqual(exact * 0.999);
        expect(found).toBeLessThanOrEqual(exact * 1.2);
      }),
    );
  });

  it("name the devices that are online, and that went", async () => {
    const { telex, person, admin } = await start();
    const { caller } = await person("Ada");
    for (const deviceId of ["a", "b"]) {
      await telex.teleprinter.register(caller, { deviceId, name: deviceId.toUpperCase() });
      await telex.teleprinter.heartbeat(caller, { deviceId, program: "test 1" });
    }
    const { online, list } = await admin.devices({});
    expect(online).toBe(2);
    expect(list.find(({ deviceId }) => deviceId === "b")).toMatchObject({ name: "B", online: true, program: "test 1" });
    await telex.teleprinter.unregister(caller, { deviceId: "a" });
    expect((await admin.devices({})).list.map(({ deviceId }) => deviceId)).toEqual(["b"]);
  });

  it("are for admins only", async () => {
    const { person } = await start();
    const ada = await person("Ada");
    await expect(ada.client.trends({})).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(ada.client.audit({})).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});

describe("the audit log", () => {
  it("lists changes, newest first, by subject, by person and page by page", async () => {
    const { telex, boss, person, admin } = await start();
    const ada = await person("Ada");
    await telex.operator.users.amend(boss.caller, { id: ada.id, phone: "1" });
    await telex.operator.tokens.revoke(boss.caller, { token: String(ada.tokenId) });
    const { list } = await admin.audit({ userId: ada.id });
    expect(list.slice(0, 2)).toMatchObject([
      { level: "info", event: "token.revoked", fields: { by: boss.id, userId: ada.id } },
      { event: "user.changed", fields: { by: boss.id, userId: ada.id } },
    ]);
    expect((await admin.audit({ event: "token" })).list.every(({ event }) => event.startsWith("token."))).toBe(true);
    const [first] = (await admin.audit({ limit: 1 })).list;
    const [second] = (await admin.audit({ limit: 1, before: first?.id })).list;
    expect(second?.id).toBeLessThan(first?.id ?? 0);
    await expect(admin.audit({ limit: 1001 })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("keeps changes over a restart, and shows those of commands that ran next to the server", async () => {
    const at = await folder();
    const files = { commands: join(at, "security.log"), server: join(at, "audit.log") };
    const line = (event: string, userId: number) =>
      `${JSON.stringify({ time: "2026-11-28T09:00:00.000Z", level: "info", event, userId, by: "operator" })}\n`;
    await appendFile(files.commands, `${line("user.added", 71)}no line\n`);
    const first = await start(files);
    const ada = await first.person("Ada");
    await first.telex.operator.users.amend(first.boss.caller, { id: ada.id, phone: "1" });
    await appendFile(files.commands, line("user.removed", 72));
    const { list } = await first.admin.audit({ event: "user" });
    expect(list.map(({ fields }) => fields["userId"])).toEqual(expect.arrayContaining([71, 72, ada.id]));
    expect(list.filter(({ event }) => event === "user.removed")).toHaveLength(1);
    await expect.poll(() => readFile(files.server, "utf8").catch(() => "")).toContain("user.changed");
    const second = await start(files);
    const changes = (await second.admin.audit({ event: "user.changed" })).list;
    expect(changes).toMatchObject([{ fields: { userId: ada.id } }]);
  });
});
