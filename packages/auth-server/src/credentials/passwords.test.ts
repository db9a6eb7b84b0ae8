import { TelexError } from "@telex/core";
import { expect, test } from "vitest";
import { createPasswordHasher } from "./hashing.ts";
import { opaqueString } from "./opaque.ts";
import { acceptPassword } from "./passwords.ts";

const carol = { username: "carol.baker", baseUrl: "https://telex.example:8443" };

// RFC 8265 4.3.
test.each([
  ["correct horse battery staple", "correct horse battery staple"],
  ["Correct Horse Battery Staple", "Correct Horse Battery Staple"],
  ["\u03c0\u00df\u00e5", "\u03c0\u00df\u00e5"],
  ["Jack of \u2666s", "Jack of \u2666s"],
  ["foo\u1680bar", "foo bar"],
  ["", null],
  ["my cat is a \u0009by", null],
])("the password %j is compared as %j, as RFC 8265 says", (text, opaque) => {
  expect(opaqueString(text)).toBe(opaque);
});

test.each([
  ["seven77", "shorter than 8 characters"],
  ["\u{1f600}".repeat(7), "shorter than 8 code points"],
  ["x".repeat(257), "longer than 256 characters"],
  ["iloveyou1", "common"],
  ["PASSWORD123", "common in other letters"],
  ["Carol.Baker", "the username"],
  ["tab\u0009tab tab", "with a control character"],
  ["carol-baker-2026", "the username with something added"],
  ["Telex12345", "the name of the program"],
  ["example.telex!!", "made of names of the server"],
])("%j is weak: it is %s", async (password) => {
  await expect(acceptPassword(password, carol)).rejects.toMatchObject({ code: "weak_password" });
});

test("a long password of any characters is accepted", async () => {
  expect(await acceptPassword("\u{1f600}".repeat(256), carol)).toHaveLength(512);
  expect(await acceptPassword("caf\u0065\u0301 au lait", carol)).toBe("caf\u00e9 au lait");
  expect(await acceptPassword("telex for carol baker", carol)).toBe("telex for carol baker");
  expect(await acceptPassword("8372910465", { ...carol, username: "al" })).toBe("8372910465");
});

test("a hash is a PHC string of argon2id that only its password opens", async () => {
  const { hash, verify } = createPasswordHasher();
  const stored = await hash("correct horse");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verify(stored, "correct horse")).toBe(true);
  expect(await verify(stored, "correct horsf")).toBe(false);
  expect(await verify(null, "correct horse")).toBe(false);
});

test("a name without a hash costs as much as a wrong password", async () => {
  const { hash, verify } = createPasswordHasher(1);
  const stored = await hash("correct horse");
  const costOf = async (of: string | null): Promise<number> => {
    const before = process.cpuUsage();
    await verify(of, "wrong password");
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  // The least of ten: other work of this process adds to single costs.
  const costs: [number, number][] = [];
  for (let round = 0; round < 10; round += 1) costs.push([await costOf(null), await costOf(stored)]);
  const ratio = Math.min(...costs.map(([cost]) => cost)) / Math.min(...costs.map(([, cost]) => cost));
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

test("of many simultaneous calls 20 wait, and the others are refused", async () => {
  const { verify } = createPasswordHasher(1);
  const calls = await Promise.allSettled(Array.from({ length: 30 }, () => verify(null, "password")));
  const refused = calls.flatMap((call): unknown[] => (call.status === "rejected" ? [call.reason] : []));
  expect(refused).toHaveLength(9);
  expect(refused.every((error) => TelexError.is(error) && error.code === "busy" && error.retryAfter === 1)).toBe(true);
  expect(await verify(null, "password")).toBe(false);
});
