import { describe, expect, it } from "vitest";
import { at, textAt } from "test-support/json";
import { folder, forAllTests, serve, telex } from "test-support/command";
import { answer, refusal, telexHere } from "./in-process.ts";

async function post(url: string, name: string, body: object, token?: string): Promise<unknown> {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${url}/external/api/v1/teleprinter/${name}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return await response.json();
}

describe.each(["over the network", "in the storage"])("telex device %s", (way) => {
  const prepare = forAllTests(async () => {
    const cwd = await folder();
    const server = await serve(["--demo"], { cwd });
    const token = textAt(server.printed, "users", 0, "token");
    const remote = way === "over the network";
    const place = remote ? { cwd: await folder(), env: { TELEX_URL: server.url, TELEX_TOKEN: token } } : { cwd };
    return { url: server.url, token, place, mine: remote ? [] : ["--user", "1"] };
  });

  it("lists, shows, renames and removes devices", async () => {
    const { url, token, place, mine } = prepare();
    await post(url, "register", { deviceId: "hall", name: "Hall" }, token);
    for (const content of ["one", "二"]) await post(url, "send", { deviceId: "hall", content }, token);
    const [listed, history] = await Promise.all([
      answer(["device", "list", ...mine], place),
      answer(["device", "history", "hall", "--last", "1"], place),
    ]);
    expect(listed).toMatchObject([{ deviceId: "hall", name: "Hall", online: true }, { deviceId: "demo-printer" }]);
    expect(history).toMatchObject({ messages: [{ content: "二" }], nextPageCursor: expect.any(String) as unknown });
    const room = { groupId: 1, mentions: true };
    await post(url, "register", { deviceId: "hall", name: "Hall", room }, token);
    const { stdout } = await telex(["device", "list", ...mine], place);
    expect(stdout).toMatch(/^id +name +online +last seen +room\nhall .* 1 \(mentions\)\n/);
    const older = ["device", "history", "hall", "--cursor", textAt(history, "nextPageCursor")];
    expect(await answer(older, place)).toMatchObject({ messages: [{ content: "one" }] });
    expect(await answer(["device", "tag", "hall", "ground,客厅"], place)).toMatchObject({ tags: ["ground", "客厅"] });
    expect(await answer(["device", "list", ...mine, "--tag", "客厅"], place)).toMatchObject([{ deviceId: "hall" }]);
    expect(await answer(["device", "rename", "hall", "大厅"], place)).toMatchObject({ deviceId: "hall", name: "大厅" });
    expect(await answer(["device", "remove", "hall"], place)).toEqual({ deviceId: "hall", removed: true });
    expect(await refusal(["device", "history", "hall"], place)).toMatchObject({ code: 1, error: "device_not_found" });
  });

  it("pairs a device by the code that it shows", async () => {
    const { url, place, mine } = prepare();
    const asked = await post(url, "pair", { deviceId: "porch", name: "Porch" });
    const code = textAt(asked, "data", "code");
    expect(await answer(["device", "pair", code, ...mine], place)).toMatchObject({ deviceId: "porch", name: "Porch" });
    const collected = await post(url, "pair/collect", { secret: textAt(asked, "data", "secret") });
    expect(at(collected, "data")).toMatchObject({ deviceId: "porch", token: expect.any(String) as unknown });
    expect(await refusal(["device", "pair", "BBBBBBBB", ...mine], place)).toMatchObject({
      code: 1,
      error: "not_found",
    });
  });
});

describe("telex device", () => {
  const demo = forAllTests(async () => {
    const cwd = await folder();
    const server = await serve(["--demo"], { cwd });
    return { cwd, url: server.url, token: textAt(server.printed, "users", 0, "token") };
  });

  it("says which place it needs", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    expect(await refusal(["device", "list"], { cwd })).toMatchObject({ code: 2, error: "usage" });
    expect(await refusal(["device", "list", "--user", "9"], { cwd })).toMatchObject({
      code: 1,
      error: "user_not_found",
    });
    const both = ["device", "list", "--url", "http://127.0.0.1:9", "--user", "1"];
    expect(await refusal(both, { cwd })).toMatchObject({ code: 2, error: "usage" });
    const nowhere = ["device", "list", "--url", "http://127.0.0.1:9", "--token", "tlxp_x"];
    expect(await refusal(nowhere, { cwd })).toMatchObject({ code: 1, error: "unreachable" });
  });

  it("shows what devices said without their control characters", async () => {
    const { cwd, url, token } = demo();
    await post(url, "sync", { deviceId: "demo-printer", content: "a\u001B[31mb" }, token);
    const { code, stdout } = await telex(["device", "history", "demo-printer"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("a\\u{1b}[31mb");
  });

  it("takes the ID as its first argument or as --id", async () => {
    const { cwd, url, token } = demo();
    const own = { cwd, env: { TELEX_URL: url, TELEX_TOKEN: token } };
    for (const args of [
      ["demo-printer", "one"],
      ["two", "--id", "demo-printer"],
    ]) {
      expect(await answer(["device", "send", ...args], own)).toMatchObject({ deviceId: "demo-printer" });
    }
    expect(await answer(["device", "rename", "--id", "demo-printer", "Hall"], own)).toMatchObject({ name: "Hall" });
    const history = await answer(["device", "history", "--id", "demo-printer", "--last", "2"], own);
    expect(history).toMatchObject({ messages: [{ content: "two" }, { content: "one" }] });
    expect(await refusal(["device", "rename", "demo-printer"], own)).toMatchObject({ code: 2, error: "usage" });
    const twice = ["device", "remove", "demo-printer", "--id", "demo-printer"];
    expect(await refusal(twice, own)).toMatchObject({ code: 2, error: "usage" });
  });

  it("names a device or a token that does not exist, and the command that lists them", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    const missing = await telexHere(["device", "remove", "nosuch"], { cwd });
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no device "nosuch". "telex device list"') as unknown,
    });
    const token = await telexHere(["token", "revoke", "99"], { cwd });
    expect(token).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no token 99. "telex token list"') as unknown,
    });
    expect((await telexHere(["token", "revoke", "tlxp_secret"], { cwd })).stderr).not.toContain("tlxp_secret");
  });

  it("prints the lines of a text as lines", async () => {
    const { cwd, url, token } = demo();
    await post(url, "sync", { deviceId: "demo-printer", content: "  ??\n??  \n" }, token);
    const { stdout } = await telexHere(["device", "history", "demo-printer", "--last", "1"], { cwd });
    expect(stdout).toMatch(/^\d+ {2}\S+ {2}from the device\n {2}\?\?\n\?\? {2}\n$/);
  });
});
