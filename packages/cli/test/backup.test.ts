import { createHash } from "node:crypto";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer, refusal } from "test-support/answers";
import { contentsOf, fillFolder } from "test-support/filled";
import { at, parse, textAt } from "test-support/json";
import { grayPng } from "./pictures.ts";
import { folder, serve } from "test-support/command";

const api = "/external/api/v1";

/** Uploads pictures one after the other, and keeps the addresses of those that were acknowledged. */
function createUploader(url: string, token: string) {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  const upload = async (number: number): Promise<void> => {
    const picture = grayPng(2, [[number & 255, number >> 8]]);
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(picture)]), `${number}.png`);
    const response = await fetch(`${url}${api}/bucket/upload?access_token=${token}`, { method: "POST", body: form });
    expect(response.status).toBe(200);
    const digest = createHash("md5").update(picture).digest("hex");
    expect(textAt(parse(await response.text()), "data", "file_id")).toBe(digest);
    acknowledged.push(digest);
  };
  const running = (async () => {
    for (let number = 0; !stopping.signal.aborted; number += 1) await upload(number);
  })();
  return {
    acknowledged,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const downloads = async (url: string, md5: string): Promise<boolean> => {
  const response = await fetch(`${url}/download/${md5}.png`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.status === 200 && createHash("md5").update(bytes).digest("hex") === md5;
};

describe("a backup", () => {
  it("holds what was acknowledged before it began, while the server runs on, and a server starts on it", async () => {
    const [data, backups] = [await folder(), await folder()];
    const server = await serve(["--data", data, "--rate-limits", "off"]);
    await answer(["user", "add", "alice", "--data", data]);
    const token = textAt(await answer(["token", "issue", "--user", "1", "--scope", "chat", "--data", data]), "token");
    const uploader = createUploader(server.url, token);
    for (const name of ["first", "second", "third"]) {
      const before = [...uploader.acknowledged];
      const target = join(backups, name);
      const made = await answer(["backup", target, "--data", data]);
      const { records, blobs } = await contentsOf(target);
      expect(at(records, "files", "count")).toBe(Object.keys(blobs).length);
      expect(made).toMatchObject({ backup: target, files: Object.keys(blobs).length, swept: 0, damaged: [] });
      const restored = await serve(["--data", target, "--rate-limits", "off"]);
      for (const md5 of before.slice(-20)) expect(await downloads(restored.url, md5)).toBe(true);
      await restored.stop();
    }
    await uploader.stop();
    expect(uploader.acknowledged.length).toBeGreaterThan(0);
  });

  it("is the same as the data, and readable by its owner only", async () => {
    const [data, target] = [await folder(), join(await folder(), "backup")];
    await fillFolder(data, { messages: 100, files: 3 });
    await answer(["backup", target, "--data", data]);
    expect(await contentsOf(target)).toEqual(await contentsOf(data));
    expect((await stat(target)).mode & 0o777).toBe(0o700);
    expect((await stat(join(target, "telex.db"))).mode & 0o777).toBe(0o600);
  });

  it("takes no folder in which there is something, and clears away what was broken off", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data);
    const target = join(backups, "backup");
    await mkdir(`${target}.partial`);
    await writeFile(join(`${target}.partial`, "telex.db.partial"), "half");
    await answer(["backup", target, "--data", data]);
    expect(await readdir(backups)).toEqual(["backup"]);
    expect(await refusal(["backup", target, "--data", data])).toMatchObject({ code: 1, error: "target_not_empty" });
    await mkdir(`${target}-2.partial`);
    await writeFile(join(`${target}-2.partial`, "diary.txt"), "precious");
    expect(await refusal(["backup", `${target}-2`, "--data", data])).toMatchObject({ error: "target_not_empty" });
    expect(await refusal(["backup", join(backups, "x"), "--storage", "memory:"])).toMatchObject({ code: 2 });
    const nowhere = join(backups, "nowhere");
    expect(await refusal(["backup", join(backups, "y"), "--data", nowhere])).toMatchObject({
      error: "storage_missing",
    });
    expect(await readdir(backups)).not.toContain("nowhere");
  });
});
