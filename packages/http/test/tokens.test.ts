import { operator, systemClock } from "@telex/core";
import { expect, it } from "vitest";
import { overBothTransports, type Person, type Setup, teleprinter } from "./setup.ts";

const tokensPath = "/external/api/v1/tokens";
const deviceId = "printer";

interface Listed {
  readonly id: number;
  readonly name: string | null;
  readonly scopes: string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly current: boolean;
}

async function dataOf<T>(answer: Response): Promise<T> {
  expect(answer.status).toBe(200);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests look at what is in it
  return ((await answer.json()) as { readonly data: T }).data;
}

const list = async ({ send }: Setup, token: string): Promise<Listed[]> =>
  await dataOf(await send(tokensPath, { token }));
const revoke = async ({ send }: Setup, token: string, id: number): Promise<Response> =>
  await send(`${tokensPath}/${id}`, { method: "DELETE", token });

/** Pairs the device, and returns its token. */
async function pair({ post, send }: Setup, { token }: Person, name = "Printer"): Promise<string> {
  const { code, secret } = await dataOf<{ readonly code: string; readonly secret: string }>(
    await post(`${teleprinter}/pair`, { deviceId, name }),
  );
  await dataOf(await send(`${teleprinter}/pairing?code=${code}`, { token }));
  await dataOf(await post(`${teleprinter}/pair/confirm`, { code }, token));
  return (await dataOf<{ readonly token: string }>(await post(`${teleprinter}/pair/collect`, { secret }))).token;
}

overBothTransports("own tokens", (open) => {
  it("are listed newest first, with all that is known of them but the token", async () => {
    const clock = { ...systemClock, now: () => Date.parse("2026-11-20T08:00:00.000Z") };
    const setup = await open({ telex: { clock } });
    const { telex, alice, bob } = setup;
    const named = { userId: alice.id, scopes: ["profile", "device:printer"], name: "Laptop", life: 3_600_000 };
    const { id, token } = await telex.operator.tokens.issue(operator, named);
    await setup.issue(bob, ["chat"]);
    const before = await list(setup, alice.token);
    expect(before).toEqual([
      {
        id,
        name: "Laptop",
        scopes: ["profile", "device:printer"],
        createdAt: "2026-11-20T08:00:00.000+00:00",
        expiresAt: "2026-11-20T09:00:00.000+00:00",
        lastUsedAt: null,
        current: false,
      },
      expect.objectContaining({ name: null, current: true, lastUsedAt: "2026-11-20T08:00:00.000+00:00" }),
    ]);
    expect((await setup.send("/external/api/v1/oauth2/userinfo", { token })).status).toBe(200);
    expect((await list(setup, alice.token))[0]?.lastUsedAt).toMatch(/^20/);
    expect(JSON.stringify(before)).not.toContain("tlxp_");
  });

  it("are revoked by their owner alone, and are in no list then", async () => {
    const setup = await open();
    const { telex, alice, bob, send } = setup;
    const { id, token } = await telex.operator.tokens.issue(operator, { userId: alice.id, scopes: ["chat"] });
    const foreign = await revoke(setup, bob.token, id);
    expect([foreign.status, (await revoke(setup, alice.token, 999_999)).status]).toEqual([404, 404]);
    expect((await send(tokensPath, { token })).status).toBe(200);
    expect(await dataOf(await revoke(setup, alice.token, id))).toBeNull();
    expect((await send(tokensPath, { token })).status).toBe(401);
    expect((await list(setup, alice.token)).map((one) => one.id)).not.toContain(id);
  });

  it("can be revoked by themselves", async () => {
    const setup = await open();
    const { alice, send } = setup;
    const own = (await list(setup, alice.token)).find(({ current }) => current);
    expect((await revoke(setup, alice.token, own?.id ?? 0)).status).toBe(200);
    expect((await send(tokensPath, { token: alice.token })).status).toBe(401);
  });

  it("need the scope chat", async () => {
    const setup = await open();
    for (const scope of ["profile", "device:printer"]) {
      const token = await setup.issue(setup.alice, [scope]);
      expect((await setup.send(tokensPath, { token })).status).toBe(403);
      expect((await revoke(setup, token, 1)).status).toBe(403);
    }
  });
});

overBothTransports("the token of a device", (open) => {
  it("tells nothing of the device's owner", async () => {
    const { send, issue, alice } = await open();
    const token = await issue(alice, ["device:printer", "device:other"]);
    for (const path of ["userinfo", "userId"]) {
      const refused = await send(`/external/api/v1/oauth2/${path}`, { token });
      expect(refused.status).toBe(403);
      expect(refused.headers.get("www-authenticate")).toContain('scope="profile"');
    }
    const both = await issue(alice, ["device:printer", "profile"]);
    expect((await send("/external/api/v1/oauth2/userinfo", { token: both })).status).toBe(200);
  });

  it("ends when the device is unregistered, and stays ended when the ID is registered again", async () => {
    const setup = await open();
    const { post, send, alice } = setup;
    const token = await pair(setup, alice);
    const poll = async (): Promise<number> =>
      (await send(`${teleprinter}/poll?deviceId=${deviceId}`, { token })).status;
    expect(await poll()).toBe(200);
    expect((await list(setup, alice.token))[0]).toMatchObject({ name: "Printer", scopes: ["device:printer"] });
    await dataOf(await post(`${teleprinter}/unregister`, { deviceId }, alice.token));
    expect(await poll()).toBe(401);
    await dataOf(await post(`${teleprinter}/register`, { deviceId, name: "Mine" }, alice.token));
    expect(await poll()).toBe(401);
    expect((await list(setup, alice.token)).map(({ scopes }) => scopes)).toEqual([["chat"]]);
  });

  it("ends when the ID is paired again; the device keeps its name", async () => {
    const setup = await open();
    const { send, alice } = setup;
    const first = await pair(setup, alice);
    const second = await pair(setup, alice, "Somebody else's name");
    const poll = async (token: string): Promise<number> =>
      (await send(`${teleprinter}/poll?deviceId=${deviceId}`, { token })).status;
    expect([await poll(first), await poll(second)]).toEqual([401, 200]);
    const devices = await dataOf<{ readonly name: string }[]>(
      await send(`${teleprinter}/devices`, { token: alice.token }),
    );
    expect(devices.map(({ name }) => name)).toEqual(["Printer"]);
  });

  it("loses only the scope of the device where it has others", async () => {
    const { post, send, alice, issue } = await open();
    await post(`${teleprinter}/register`, { deviceId, name: "Printer" }, alice.token);
    const token = await issue(alice, ["profile", "device:printer"]);
    await post(`${teleprinter}/unregister`, { deviceId }, alice.token);
    expect((await send("/external/api/v1/oauth2/userId", { token })).status).toBe(200);
    expect((await post(`${teleprinter}/register`, { deviceId, name: "Printer" }, token)).status).toBe(403);
  });
});
