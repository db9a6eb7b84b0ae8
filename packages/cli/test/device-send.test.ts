import { describe, expect, it } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { folder, forAllTests, serve } from "test-support/command";
import { telexHere } from "./in-process.ts";

describe("telex device send", () => {
  const prepare = forAllTests(async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--rate-limits", "off", "--data", await folder()]);
    return { TELEX_URL: server.url, TELEX_TOKEN: textAt(server.printed, "users", 0, "token") };
  });

  async function ask(path: string, body?: object): Promise<unknown> {
    const { TELEX_URL, TELEX_TOKEN } = prepare();
    const headers = { authorization: `Bearer ${TELEX_TOKEN}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer: unknown = await (await fetch(`${TELEX_URL}/external/api/v1/teleprinter/${path}`, init)).json();
    return at(answer, "data");
  }

  const send = (args: readonly string[], input = "") =>
    telexHere(["device", "send", ...args], { env: prepare(), input });

  const contentsOf = async (deviceId: string): Promise<unknown[]> =>
    listAt(await ask(`poll?deviceId=${deviceId}`)).map((text) => at(text, "content"));

  it("gives a text its title, priority and life", async () => {
    await ask("register", { deviceId: "one", name: "One" });
    const { code, stdout } = await send(["one", "Tea", "--title", "茶", "--priority", "5", "--life", "600", "--json"]);
    expect({ code, text: parse(stdout) }).toMatchObject({
      code: 0,
      text: { content: "Tea", title: "茶", priority: 5, life: 600, state: "waiting" },
    });
    expect(listAt(await ask("poll?deviceId=one"))).toMatchObject([{ content: "Tea", title: "茶", priority: 5 }]);
  });

  it("sends a text later, in both spellings of a time", async () => {
    await ask("register", { deviceId: "later", name: "Later" });
    const time = new Date(Date.now() + 86_400_000);
    const first = await send(["later", "bins", "--at", time.toISOString()]);
    expect(first.stdout).toMatch(/^Text \d+ will be sent to later at \d{4}-/);
    const second = await send(["later", "tea", "--at", String(time.getTime()), "--json"]);
    expect(parse(second.stdout)).toMatchObject({ state: "scheduled", content: "tea" });
    expect(await contentsOf("later")).toEqual([]);
    expect(listAt(await ask("schedules?deviceId=later")).length).toBe(2);
  });

  it("refuses values outside their range, and sends nothing", async () => {
    await ask("register", { deviceId: "strict", name: "Strict" });
    for (const wrong of [
      ["--priority", "6"],
      ["--life", "0"],
    ])
      expect({ wrong, code: (await send(["strict", "x", ...wrong])).code }).toEqual({ wrong, code: 2 });
    for (const wrong of [
      ["--at", "tomorrow"],
      ["--at", String(Date.now() + 400 * 86_400_000)],
      ["--title", "x".repeat(129)],
    ])
      expect({ wrong, code: (await send(["strict", "x", ...wrong])).code }).toEqual({ wrong, code: 1 });
    expect(await contentsOf("strict")).toEqual([]);
  });

  it("sends to each device with a tag, once for a nonce, and says if there is none", async () => {
    for (const deviceId of ["hall-1", "hall-2", "attic"]) {
      const tags = deviceId === "attic" ? [] : ["hall"];
      await ask("register", { deviceId, name: deviceId, tags });
    }
    for (let time = 0; time < 2; time += 1) {
      const sent = await send(["--tag", "hall", "The bins", "--nonce", "bins", "--title", "Reminder"]);
      expect(sent.code).toBe(0);
      expect(sent.stdout.match(/hall-[12]/g)?.toSorted()).toEqual(["hall-1", "hall-2"]);
    }
    expect(await contentsOf("hall-1")).toEqual(["The bins"]);
    expect(await contentsOf("hall-2")).toEqual(["The bins"]);
    expect(await contentsOf("attic")).toEqual([]);
    const none = await send(["--tag", "cellar", "x"]);
    expect([none.code, none.stderr.includes('"cellar"')]).toEqual([1, true]);
    expect((await send(["--tag", "hall", "--id", "attic", "x"])).code).toBe(2);
    expect((await send(["--tag", "hall", "attic", "x"])).code).toBe(2);
  });

  it("reads the text from standard input, without the end of its last line", async () => {
    await ask("register", { deviceId: "pipe", name: "Pipe" });
    expect((await send(["pipe", "-"], "one\n二\n")).code).toBe(0);
    expect((await send(["pipe", "-"], "")).code).toBe(1);
    expect(await contentsOf("pipe")).toEqual(["one\n二"]);
  });
});
