import { TelexError } from "@telex/core";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { overBothTransports, teleprinter } from "./setup.ts";

const image = `/download/${"0".repeat(32)}.png`;

overBothTransports("access", (open) => {
  it("to a closed family needs a token in the header", async () => {
    const { send, alice, issue } = await open({ telex: { access: { downloads: "token" } } });
    const refused = await send(image);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="telex"');
    expect((await send(image, { token: alice.token })).status).toBe(404);
    expect((await send(`${image}?access_token=${alice.token}`)).status).toBe(401);
    expect((await send(image, { token: await issue(alice, ["profile"]) })).status).toBe(403);
    expect((await send("/api/avatar/get/personal?id=1")).status).toBe(200);
  });

  it("to an open family passes over credentials of another kind", async () => {
    const { send } = await open();
    const answer = await send("/api/avatar/get/personal?id=1", { headers: { authorization: "Basic eDp5" } });
    expect(answer.status).toBe(200);
  });

  it("by a token in the query can be turned off", async () => {
    const { send, alice } = await open({ queryTokens: false });
    expect((await send(`${teleprinter}/devices?access_token=${alice.token}`)).status).toBe(401);
    expect((await send(`${teleprinter}/devices`, { token: alice.token })).status).toBe(200);
  });

  it("with the token of one device is to that device alone", async () => {
    const { post, send, alice, issue } = await open();
    const token = await issue(alice, ["device:printer"]);
    expect((await post(`${teleprinter}/register`, { deviceId: "printer", name: "n" }, token)).status).toBe(200);
    expect((await send(`${teleprinter}/poll?deviceId=printer`, { token })).status).toBe(200);
    const other = await post(`${teleprinter}/register`, { deviceId: "other", name: "n" }, token);
    expect(other.status).toBe(403);
    expect(other.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    expect((await send(`${teleprinter}/devices`, { token })).status).toBe(403);
  });

  it("while the storage does not answer is 503, never 401", async () => {
    const { send, alice } = await open({
      wrap: (telex) => ({
        ...telex,
        authenticate: () => Promise.reject(new TelexError("storage_unavailable", { cause: new Error("ECONNREFUSED") })),
      }),
    });
    const answer = await send(`${teleprinter}/devices`, { token: alice.token });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.text()).not.toContain("ECONNREFUSED");
  });

  it("is not ready while the storage takes no writes", async () => {
    const storage = createMemoryStorage();
    const broken = { ...storage, probe: () => Promise.reject(new Error("disk on fire")) };
    const { send } = await open({ telex: { storage: broken } });
    const answer = await send("/readyz");
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain("fire");
    expect((await send("/healthz")).status).toBe(200);
  });

  it("names the server on /readyz if it has a name, whether it is ready or not", async () => {
    const storage = createMemoryStorage();
    const broken = { ...storage, probe: () => Promise.reject(new Error("disk on fire")) };
    const well = await open({ telex: { serverName: "b-2" } });
    const ill = await open({ telex: { serverName: "b-3", storage: broken } });
    const nameless = await open({});
    expect((await well.send("/readyz")).headers.get("telex-server")).toBe("b-2");
    expect((await ill.send("/readyz")).headers.get("telex-server")).toBe("b-3");
    expect((await nameless.send("/readyz")).headers.get("telex-server")).toBeNull();
    expect((await well.send("/healthz")).headers.get("telex-server")).toBeNull();
  });
});
