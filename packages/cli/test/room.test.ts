import { describe, expect, it } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { finished, folder, serve, start } from "test-support/command";
import { telexHere } from "./in-process.ts";

interface Room {
  readonly url: string;
  readonly alice: readonly string[];
  readonly bob: readonly string[];
  readonly stop: () => Promise<number | null>;
}

async function room(): Promise<Room> {
  const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
  const as = (user: number): string[] => {
    const token = textAt(server.printed, "users", user, "token");
    return ["group", "talk", "1", "--url", server.url, "--token", token];
  };
  return { url: server.url, alice: as(0), bob: as(1), stop: async () => await server.stop() };
}

/** Calls an operation of devices for a person. */
async function ask(url: string, person: readonly string[], path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${person.at(-1) ?? ""}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer: unknown = await (await fetch(`${url}/external/api/v1/teleprinter/${path}`, init)).json();
  return at(answer, "data");
}

/** Resolves when the stream contains this text. */
async function says(stream: NodeJS.ReadableStream, wanted: string): Promise<void> {
  let text = "";
  await new Promise<void>((resolve) => {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(wanted)) resolve();
    });
  });
}

describe("telex group talk", () => {
  it("sends the lines of stdin in order, and shows them to the others", async () => {
    const { alice, bob } = await room();
    const listener = start(bob);
    await says(listener.stderr, "You are in");
    const heard = says(listener.stdout, "三");
    const sent = await telexHere(alice, { input: "one\n\n二\n三\n" });
    expect(sent.code).toBe(0);
    expect(sent.stderr.match(/Sent\./g)).toHaveLength(3);
    await heard;
    const outcome = finished(listener);
    listener.stdin.end();
    expect((await outcome).code).toBe(0);
    const { stdout } = await telexHere([...bob, "--last", "3"], { input: "" });
    expect(stdout).toMatch(/^\S+ {2}alice {2}one\n\S+ {2}alice {2}二\n\S+ {2}alice {2}三\n$/);
  });

  it("prints messages as JSON lines with --json", async () => {
    const { alice } = await room();
    const { code, stdout, stderr } = await telexHere([...alice, "--json", "--last", "2"], { input: "" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const messages = stdout.trimEnd().split("\n").map(parse);
    expect(messages.map((message) => at(message, "nickname"))).toEqual(["alice", "bob"]);
    expect(listAt(parse(textAt(messages[1], "content")))).toMatchObject([{ at: { ext: "demo-alice" } }, { text: {} }]);
  });

  it("goes on after a line that is refused, and exits with 1", async () => {
    const { alice } = await room();
    const { code, stderr } = await telexHere(alice, { input: `${"x".repeat(10_001)}\ngood\n` });
    expect(code).toBe(1);
    expect(stderr).toContain("⚠");
    expect(stderr).toContain("Sent.");
  });

  it("ends with a sentence when the server stops", async () => {
    const { alice, stop } = await room();
    const child = start(alice);
    const outcome = finished(child);
    await says(child.stderr, "You are in");
    await stop();
    expect(await outcome).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The server is stopping.") as unknown,
    });
  });

  it("is refused in a room of others, and without a server", async () => {
    const { alice, url } = await room();
    const stranger = await telexHere([...alice.toSpliced(2, 1, "9"), "--json"], { input: "x\n" });
    expect(stranger.code).toBe(1);
    expect(parse(stranger.stderr)).toMatchObject({ error: "group_not_found" });
    const nowhere = alice.with(alice.indexOf(url), "http://127.0.0.1:9");
    const { code, stderr } = await telexHere([...nowhere, "--json"], { input: "x\n" });
    expect(code).toBe(1);
    expect(parse(stderr)).toMatchObject({ error: "unreachable" });
    expect(stderr).not.toContain("tlxp_");
  });
});

describe("telex group search", () => {
  it("finds messages by words and by pinyin, and prints the newest last", async () => {
    const { alice, bob } = await room();
    const place = bob.slice(3);
    await telexHere(alice, { input: "绿茶 first\nsecond cup of 绿茶\n" });
    const search = async (...words: string[]) => await telexHere(["group", "search", ...words, ...place], {});
    const found = await search("lvcha");
    expect(found).toMatchObject({ code: 0, stderr: "" });
    expect(found.stdout).toMatch(/ {2}alice {2}绿茶 first\n.* {2}alice {2}second cup of 绿茶\n$/);
    const one = await search("--group", "1", "--last", "1", "绿茶");
    expect(one.stdout).toMatch(/^\S+ \S+ {2}\S.* {2}alice {2}second cup of 绿茶\n$/);
    expect(one.stderr).toContain("There may be more");
    const nothing = await search("coffee");
    expect(nothing).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Nothing was found") as unknown,
    });
    const json = parse((await search("cup", "--json")).stdout);
    expect(listAt(json)).toMatchObject([{ message: { nickname: "alice" }, matches: [{ segment: 0 }] }]);
    const foreign = await search("--group", "999", "cup");
    expect(foreign).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("telex group edit, react, pin and notify", () => {
  it("change a message, and the level of a room, for a member", async () => {
    const { url, alice } = await room();
    const [token = ""] = alice.slice(-1);
    const place = ["2", "--type", "2"] as const;
    const talk = [...alice.slice(0, 2), ...place, ...alice.slice(3)];
    expect((await telexHere(talk, { input: "first\n" })).code).toBe(0);
    const last = parse((await telexHere([...talk, "--json", "--last", "1"], { input: "" })).stdout);
    const messageId = String(at(last, "messageId"));
    const run = async (command: string, ...args: readonly string[]) =>
      await telexHere(["group", command, "2", ...args, "--url", url, "--token", token, "--json"]);
    const edited = await run("edit", messageId, "second");
    expect(parse(edited.stdout)).toMatchObject({ content: '[{"text":{"text":"second"}}]' });
    expect(parse((await run("react", messageId, "👍")).stdout)).toMatchObject({
      reactions: [{ emoji: "👍", count: 1 }],
    });
    expect(at(parse((await run("react", messageId, "👍", "--remove")).stdout), "reactions")).toBeUndefined();
    expect((await run("pin", messageId)).code).toBe(0);
    const level = await run("notify", "--level", "mentions", "--mute", "0");
    expect(parse(level.stdout)).toEqual({ notify: "mentions", mutedUntil: 0 });
    const refused = await run("react", messageId, "no emoji");
    expect([refused.code, at(parse(refused.stderr), "error")]).toEqual([1, "invalid_request"]);
  });
});

describe("telex group and telex hook for people", () => {
  it("make a room, let others in with a link, and let programs write", async () => {
    const { url, alice, bob } = await room();
    const as =
      (person: readonly string[]) =>
      async (...args: readonly string[]) =>
        await telexHere([...args, "--url", url, "--token", person.at(-1) ?? ""]);
    const [byAlice, byBob] = [as(alice), as(bob)];
    expect((await byAlice("group", "create", "Walks", "--topic", "On Sundays")).stdout).toBe(
      "Created room 3, Walks.\n",
    );
    const link = await byAlice("group", "link", "3", "--uses", "1", "--life", "1h");
    const address = /^http\S+#\w+$/m.exec(link.stdout)?.[0] ?? "";
    expect((await byBob("group", "join", address)).stdout).toBe("Joined room 3, Walks.\n");
    expect((await byAlice("group", "links", "3")).stdout).toMatch(/^\S+ +1 of 1 +\d{4}-/m);
    const links = await byAlice("group", "links", "3", "--json");
    const linkId = textAt(parse(links.stdout), "list", 0, "id");
    expect((await byBob("group", "links", "3")).code).toBe(1);
    expect((await byAlice("group", "links", "3", "--end", linkId)).stdout).toBe("Ended.\n");
    expect((await byAlice("group", "links", "3")).stdout).toMatch(/^\S+ +1 of 1 +ended$/m);
    expect((await byBob("group", "people", "ali")).stdout).toMatch(/^1 +alice +demo-alice$/m);
    expect((await byBob("group", "block", "1")).stdout).toBe("Blocked.\n");
    expect((await byBob("group", "block")).stdout).toMatch(/^1 +alice$/m);
    expect((await byBob("group", "block", "--remove")).stderr).toContain("Name the person");
    expect((await byBob("group", "block", "1", "--remove")).stdout).toBe("Unblocked.\n");
    expect((await byBob("group", "chat", "1")).stdout).toBe("Opened room 2, alice & bob.\n");

    const made = await byAlice("hook", "add", "Alerts", "--group", "3");
    const hook = made.stdout.split("\n")[0] ?? "";
    const written = await fetch(hook.replace("//localhost:", "//127.0.0.1:"), {
      method: "POST",
      body: "The disk is full.",
    });
    expect(written.status).toBe(200);
    const talk = await telexHere([...bob.toSpliced(2, 1, "3"), "--last", "1"], { input: "" });
    expect(talk.stdout).toContain("Alerts  The disk is full.");
    const listed = await byAlice("hook", "list", "--group", "3", "--json");
    const id = textAt(parse(listed.stdout), 0, "id");
    expect((await byAlice("hook", "remove", id, "--group", "3")).code).toBe(0);
    expect((await byBob("hook", "list", "--group", "3")).code).toBe(1);
    expect((await byAlice("hook", "add", "Nowhere")).code).toBe(2);

    expect((await byAlice("group", "archive", "3")).stdout).toBe("Archived room 3, Walks.\n");
    expect((await byAlice("group", "archive", "3", "--undo")).stdout).toBe("Brought back room 3, Walks.\n");
    expect((await byBob("group", "leave", "3")).stdout).toBe("Left.\n");
    expect((await byBob("group", "leave", "3", "--json")).code).toBe(1);
  });
});

describe("telex hook for devices", () => {
  it("prints an address that writes to the device, until the hook is removed", async () => {
    const { url, alice, bob } = await room();
    const as =
      (person: readonly string[]) =>
      async (...args: readonly string[]) =>
        await telexHere([...args, "--url", url, "--token", person.at(-1) ?? ""]);
    const [byAlice, byBob] = [as(alice), as(bob)];
    await ask(url, alice, "register", { deviceId: "kitchen", name: "Kitchen" });
    expect((await byBob("hook", "add", "Builds", "--id", "kitchen")).code).toBe(1);
    const made = await byAlice("hook", "add", "Builds", "--id", "kitchen", "--template", "{{project}}: {{status}}");
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const hook = (made.stdout.split("\n")[0] ?? "").replace("//localhost:", "//127.0.0.1:");
    const write = async (): Promise<number> => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ project: "telex", status: "失败" });
      return (await fetch(hook, { method: "POST", headers, body })).status;
    };
    expect(await write()).toBe(200);
    const texts = async () => listAt(await ask(url, alice, "poll?deviceId=kitchen"));
    expect(await texts()).toMatchObject([{ content: "telex: 失败" }]);

    const listed = await byAlice("hook", "list", "--json");
    expect(listAt(parse(listed.stdout))).toMatchObject([{ name: "Builds", deviceId: "kitchen" }]);
    expect(listAt(parse((await byBob("hook", "list", "--json")).stdout))).toEqual([]);
    const id = textAt(parse(listed.stdout), 0, "id");
    expect((await byBob("hook", "remove", id)).code).toBe(1);
    expect(await byAlice("hook", "remove", id)).toMatchObject({ code: 0, stdout: "The hook has ended.\n" });
    expect(await write()).toBe(404);
    expect((await byAlice("hook", "add", "Both", "--id", "kitchen", "--group", "1")).code).toBe(2);
  });
});
