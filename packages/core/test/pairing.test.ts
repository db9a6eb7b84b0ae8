import { describe, expect, it } from "vitest";
import { anonymous } from "../src/index.ts";
import { createKit, type Kit } from "./kit.ts";

const deviceId = "printer-1";
const pair = ({ telex }: Kit) => telex.pairing.pair(anonymous, { deviceId, name: "Printer" });
const collect = ({ telex }: Kit, secret: string) => telex.pairing.collect(anonymous, { secret });

describe("pairing", () => {
  it("gives a device whose code its user confirms a token that acts for this device only, once", async () => {
    const kit = await createKit();
    const { telex, alice } = kit;
    const { code, secret, expiresAt, interval } = await pair(kit);
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect([expiresAt, interval]).toEqual(["2026-11-20T08:25:30.123+00:00", 2]);
    expect(await collect(kit, secret)).toEqual({ deviceId, token: null });
    const typed = code.toLowerCase().replace("-", " ");
    expect(await telex.pairing.pairing(alice, { code: typed })).toMatchObject({ deviceId, name: "Printer" });
    expect(await telex.pairing.confirmPairing(alice, { code })).toMatchObject({ deviceId, online: true });
    const collected = await Promise.allSettled(Array.from({ length: 10 }, () => collect(kit, secret)));
    const tokens = collected.flatMap((one) => (one.status === "fulfilled" ? [one.value.token] : []));
    expect(tokens).toHaveLength(1);
    const device = await telex.authenticate(tokens[0] ?? null);
    await expect(telex.teleprinter.poll(device, { deviceId })).resolves.toEqual([]);
    await expect(telex.teleprinter.devices(device, {})).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(telex.teleprinter.poll(device, { deviceId: "other" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  });

  it("says before it is confirmed which device of the user it replaces, and tells nobody of devices of others", async () => {
    const kit = await createKit();
    const { telex, alice, bob } = kit;
    const look = async (caller: Kit["alice"]) =>
      (await telex.pairing.pairing(caller, { code: (await pair(kit)).code })).replaces;
    expect(await look(alice)).toBeNull();
    await telex.teleprinter.register(alice, { deviceId, name: "Kitchen" });
    expect(await look(alice)).toBe("Kitchen");
    expect(await look(bob)).toBeNull();
  });

  it("belongs to the user who looked the code up", async () => {
    const kit = await createKit();
    const { code } = await pair(kit);
    await kit.telex.pairing.pairing(kit.alice, { code });
    await expect(kit.telex.pairing.pairing(kit.bob, { code })).rejects.toMatchObject({ code: "not_found" });
    await expect(kit.telex.pairing.confirmPairing(kit.bob, { code })).rejects.toMatchObject({ code: "not_found" });
  });

  it("expires after 10 minutes", async () => {
    const kit = await createKit();
    const { code, secret } = await pair(kit);
    await kit.clock.advance(600_000);
    await expect(kit.telex.pairing.pairing(kit.alice, { code })).rejects.toMatchObject({ code: "not_found" });
    await expect(collect(kit, secret)).rejects.toMatchObject({ code: "not_found" });
  });

  it("does not give away a device of another user", async () => {
    const kit = await createKit();
    await kit.telex.teleprinter.register(kit.bob, { deviceId, name: "Bob's" });
    const { code, secret } = await pair(kit);
    await expect(kit.telex.pairing.confirmPairing(kit.alice, { code })).rejects.toMatchObject({ code: "device_taken" });
    expect(await collect(kit, secret)).toEqual({ deviceId, token: null });
  });

  it("lets nobody guess: ten codes a minute for each user", async () => {
    const kit = await createKit();
    const guess = (caller: Kit["alice"]) => kit.telex.pairing.pairing(caller, { code: "BBBBBBBB" });
    for (let index = 0; index < 10; index += 1)
      await expect(guess(kit.alice)).rejects.toMatchObject({ code: "not_found" });
    await expect(guess(kit.alice)).rejects.toMatchObject({ code: "rate_limited", retryAfter: 60 });
    await expect(guess(kit.bob)).rejects.toMatchObject({ code: "not_found" });
    await kit.clock.advance(60_000);
    await expect(guess(kit.alice)).rejects.toMatchObject({ code: "not_found" });
  });
});
