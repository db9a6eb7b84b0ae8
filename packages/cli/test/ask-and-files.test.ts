import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, parse, textAt } from "test-support/json";
import { grayPng } from "./pictures.ts";
import { finished, folder, lastJson, serve, start, telex } from "test-support/command";
import { telexHere } from "./in-process.ts";

async function user(...args: string[]) {
  const cwd = await folder();
  const server = await serve(["--demo", "--storage", "memory:", "--data", await folder(), ...args]);
  const env = { TELEX_URL: server.url, TELEX_TOKEN: textAt(server.printed, "users", 0, "token") };
  return { cwd, env, url: server.url };
}

describe("telex ai ask", () => {
  it("prints the reply as it comes, and goes on with a conversation", async () => {
    const place = await user();
    const first = await telexHere(["ai", "ask", "one\n\tzwei"], place);
    expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 0, stdout: "one\n\tzwei\n" });
    const [, conversation = ""] = /--conversation (\d+)/.exec(first.stderr) ?? [];
    const again = await telexHere(["ai", "ask", "-", "--conversation", conversation, "--json"], {
      ...place,
      input: "drei\n",
    });
    expect(parse(again.stdout)).toMatchObject({
      conversationId: Number(conversation),
      content: "drei",
      finishReason: "stop",
    });
  });

  it("edits the last question of a conversation, whose reply it replaces", async () => {
    const place = await user();
    const first = parse((await telexHere(["ai", "ask", "one", "--json"], place)).stdout);
    const conversation = String(at(first, "conversationId"));
    for (const text of ["two", "three"]) await telexHere(["ai", "ask", text, "--conversation", conversation], place);
    await telexHere(["ai", "ask", "drei", "--conversation", conversation, "--edit"], place);
    const path = `/external/api/v1/sseStream/conversations/${conversation}/messages`;
    const headers = { authorization: `Bearer ${place.env.TELEX_TOKEN}` };
    const page: unknown = await (await fetch(`${place.url}${path}`, { headers })).json();
    const said = [5, 4, 3, 2, 1, 0].map((index) => textAt(page, "data", "messages", index, "content"));
    expect(said).toEqual(["one", "one", "two", "two", "drei", "drei"]);
    expect((await telexHere(["ai", "ask", "x", "--edit"], place)).code).toBe(2);
  });

  it("finds questions and replies again, by words and by pinyin", async () => {
    const place = await user();
    for (const text of ["Where is the moon?", "北京的天气"]) await telexHere(["ai", "ask", text], place);
    const found = await telexHere(["ai", "search", "moon"], place);
    expect(found.stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/ {2}1 {2}Where is the moon\? {2}user {2}Where is the moon\?$/),
      expect.stringMatching(/ {2}1 {2}Where is the moon\? {2}assistant {2}Where is the moon\?$/),
    ]);
    const byPinyin = parse((await telexHere(["ai", "search", "tian", "qi", "--last", "1", "--json"], place)).stdout);
    expect(byPinyin).toMatchObject([
      { conversationId: 2, excerpt: "北京的天气", matches: [{ start: 3 }, { start: 4 }] },
    ]);
    expect(await telexHere(["ai", "search", "sun"], place)).toMatchObject({ code: 0, stdout: "" });
  });

  it("keeps prompts, and lists, replaces and removes them", async () => {
    const place = await user();
    const run = async (...args: readonly string[]) => await telexHere(["ai", "prompts", ...args], place);
    const added = await run("add", "Tidy", "Correct it.");
    const [, id = ""] = /^Kept (\S+), Tidy\.\n$/.exec(added.stdout) ?? [];
    expect((await run()).stdout).toMatch(/^\S+ +Tidy +Correct it\.$/m);
    expect((await run("add", "Tidier", "Correct this.", "--id", id)).stdout).toBe(`Kept ${id}, Tidier.\n`);
    expect(parse((await run("list", "--json")).stdout)).toEqual({
      list: [{ id, name: "Tidier", text: "Correct this." }],
    });
    expect((await run("remove", id)).stdout).toBe("Removed.\n");
    expect(await run("remove", id)).toMatchObject({ code: 1, stdout: "" });
    expect((await run()).stdout).not.toContain("Tidier");
  });

  it("sends files with a question, and names one that the model does not take", async () => {
    const place = await user();
    await writeFile(join(place.cwd, "茶.txt"), "green");
    await writeFile(join(place.cwd, "a.png"), grayPng(2, [[0, 255]]));
    const asked = await telex(["ai", "ask", "Read", "--file", "茶.txt"], place);
    expect(asked.stdout).toBe('Read\n\nThe file "茶.txt":\n```\ngreen\n```\n');
    const refused = await telex(["ai", "ask", "Look", "--file", "a.png", "--json"], place);
    expect({ code: refused.code, error: at(parse(refused.stderr), "error") }).toEqual({
      code: 1,
      error: "invalid_request",
    });
  });

  it("writes no control characters of a model to the terminal", async () => {
    const place = await user();
    const { stdout } = await telexHere(["ai", "ask", "a\u001B[31mb"], place);
    expect(stdout).toBe("a\\u{1b}[31mb\n");
  });

  it("exits with 1 for what the server refuses, with its reasons", async () => {
    const place = await user();
    const unknown = await telexHere(["ai", "ask", "hi", "--model", "none", "--json"], place);
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 1, stdout: "" });
    expect(parse(unknown.stderr)).toMatchObject({ error: "not_found" });
    const empty = await telexHere(["ai", "ask", "", "--json"], place);
    expect({ code: empty.code, error: at(parse(empty.stderr), "error") }).toEqual({
      code: 1,
      error: "invalid_request",
    });
  });
});

describe("telex file", () => {
  it("uploads a file and downloads it again, byte for byte", async () => {
    const place = await user();
    const bytes = grayPng(2, [[0, 255]]);
    await writeFile(join(place.cwd, "bild 一.png"), bytes);
    const uploaded = await telexHere(["file", "upload", "bild 一.png", "--json"], place);
    const stored = parse(uploaded.stdout);
    expect(stored).toMatchObject({ name: "bild 一.png", size: bytes.length, mime: "image/png" });
    const name = `${textAt(stored, "file_id")}.png`;
    const downloaded = await telexHere(["file", "download", name, "--json"], place);
    expect(parse(downloaded.stdout)).toEqual({ file: name, size: bytes.length });
    expect(await readFile(join(place.cwd, name))).toEqual(Buffer.from(bytes));
    await rm(join(place.cwd, name));
    const byId = await telexHere(["file", "download", textAt(stored, "file_id"), "--json"], place);
    expect(parse(byId.stdout)).toEqual({ file: name, size: bytes.length });
    expect(await readFile(join(place.cwd, name))).toEqual(Buffer.from(bytes));
    await telexHere(["file", "download", `${place.url}/download/${name}`, "--out", "copy.png"], place);
    expect(await readFile(join(place.cwd, "copy.png"))).toEqual(Buffer.from(bytes));
    const piped = start(["file", "download", name, "--out", "-"], place);
    const chunks: Buffer[] = [];
    piped.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    expect((await finished(piped)).code).toBe(0);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
  });

  it("lists, shares and deletes a file", async () => {
    const place = await user();
    const run = async (...args: string[]) => await telexHere(["file", ...args], place);
    await writeFile(join(place.cwd, "notes 笔记.txt"), "Tea");
    const md5 = textAt(parse((await run("upload", "notes 笔记.txt", "--json")).stdout), "file_id");
    const listed = (await run("list", "--query", "笔记", "--kind", "text")).stdout;
    expect(listed).toMatch(new RegExp(`^${md5}  notes 笔记.txt  text  3 {6}\\S+  no$`, "m"));
    expect((await run("list", "--kind", "audio", "--json")).stdout).toBe("[]\n");
    expect(parse((await run("uses", md5, "--json")).stdout)).toEqual([]);
    const url = (await run("share", md5, "--life", "1h")).stdout.trim();
    expect(await (await fetch(url)).text()).toBe("Tea");
    const [link] = [textAt(parse((await run("links", "--json")).stdout), 0, "id")];
    expect((await run("unshare", link)).stderr).toContain("The link has ended.");
    expect((await fetch(url)).status).toBe(404);
    expect((await run("remove", md5)).stderr).toContain("The file and its links are gone.");
    expect(parse((await run("list", "--kind", "text", "--json")).stdout)).toEqual([]);
    expect((await run("remove", md5)).code).toBe(1);
  });

  it("leaves nothing behind where it fails", async () => {
    const place = await user();
    const attempts = [
      { args: ["file", "upload", "missing.png"], error: "unreadable_file" },
      { args: ["file", "upload", "."], error: "unreadable_file" },
      { args: ["file", "download", `${"0".repeat(32)}.png`], error: "file_not_found" },
      { args: ["file", "download", "http://127.0.0.1:9/download/x.png"], error: "other_server" },
    ];
    for (const { args, error } of attempts) {
      const { code, stdout, stderr } = await telexHere([...args, "--json"], place);
      expect({ code, stdout, error: at(lastJson(stderr), "error") }).toEqual({ code: 1, stdout: "", error });
    }
    expect(await readdir(place.cwd)).toEqual([]);
  });
});
