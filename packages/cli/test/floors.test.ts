import { describe, expect, it } from "vitest";
import { parse, textAt } from "test-support/json";
import { folder, serve } from "test-support/command";
import { telexHere } from "./in-process.ts";

/** More than the free space of any test machine. */
const everything = "4000000GiB";

async function serverWith(args: readonly string[]) {
  const cwd = await folder();
  const server = await serve(args, { cwd });
  await telexHere(["user", "add", "alice"], { cwd });
  const { stdout } = await telexHere(["token", "issue", "--user", "1", "--scope", "chat", "--json"], { cwd });
  const headers = { authorization: `Bearer ${textAt(parse(stdout), "token")}` };
  return {
    ready: async () => (await fetch(`${server.url}/readyz`)).status,
    async upload() {
      const body = new FormData();
      body.set("file", new Blob(["bytes"]), "a.bin");
      const answer = await fetch(`${server.url}/external/api/v1/bucket/upload`, { method: "POST", headers, body });
      return await answer.json();
    },
    async register() {
      const answer = await fetch(`${server.url}/external/api/v1/teleprinter/register`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ deviceId: "printer-1", name: "Printer" }),
      });
      return answer.status;
    },
  };
}

describe("a disk that is nearly full", () => {
  it("takes no files below their floor, takes records, and counts as ready", async () => {
    const server = await serverWith(["--file-floor", everything]);
    expect(await server.upload()).toMatchObject({ code: 503, data: { error: "storage_full" } });
    expect(await server.register()).toBe(200);
    expect(await server.ready()).toBe(200);
  });

  it("does not count as ready below the floor of records, and goes on", async () => {
    const server = await serverWith(["--record-floor", everything]);
    expect(await server.ready()).toBe(503);
    expect(await server.register()).toBe(200);
    expect(await server.upload()).toMatchObject({ code: 200 });
  });
});
