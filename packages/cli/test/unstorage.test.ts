import { spawn } from "node:child_process";
import { cp } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createStorage } from "unstorage";
import { createStorageServer } from "unstorage/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { finished, folder, launcher, serve, telex } from "test-support/command";
import { portOf } from "test-support/port";
import { contentsOf, fillFolder } from "test-support/filled";
import { parse, textAt } from "test-support/json";
import { telexHere } from "./in-process.ts";

/** The server that belongs to the driver `http`, as the address of a place. */
async function startStorage(): Promise<{ readonly place: string; readonly keys: () => Promise<string[]> }> {
  const storage = createStorage();
  const server = createServer(createStorageServer(storage).handle).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const place = `unstorage:http?base=http://127.0.0.1:${portOf(server)}`;
  return { place, keys: async () => await storage.getKeys() };
}

const sqlite = (data: string): string => `sqlite:${join(data, "telex.db")}`;

describe("files over a driver of unstorage", () => {
  it("are copied there and back, and served from there, without a folder", async () => {
    const [from, over, back] = [await folder(), await folder(), await folder()];
    await fillFolder(from);
    const { place, keys } = await startStorage();
    const copy = ["migrate", "copy", "--json"];
    const there = await telexHere([...copy, "--from", sqlite(from), "--to", sqlite(over), "--to-blobs", place]);
    expect({ code: there.code, stderr: there.stderr }).toEqual({ code: 0, stderr: "" });
    expect((await keys()).some((key) => key.startsWith("heads:"))).toBe(true);

    const settings = ["--data", over, "--blobs", place];
    const issued = await telexHere(["token", "issue", "--user", "1", "--scope", "chat", "--json", ...settings]);
    const server = await serve(settings);
    const headers = { authorization: `Bearer ${textAt(parse(issued.stdout), "token")}` };
    const form = new FormData();
    form.set("file", new Blob(["over a driver"]), "short.txt");
    const upload = { method: "POST", headers, body: form };
    const uploaded = await fetch(`${server.url}/external/api/v1/bucket/upload`, upload);
    const url = `${server.url}/api/file/${textAt(await uploaded.json(), "data", "file_id")}`;
    expect(await (await fetch(url, { headers: { ...headers, range: "bytes=5-7" } })).text()).toBe("a d");
    expect(await server.stop()).toBe(0);

    const home = await telexHere([...copy, "--from", sqlite(over), "--from-blobs", place, "--to", sqlite(back)]);
    expect({ code: home.code, stderr: home.stderr }).toEqual({ code: 0, stderr: "" });
    const [first, last] = [await contentsOf(from), await contentsOf(back)];
    expect(last.blobs).toMatchObject(first.blobs);
    expect(Object.keys(last.blobs)).toHaveLength(Object.keys(first.blobs).length + 1);
  });

  it("keep a new database from making them orphans, without showing a value of the address", async () => {
    const [from, over] = [await folder(), await folder()];
    await fillFolder(from);
    const { place } = await startStorage();
    await telexHere(["migrate", "copy", "--from", sqlite(from), "--to", sqlite(over), "--to-blobs", place]);
    const { code, stderr } = await telexHere([
      "user",
      "add",
      "a",
      "--json",
      "--data",
      await folder(),
      "--blobs",
      place,
    ]);
    expect(code).toBe(1);
    expect(textAt(parse(stderr), "error")).toBe("storage_lost");
    expect(textAt(parse(stderr), "msg")).toContain("unstorage:http?base=******** contains the files");
  });
});

describe("a driver of unstorage", () => {
  it.each([
    ["memory", "only until the process ends"],
    ["fs", "Name the folder itself: --blobs <folder>."],
    ["s3?bucket=b", "--blobs s3:<endpoint>/<bucket>."],
    ["cloudflare-kv-http", "only later"],
    ["netlify-blobs?name=files", "consistency=strong"],
    ["redis?ttl=60", "files would disappear"],
    ["redis?url=%", "% as %25"],
    ["redis?db=1&db=2", "each name once"],
    ["reddis", 'unstorage has no driver "reddis". Drivers that can keep files are'],
    ["Redis:verysecret", "or a driver such as unstorage:redis?url=redis://127.0.0.1; what was given is not."],
  ])("that cannot keep files is refused with the reason: %s", async (driver, reason) => {
    const place = `unstorage:${driver}`;
    const { code, stderr } = await telexHere(["user", "add", "a", "--data", await folder(), "--blobs", place]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) as unknown });
    expect(stderr).not.toContain("verysecret");
  });

  it("that needs a package which is not installed names it, and so does one without unstorage", async () => {
    const azure = ["user", "add", "a", "--data", await folder(), "--blobs", "unstorage:azure-cosmos?endpoint=e"];
    const lacking = await telex(azure);
    expect(lacking).toMatchObject({ code: 1, stdout: "" });
    expect(lacking.stderr).toContain("needs @azure/cosmos, which is not installed.");
    expect(lacking.stderr).toContain("npm install unstorage@1 @azure/cosmos@4 @azure/identity@4.");

    const alone = await folder();
    await cp(dirname(dirname(launcher)), alone, {
      recursive: true,
      filter: (path) => !/\/(node_modules|src|test)$/.test(path),
    });
    const { code, stderr } = await finished(spawn(process.execPath, [join(alone, "bin", "telex.cjs"), ...azure]));
    expect(code).toBe(1);
    expect(stderr).toContain(
      "needs unstorage, which is not installed. Install it next to Telex: npm install unstorage@1",
    );
  });

  it("that does not work is not opened, and nothing that it was given is shown", async () => {
    const data = await folder();
    const place = "unstorage:http?base=http://me:verysecret@127.0.0.1:1/files";
    const { code, stderr } = await telexHere(["user", "add", "a", "--data", data, "--blobs", place]);
    expect(code).toBe(1);
    expect(stderr).toContain("The unstorage driver http does not work: ");
    expect((await telexHere(["config", "--blobs", place])).stdout).toContain("unstorage:http?base=********");
    expect(stderr).not.toContain("verysecret");
  });

  it("holds no backups", async () => {
    const { code, stderr } = await telexHere(["restore", "unstorage:redis?url=redis://:verysecret@127.0.0.1"]);
    expect(code).toBe(2);
    expect(stderr).toContain('"unstorage:redis?url=********" must be a folder, or a bucket');
  });
});
