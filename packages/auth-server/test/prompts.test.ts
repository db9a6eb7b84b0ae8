import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { createAccountClient } from "../src/client.ts";
import { type Browser, start } from "./server.ts";

const clientOf = ({ url, cookie }: Browser) =>
  createAccountClient({
    url,
    fetch: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("origin", url);
      headers.set("cookie", cookie);
      return await fetch(new Request(request, { headers }));
    },
  });

async function scene() {
  const { member, ...server } = await start();
  const [alice, bob] = [await member("alice"), await member("bob")];
  return { ...server, alice: clientOf(alice.browser), bob: clientOf(bob.browser), browser: alice.browser };
}

type Person = Awaited<ReturnType<typeof scene>>["alice"];

const namesOf = async (person: Person) => (await person.prompts({})).list.map(({ name }) => name);

it("prompts are kept, changed and removed by their person alone, and are in the export", async () => {
  const { alice, bob } = await scene();
  const tidy = await alice.addPrompt({ name: "Tidy", text: "Correct the grammar." });
  const short = await alice.addPrompt({ name: "Short", text: "Answer in one sentence." });
  expect((await alice.prompts({})).list).toEqual([tidy, short]);
  expect(await namesOf(bob)).toEqual([]);
  const changed = { id: tidy.id, name: "Tidier", text: "Correct it." };
  expect(await alice.changePrompt(changed)).toEqual(changed);
  expect((await alice.prompts({})).list).toEqual([changed, short]);
  await expect(bob.changePrompt(changed)).rejects.toMatchObject({ code: "not_found" });
  await expect(bob.removePrompt({ id: tidy.id })).rejects.toMatchObject({ code: "not_found" });
  expect(await (await alice.exportData()).json()).toMatchObject({ prompts: [changed, short] });
  await alice.removePrompt({ id: tidy.id });
  await expect(alice.removePrompt({ id: tidy.id })).rejects.toMatchObject({ code: "not_found" });
  expect(await namesOf(alice)).toEqual(["Short"]);
});

it("a repeat keeps a prompt once, and callers at the same time lose none of each other's", async () => {
  const { alice } = await scene();
  const prompt = { name: "Tidy", text: "Correct the grammar." };
  const first = await alice.addPrompt(prompt);
  expect(await alice.addPrompt(prompt)).toEqual(first);
  const other = await alice.addPrompt({ ...prompt, text: "Another text." });
  const [, added] = await Promise.all([
    alice.changePrompt({ ...first, text: "Changed." }),
    alice.addPrompt({ name: "Third", text: "3" }),
    alice.removePrompt({ id: other.id }),
  ]);
  expect((await alice.prompts({})).list).toEqual([{ ...first, text: "Changed." }, added]);
});

it("the list has 50 prompts, and 32,000 characters together, and one that is full can still be made shorter", async () => {
  const { alice, bob } = await scene();
  for (let number = 1; number <= 50; number += 1) await alice.addPrompt({ name: `${number}`, text: "x" });
  const full = { code: "limit_reached" };
  await expect(alice.addPrompt({ name: "51", text: "x" })).rejects.toMatchObject(full);
  expect(await alice.addPrompt({ name: "50", text: "x" })).toMatchObject({ name: "50" });
  for (const name of "abcdefg") await bob.addPrompt({ name, text: name.repeat(4000) });
  const last = await bob.addPrompt({ name: "h", text: "h".repeat(3992) });
  await expect(bob.changePrompt({ ...last, text: "h".repeat(3993) })).rejects.toMatchObject({
    ...full,
    message: "The prompts have more than 32000 characters together. Shorten or remove one.",
  });
  await bob.changePrompt({ ...last, text: "h" });
  expect(await namesOf(bob)).toHaveLength(8);
  for (const wrong of [{ name: "" }, { name: "n".repeat(65) }, { text: "" }, { text: "t".repeat(4001) }])
    await expect(bob.addPrompt({ name: "n", text: "t", ...wrong })).rejects.toMatchObject({ code: "invalid_request" });
});

it("names and texts are kept as they are, however hostile", async () => {
  const { alice } = await scene();
  const hostile = [
    "__proto__",
    "<img src=x onerror=alert(1)>",
    '"]}',
    "'; DROP TABLE accounts; --",
    "名字 🏳️‍🌈",
    "\u202Eevil",
  ];
  for (const name of hostile) await alice.addPrompt({ name, text: name });
  expect((await alice.prompts({})).list.map(({ name, text }) => [name, text])).toEqual(
    hostile.map((one) => [one, one]),
  );
  for (const id of ["__proto__", "0", "../prompts", "x".repeat(64)])
    await expect(alice.removePrompt({ id })).rejects.toMatchObject({ code: "not_found" });
  expect(await namesOf(alice)).toEqual(hostile);
});

it("a page of another site cannot keep one", async () => {
  const { alice, browser } = await scene();
  const answer = await fetch(`${browser.url}/external/api/v1/account/prompts`, {
    method: "POST",
    headers: { cookie: browser.cookie, origin: "https://evil.example", "content-type": "application/json" },
    body: JSON.stringify({ name: "n", text: "t" }),
  });
  expect(answer.status).toBe(403);
  expect(await namesOf(alice)).toEqual([]);
});

it("a user without an account keeps none, and the answer says why", async () => {
  const { telex, browser } = await scene();
  const { id: userId } = await telex.operator.users.add(operator, { nickname: "Display" });
  const { token } = await telex.operator.tokens.issue(operator, { userId, scopes: ["chat"], life: 60_000 });
  const display = createAccountClient({ url: browser.url, token });
  expect(await namesOf(display)).toEqual([]);
  await expect(display.addPrompt({ name: "n", text: "t" })).rejects.toMatchObject({
    code: "not_supported",
    message: "Prompts are kept with an account, and you have none here. Ask an admin for an invitation.",
  });
});
