import { operator, type TokenHolder, systemClock } from "@telex/core";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createClient } from "../src/client/client.ts";
import { setup, type Setup } from "./setup.ts";

const deviceId = "printer";
const start = 1_800_000_000_000;
const hour = 3_600_000;

const clientOf = ({ http, url }: Setup, token: string) =>
  createClient({ url, token, language: "en", fetch: (request: Request) => http.fetch(request) });

/**
 * Two instances on one storage: one with tokens of Telex, and one whose own verifier knows Root, an admin whose token is not
 * stored and ends at `expiresAt`.
 */
async function open(expiresAt: number | null) {
  const storage = createMemoryStorage();
  let ahead = 0;
  const clock = { ...systemClock, now: () => start + ahead };
  const here = await setup("in process", { telex: { storage, clock } });
  const { id: userId } = await here.telex.operator.users.add(operator, { nickname: "Root" });
  const root: TokenHolder = { kind: "token", userId, scopes: ["admin"], tokenId: null, expiresAt };
  const tokens = { authenticate: (token: string) => Promise.resolve(token === "root" ? root : null) };
  const there = await setup("in process", { telex: { storage, clock, tokens } });
  const owner = clientOf(here, here.alice.token);
  const admin = clientOf(there, "root").operator;
  const pair = async () => {
    const { code, secret } = await clientOf(here, "").pairing.pair({ deviceId, name: "Printer" });
    await admin.devices.pair({ userId: here.alice.id, code });
    return secret;
  };
  const collect = async (secret: string) => (await clientOf(here, "").pairing.collect({ secret })).token ?? "";
  const move = (milliseconds: number): void => void (ahead += milliseconds);
  return { ...here, owner, pair, collect, move };
}

/** The expiry of the device's token, in Unix milliseconds. */
async function endOf({ owner }: Awaited<ReturnType<typeof open>>): Promise<number> {
  const shown = (await owner.users.tokens()).find(({ name }) => name === "Printer");
  return Date.parse(shown?.expiresAt ?? "");
}

describe("a device that is paired by an admin whose token is not stored", () => {
  it("has a token that ends with the token of the admin", async () => {
    const here = await open(start + hour);
    const { teleprinter } = clientOf(here, await here.collect(await here.pair()));
    expect(await endOf(here)).toBe(start + hour);
    here.move(hour - 1);
    await teleprinter.heartbeat({ deviceId });
    here.move(1);
    await expect(teleprinter.heartbeat({ deviceId })).rejects.toMatchObject({ status: 401 });
  });

  it("gets no token once the token of the admin has ended", async () => {
    const here = await open(start + 1000);
    const secret = await here.pair();
    here.move(1000);
    await expect(here.collect(secret)).rejects.toMatchObject({ status: 404 });
    expect(await endOf(here)).toBeNaN();
  });

  it("has a token that ends after the usual time if the token of the admin does not end", async () => {
    const here = await open(null);
    await here.collect(await here.pair());
    expect(await endOf(here)).toBe(start + 365 * 24 * hour);
  });

  it.each([start + hour, null])("says nothing in the room that the device prints (end: %s)", async (expiresAt) => {
    const here = await open(expiresAt);
    const room = { name: "Room", groupType: 1 as const, members: [here.alice.id] };
    const { groupId } = await here.telex.operator.groups.add(operator, room);
    await here.owner.teleprinter.register({ deviceId, name: "Printer", room: { groupId } });
    const { teleprinter } = clientOf(here, await here.collect(await here.pair()));
    await here.owner.messages.send({ groupId, groupType: 1, message: "for members only" });
    await expect(teleprinter.sync({ deviceId, content: "not from Alice" })).rejects.toMatchObject({ status: 403 });
    expect((await teleprinter.messages({ deviceId })).messages).toEqual([]);
  });
});

it("a code that its user confirms gives a token that does not end with the one of the user", async () => {
  const here = await open(null);
  const life = hour;
  const short = await here.telex.operator.tokens.issue(operator, { userId: here.alice.id, scopes: ["chat"], life });
  const { pairing } = clientOf(here, short.token);
  const { code, secret } = await pairing.pair({ deviceId, name: "Printer" });
  await pairing.pairing({ code });
  await pairing.confirmPairing({ code });
  await here.collect(secret);
  expect(await endOf(here)).toBe(start + 365 * 24 * hour);
});
