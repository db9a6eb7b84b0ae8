import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { finished, folder, serve, start } from "./support.ts";
import type { Outcome } from "./support.ts";

interface Demo {
  readonly url: string;
  readonly users: readonly { readonly id: number; readonly nickname: string; readonly token: string }[];
  readonly groups: readonly { readonly groupId: number; readonly groupType: number }[];
  readonly pictureId: string;
}

/** A folder like a repository after set-up: the link to the command lies in it. */
async function repository(): Promise<string> {
  const cwd = await folder();
  const bin = join(cwd, "node_modules", ".bin");
  await mkdir(bin, { recursive: true });
  const launcher = fileURLToPath(new URL("../bin/telex.js", import.meta.url));
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

/** What `telex serve --demo` prints for a person, up to its last line. */
async function printedBy(child: ReturnType<typeof start>): Promise<string> {
  let text = "";
  while (!text.includes("the picture\n")) text += String((await once(child.stdout, "data"))[0]);
  return text;
}

const commandsIn = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("  node_modules/.bin/telex ") ? [line.trim()] : []));

async function get(url: string, token: string): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { data: unknown }).data;
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
    expect(pages.length).toBeGreaterThanOrEqual(3);
    for (const address of pages)
      expect({ address, status: (await fetch(address)).status }).toEqual({ address, status: 200 });
  });

  it("makes alice, bob, a room of each stored type and a history with Chinese and a picture", async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
    const demo = server.printed as unknown as Demo;
    expect(demo.users.map(({ nickname }) => nickname)).toEqual(["alice", "bob"]);
    expect(demo.groups.map(({ groupType }) => groupType)).toEqual([1, 2]);
    for (const { token } of demo.users) {
      for (const { groupId, groupType } of demo.groups) {
        const history = `${server.url}/external/api/v1/im/getMessage?groupId=${groupId}&groupType=${groupType}`;
        const { groupMessages } = (await get(history, token)) as { groupMessages: { content: string }[] };
        expect(groupMessages.length).toBeGreaterThan(1);
        const content = groupMessages.map((message) => message.content).join("");
        expect(content).toMatch(/[\u4E00-\u9FFF]/);
        if (groupType === 1) expect(content).toContain(`${demo.pictureId}.jpg`);
      }
    }
  });

  it("makes everything once on a storage that lasts; earlier tokens of it end, those of a person stay", async () => {
    const cwd = await repository();
    const first = await serve(["--demo"], { cwd });
    const before = first.printed as unknown as Demo;
    const own = await paste("node_modules/.bin/telex token issue --user 1 --scope chat", cwd, "");
    await first.stop();
    const second = await serve(["--demo"], { cwd });
    const after = second.printed as unknown as Demo;
    expect(after.users.map(({ id }) => id)).toEqual(before.users.map(({ id }) => id));
    expect(after.groups).toEqual(before.groups);
    const me = `${second.url}/external/api/v1/oauth2/userId`;
    expect(await get(me, after.users[0]?.token ?? "")).toEqual({ id: 1 });
    expect(await get(me, own.stdout.trim())).toEqual({ id: 1 });
    expect(await get(me, before.users[0]?.token ?? "")).toMatchObject({ error: "invalid_token" });
    const history = `${second.url}/external/api/v1/im/getMessage?groupId=1&groupType=1&pageSize=100`;
    const page = (await get(history, after.users[0]?.token ?? "")) as { groupMessages: unknown[] };
    expect(page.groupMessages).toHaveLength(4);
  });
});
