import { describe, expect, it } from "vitest";
import { openRaw } from "./raw.ts";
import { setup } from "./setup.ts";

const hosts = [
  "a:99999",
  "[::1",
  "a b",
  "xn--a",
  "%zz",
  "0x100000000",
  "a:b",
  "..",
  "a..b",
  "ä",
  "@",
  "a@b",
  "/",
  "a/b",
  "",
];
const targets = [
  "/healthz?access_token=tlxp_secret",
  "/healthz?access_token=tlxp_secret^'\"<>",
  "/a/../healthz^?tlxp_secret",
];

describe("a request for a strange host", () => {
  it.each(hosts)("%j is answered, and nothing of it logged", async (host) => {
    const { url, log } = await setup("over a socket");
    for (const target of targets) {
      const raw = await openRaw(url);
      raw.write(Buffer.from(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`, "latin1"));
      const answer = await raw.ended;
      expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404) /);
      expect(answer).not.toContain("tlxp_secret");
    }
    expect(log).toEqual([]);
  });
});
