import { describe, expect, it } from "vitest";
import { anonymous, operator } from "../src/index.ts";
import { createKit, type Kit } from "./kit.ts";

const deviceId = "printer-1";

async function pair({ telex, alice }: Kit) {
  const { code, secret } = await telex.pairing.pair(anonymous, { deviceId, name: "Printer" });
  await telex.pairing.confirmPairing(alice, { code });
  return secret;
}

describe("the last use of a token", () => {
  it("is exact to a minute, so that a token in use costs one write in a minute", async () => {
    const kit = await createKit();
    const { telex, clock, storage } = kit;
    const touched: number[] = [];
    const issued = await telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"] });
    const look = async () => {
      await telex.authenticate(issued.token);
      const [newest] = await storage.tokens.listLiveTokens(1, { now: clock.now(), limit: 1 });
      const at = newest?.lastUsedAt ?? null;
      if (at !== null && at !== touched.at(-1)) touched.push(at);
    };
    const start = clock.now();
    for (let second = 0; second <= 90; second += 1) {
      await look();
      await clock.advance(1000);
    }
    expect(touched.map((at) => at - start)).toEqual([0, 60_000]);
  });
});

it("a token for a device is not listed after the token of the admin who issued it has ended", async () => {
  const { telex, alice, bob } = await createKit();
  if (bob.kind !== "token") throw new Error("bob has a token");
  const admin = await telex.operator.tokens.issue(operator, { userId: bob.userId, scopes: ["admin"] });
  const caller = await telex.authenticate(admin.token);
  await telex.operator.tokens.issue(caller, { userId: 1, scopes: [`device:${deviceId}`], name: "Printer" });
  const names = async (): Promise<readonly (string | null)[]> =>
    (await telex.users.tokens(alice, {})).map(({ name }) => name);
  expect(await names()).toContain("Printer");
  await telex.operator.tokens.revoke(operator, { token: admin.token });
  expect(await names()).not.toContain("Printer");
});

describe("a paired device", () => {
  it("that was unregistered before it collected its token gets none", async () => {
    const kit = await createKit();
    const secret = await pair(kit);
    await kit.telex.teleprinter.unregister(kit.alice, { deviceId });
    await expect(kit.telex.pairing.collect(anonymous, { secret })).rejects.toMatchObject({ code: "not_found" });
  });

  it("ends a token that the operator issued for it before", async () => {
    const kit = await createKit();
    const { telex } = kit;
    const { token } = await telex.operator.tokens.issue(operator, { userId: 1, scopes: [`device:${deviceId}`] });
    expect(await telex.authenticate(token)).toMatchObject({ scopes: [`device:${deviceId}`] });
    await pair(kit);
    expect(await telex.authenticate(token)).toEqual(anonymous);
    const later = await telex.operator.tokens.issue(operator, { userId: 1, scopes: [`device:${deviceId}`] });
    expect(later.scopes).toEqual([`device:${deviceId}`]);
    expect(await telex.authenticate(later.token)).toMatchObject({ scopes: [`device:${deviceId}`] });
  });

  it("ends also where another process raised its generation, within a second", async () => {
    const kit = await createKit();
    const { telex, storage, clock } = kit;
    const collected = await telex.pairing.collect(anonymous, { secret: await pair(kit) });
    const holder = await telex.authenticate(collected.token);
    if (holder.kind !== "token") throw new Error("the token is valid");
    const closed: string[] = [];
    const connection = { holder, write: () => undefined, close: (reason: string) => void closed.push(reason) };
    telex.attach(connection);
    await storage.teleprinter.pairDevice({ deviceId, owner: holder.userId, name: "Printer", now: clock.now() });
    await clock.advance(1000);
    expect(closed).toEqual(["token_ended"]);
    telex.attach(connection);
    expect(closed).toEqual(["token_ended", "token_ended"]);
    expect(await telex.authenticate(collected.token)).toEqual(anonymous);
  });
});
