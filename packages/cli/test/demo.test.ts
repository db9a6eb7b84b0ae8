import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { at, listAt, textAt } from "test-support/json";
import { finished, folder, serve, start, telex } from "test-support/command";
import type { Outcome } from "test-support/command";

/** A folder like a clone after the set-up, with the link to the command. */
async function repository(): Promise<string> {
  const cwd = await folder();
  const bin = join(cwd, "node_modules", ".bin");
  await mkdir(bin, { recursive: true });
  const launcher = fileURLToPath(new URL("../bin/telex.cjs", import.meta.url));
  await writeFile(join(bin, "telex"), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  await chmod(join(bin, "telex"), 0o755);
  return cwd;
}

/** Pastes a line into a shell. */
async function paste(line: string, cwd: string, input: string): Promise<Outcome> {
  const child = spawn("sh", ["-c", line], { cwd });
  const outcome = finished(child);
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return await outcome;
}

/** The output of `telex serve --demo` for a person, up to its last line. */
async function printedBy(child: ReturnType<typeof start>): Promise<string> {
  let text = "";
  while (!/the picture +\S+\n/.test(text)) text += String((await once(child.stdout, "data"))[0]);
  return text;
}

const commandsIn = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("  node_modules/.bin/telex ") ? [line.trim()] : []));

async function get(url: string, token: string): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return at(await response.json(), "data");
}

/** The contents of a room, newest first. */
async function historyOf(url: string, group: unknown, token: string): Promise<readonly string[]> {
  const query = `groupId=${String(at(group, "groupId"))}&groupType=${String(at(group, "groupType"))}&pageSize=100`;
  const page = await get(`${url}/external/api/v1/im/getMessage?${query}`, token);
  return listAt(page, "groupMessages").map((message) => textAt(message, "content"));
}

describe("telex serve --demo", () => {
  it("prints three commands that work as printed, pasted in the same folder", async () => {
    const cwd = await repository();
    const child = start(["serve", "--demo", "--port", "0"], { cwd });
    const text = await printedBy(child);
    const [send = "", image = "", talk = "", ...rest] = commandsIn(text);
    expect(rest).toEqual([]);
    const sent = await paste(send, cwd, "");
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining("waits for demo-printer") as unknown });
    const drawn = await paste(image, cwd, "");
    expect(drawn).toMatchObject({ code: 0, stderr: "" });
    expect(drawn.stdout.split("\n")[0]).toHaveLength(69);
    const talked = await paste(talk, cwd, "早上好\n");
    expect({ code: talked.code, stderr: talked.stderr }).toMatchObject({ code: 0 });
    expect(talked.stdout).toContain("大家好");
    const again = await paste(talk, cwd, "");
    expect(again.stdout).toContain("alice  早上好");
  });

  it("has addresses that a browser can open", async () => {
    const child = start(["serve", "--demo", "--port", "0", "--storage", "memory:", "--data", await folder()]);
    const text = await printedBy(child);
    const addresses = text.match(/http:\/\/\S+\/\S+/g) ?? [];
    const pages = addresses.filter((address) => !address.includes("/external/"));
    for (const page of ["teleprinter", "rooms", "chat"])
      expect(pages).toContainEqual(expect.stringMatching(new RegExp(`/user/${page}/$`)));
    for (const address of pages)
      expect({ address, status: (await fetch(address)).status }).toEqual({ address, status: 200 });
  });

  it("makes alice, bob, a room of each stored type and a history with Chinese and a picture", async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
    const users = listAt(server.printed, "users");
    const groups = listAt(server.printed, "groups");
    expect(users).toMatchObject([{ nickname: "alice" }, { nickname: "bob" }]);
    expect(groups).toMatchObject([{ groupType: 1 }, { groupType: 2 }]);
    for (const user of users) {
      for (const [index, group] of groups.entries()) {
        const stories = await historyOf(server.url, group, textAt(user, "token"));
        expect(stories.join("")).toMatch(/[\u4E00-\u9FFF]/);
        expect(stories.join("").includes(`${textAt(server.printed, "pictureId")}.jpg`)).toBe(index === 0);
      }
    }
  });

  it.each(["0.0.0.0", "::", "192.0.2.1", "telex.example"])(
    "refuses to answer on %s unless it is told to",
    async (host) => {
      const refused = await telex(["serve", "--demo", "--host", host, "--port", "0", "--data", await folder()]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--demo-public") as unknown });
    },
  );

  it("answers on every address when it is told to; its tokens last a day", async () => {
    const cwd = await folder();
    const server = await serve(["--demo", "--demo-public", "--host", "0.0.0.0"], { cwd });
    const token = textAt(server.printed, "users", 0, "token");
    const listed = await fetch(`${server.url}/external/api/v1/tokens`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const [own] = listAt(await listed.json(), "data");
    expect(own).toMatchObject({ name: "demo", current: true });
    expect(Date.parse(textAt(own, "expiresAt")) - Date.parse(textAt(own, "createdAt"))).toBe(24 * 60 * 60 * 1000);
  });

  it("makes everything once on a storage that lasts; earlier tokens of it end, those of a person stay", async () => {
    const cwd = await repository();
    const first = await serve(["--demo"], { cwd });
    const own = await paste("node_modules/.bin/telex token issue --user 1 --scope chat", cwd, "");
    await first.stop();
    const second = await serve(["--demo"], { cwd });
    expect(at(second.printed, "groups")).toEqual(at(first.printed, "groups"));
    expect(at(second.printed, "users")).toMatchObject([{ id: 1 }, { id: 2 }]);
    const token = textAt(second.printed, "users", 0, "token");
    const me = `${second.url}/external/api/v1/oauth2/userId`;
    expect(await get(me, token)).toEqual({ id: 1 });
    expect(await get(me, own.stdout.trim())).toEqual({ id: 1 });
    expect(await get(me, textAt(first.printed, "users", 0, "token"))).toMatchObject({ error: "invalid_token" });
    const stories = await historyOf(second.url, at(second.printed, "groups", 0), token);
    expect(stories).toHaveLength(4);
  });
});
