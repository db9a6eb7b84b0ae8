import { defaultLimits, operator, systemClock } from "@telex/core";
import { listOperations } from "@telex/core/contract";
import { createRateLimiter } from "@telex/core/transport";
import { expect, it } from "vitest";
import { overBothTransports, type Setup, teleprinter } from "./setup.ts";

const eventOf = (line: string): string | undefined => line.split(" ", 2)[1];

const linesOf = ({ security }: Setup, event: string): string[] => security.filter((line) => eventOf(line) === event);

overBothTransports("the log of security", (open) => {
  it("has a refused token once in a minute, and never the token", async () => {
    const setup = await open();
    const refused = `tlxp_${"0".repeat(36)}`;
    for (let time = 0; time < 3; time += 1) await setup.send(`${teleprinter}/devices`, { token: refused });
    await setup.send(`${teleprinter}/devices?access_token=${refused}`);
    await setup.send(`${teleprinter}/devices`);
    expect(linesOf(setup, "token.refused")).toHaveLength(1);
    expect(setup.security.join("\n")).not.toContain(refused);
  });

  it("has who was refused what", async () => {
    const setup = await open();
    const { alice, bob, post, send, issue } = setup;
    await post(`${teleprinter}/register`, { deviceId: "kitchen", name: "Secret name" }, alice.token);
    const poll = `${teleprinter}/poll?deviceId=kitchen`;
    for (let time = 0; time < 2; time += 1) expect((await send(poll, { token: bob.token })).status).toBe(403);
    expect((await send(`${teleprinter}/devices`, { token: await issue(bob, ["profile"]) })).status).toBe(403);
    const refused = linesOf(setup, "access.refused");
    expect(refused).toHaveLength(2);
    expect(refused[0]).toContain(`"userId":${bob.id}`);
    expect(refused[0]).toContain('"operation":"teleprinter.poll","code":"not_owner"');
    expect(refused[1]).toContain('"operation":"teleprinter.devices","code":"insufficient_scope"');
    expect(setup.security.join("\n")).not.toContain("Secret name");
  });

  it("has pairing, and the tokens that were issued and revoked", async () => {
    const setup = await open();
    const { alice, post, send, security: log } = setup;
    const pair = await (await post(`${teleprinter}/pair`, { deviceId: "hall", name: "Hall" })).text();
    const code = /"code":"([A-Z-]{9})"/.exec(pair)?.[1] ?? "";
    const secret = /"secret":"([^"]+)"/.exec(pair)?.[1] ?? "";
    log.length = 0;
    await post(`${teleprinter}/pair/confirm`, { code }, alice.token);
    await post(`${teleprinter}/pair/collect`, { secret });
    const list = await (await send("/external/api/v1/tokens", { token: alice.token })).text();
    const tokenId = /"id":(\d+)/.exec(list)?.[1] ?? "";
    await send(`/external/api/v1/tokens/${tokenId}`, { method: "DELETE", token: alice.token });
    await post(`${teleprinter}/unregister`, { deviceId: "hall" }, alice.token);
    expect(log.map(eventOf)).toEqual(["pairing.confirmed", "token.issued", "token.revoked", "device.unregistered"]);
    expect(log[0]).toContain('"deviceId":"hall"');
    expect(log[1]).toContain(`"tokenId":${tokenId}`);
    expect(log[2]).toContain(`"tokenId":${tokenId}`);
    for (const hidden of [code, secret, "tlxp_", "Hall"]) expect(log.join("\n")).not.toContain(hidden);
  });

  it("has who called too often", async () => {
    const rate = { burst: 3, perMinute: 1 };
    const lines: string[] = [];
    const security = {
      note: () => undefined,
      noteOnce: (event: string, key: string) => void lines.push(`${event} ${key}`),
    };
    const limiter = createRateLimiter(
      { token: rate, address: rate },
      { clock: systemClock, limits: defaultLimits, security },
    );
    const { alice, send } = await open({ rateLimiter: limiter });
    for (let time = 0; time < 4; time += 1) await send(`${teleprinter}/devices`, { token: alice.token });
    expect(lines).toEqual([expect.stringMatching(/^rate\.limited token \d+$/)]);
  });
});

it("no change by the operator is left out of the log of security", async () => {
  const reads = [
    "users.list",
    "users.show",
    "tokens.list",
    "groups.list",
    "groups.members",
    "quota.show",
    "quota.history",
    "devices.list",
    "files.list",
    "bots.list",
    // Asks a bot for its identity, and does not change anything.
    "bots.test",
    "server.status",
  ];
  const silent = listOperations().flatMap(({ name, operation }) =>
    operation.access === "operator" && operation.event === undefined ? [name.replace("operator.", "")] : [],
  );
  expect(silent.toSorted()).toEqual(reads.toSorted());
});

overBothTransports("a change by the operator", (open) => {
  it("is logged with ids alone", async () => {
    const setup = await open();
    const { telex, alice, security: log } = setup;
    log.length = 0;
    await telex.operator.users.amend(operator, { id: alice.id, nickname: "New name", phone: "555" });
    const groupType = 1 as const;
    const room = { groupType, name: "Room name", members: [alice.id] };
    const { groupId } = await telex.operator.groups.add(operator, room);
    await telex.operator.groups.members(operator, { groupId });
    await telex.operator.quota.assign(operator, { userId: alice.id, unit: "count", max: 1, period: "daily" });
    expect(log.map(eventOf)).toEqual(["user.changed", "group.changed", "quota.changed"]);
    expect(log[0]).toContain(`"userId":${alice.id}`);
    for (const line of log) expect(line).toContain('"by":"operator"');
    for (const hidden of ["New name", "555", "Room name"]) expect(log.join("\n")).not.toContain(hidden);
  });
});
