import { readFile } from "node:fs/promises";
import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openSignedIn, type PageOptions, useBrowser, useServer } from "./browser.ts";
import { startProxy } from "./proxy.ts";
import { ask, isLive, openChat as openIn, said, sizes, usePuppet } from "./chats.ts";
import type { TestServer } from "./server.ts";

const browser = useBrowser();

const openChat = (server: Pick<TestServer, "url" | "token">, options: PageOptions = {}): Promise<Page> =>
  openIn(browser(), server, options);

const titles = (page: Page): Promise<string[]> =>
  page.locator(".talk-list .entries > .talks .name, .talk-list details .name").allTextContents();

async function pick(page: Page, action: string): Promise<void> {
  await page.getByRole("button", { name: /^More about/ }).click();
  await page
    .getByRole("group", { name: /^More about/ })
    .getByRole("button", { name: action, exact: true })
    .click();
}

test("a question starts a conversation, which survives a reload and continues", async () => {
  const server = await useServer();
  const page = await openChat(server);
  await page.getByText("100 of 100 answers left today").waitFor();
  await ask(page, "How high is the sky?");
  await expect.poll(() => said(page)).toEqual(["How high is the sky?", "How high is the sky?"]);
  await page.getByText("99 of 100 answers left today").waitFor();
  expect(await page.getByRole("progressbar", { name: "99 of 100" }).getAttribute("value")).toBe("99");
  await expect.poll(() => titles(page)).toEqual(["How high is the sky?"]);
  expect(new URL(page.url()).pathname).toMatch(/^\/user\/chat\/\d+$/);
  expect(await page.locator(".ask textarea").evaluate((box) => box === document.activeElement)).toBe(true);
  await page.reload();
  await expect.poll(() => said(page)).toEqual(["How high is the sky?", "How high is the sky?"]);
  await isLive(page);
  await ask(page, "And now?");
  await expect.poll(() => said(page)).toEqual(["How high is the sky?", "How high is the sky?", "And now?", "And now?"]);
  expect(await titles(page)).toHaveLength(1);
});

test("an answer appears while it is written, is announced once when it is complete, and can be stopped", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  const told = page.locator(".unseen[aria-live=polite]");
  await ask(page, "Tell me");
  await page.getByText("Waiting for the model...").waitFor();
  puppet.say("Once ");
  await expect.poll(() => said(page)).toEqual(["Tell me", "Once"]);
  expect(await told.textContent()).toBe("");
  puppet.say("upon a **time**");
  await expect.poll(() => said(page)).toEqual(["Tell me", "Once upon a time"]);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped here.").waitFor();
  expect(puppet.stopped()).toBe(1);
  expect(await said(page)).toEqual(["Tell me", "Once upon a time"]);
  await ask(page, "Go on");
  puppet.say("Later.");
  puppet.finish();
  await expect.poll(() => said(page)).toEqual(["Tell me", "Once upon a time", "Go on", "Later."]);
  await expect.poll(() => told.textContent()).toBe("The answer is complete: Later.");
  expect(puppet.asked().slice(0, 2)).toEqual(["user: Tell me", "assistant: Once upon a **time**"]);
});

test("an answer that is complete is shown once, however long the quota takes", async () => {
  const server = await useServer();
  const page = await openChat(server);
  const asked = Promise.withResolvers<undefined>();
  await page.route("**/sseStream/quota*", () => asked.resolve(undefined));
  await ask(page, "One");
  await asked.promise;
  expect(await said(page)).toEqual(["One", "One"]);
  await ask(page, "Two");
  await expect.poll(() => said(page)).toEqual(["One", "One", "Two", "Two"]);
});

test("a question whose answer was stopped before it began can be asked again", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  await ask(page, "Wait");
  await page.getByText("Waiting for the model...").waitFor();
  await page.locator(".ask textarea").press("Escape");
  await page.getByText("Stopped before an answer arrived.").waitFor();
  await page.getByRole("button", { name: "Ask again" }).click();
  puppet.say("Here.");
  puppet.finish();
  await expect.poll(() => said(page)).toEqual(["Wait", "Here."]);
});

test("two conversations are answered simultaneously, each with its own answer", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  await ask(page, "First");
  puppet.say("one ");
  await expect.poll(() => said(page)).toEqual(["First", "one"]);
  await page.getByRole("link", { name: "New conversation" }).click();
  await expect.poll(() => said(page)).toEqual([]);
  await page.getByText("answering", { exact: true }).waitFor();
  puppet.say("two");
  puppet.finish();
  await page.getByRole("link", { name: /^First/ }).click();
  await expect.poll(() => said(page)).toEqual(["First", "one two"]);
});

test("a failed answer is shown, and one key asks the question again", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  await ask(page, "Try");
  puppet.fail();
  await page.getByText(/Not answered\. The server says:/).waitFor();
  await page.reload();
  await page.getByText("The connection was lost before an answer arrived.").waitFor();
  await isLive(page);
  await page.getByRole("button", { name: "Ask again" }).press("Enter");
  puppet.say("Well.");
  puppet.finish();
  await expect.poll(() => said(page)).toEqual(["Try", "Well."]);
  await page.reload();
  await expect.poll(() => said(page)).toEqual(["Try", "Well."]);
});

test("a failed question stays while others are asked, even after a reload, until it is sent or discarded", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  const failed = page.locator(".failed");
  for (const question of ["First", "Second"]) {
    await ask(page, question);
    puppet.fail();
    await failed
      .filter({ hasText: "Not answered." })
      .nth(question === "First" ? 0 : 1)
      .waitFor();
  }
  expect(await said(page)).toEqual(["First", "", "Second", ""]);
  await ask(page, "Third");
  puppet.say("An answer.");
  await page.getByText("An answer.").waitFor();
  expect(await page.getByRole("button", { name: "Ask again" }).count()).toBe(0);
  puppet.finish();
  await expect.poll(() => said(page)).toEqual(["Third", "An answer.", "First", "", "Second", ""]);
  await page.reload();
  await isLive(page);
  await expect.poll(() => said(page)).toEqual(["Third", "An answer.", "First", "", "Second", ""]);
  await page.getByRole("button", { name: "Discard" }).first().click();
  await page.getByRole("button", { name: "Ask again" }).click();
  puppet.say("At last.");
  puppet.finish();
  const complete = ["Third", "An answer.", "Second", "At last."];
  await expect.poll(() => said(page)).toEqual(complete);
  await page.reload();
  await isLive(page);
  await expect.poll(() => said(page)).toEqual(complete);
});

test("a lost connection keeps the part of the answer that has arrived, and the page reconnects", async () => {
  const { puppet, server } = await usePuppet();
  const proxy = await startProxy(server.url);
  const page = await openChat({ url: proxy.url, token: server.token });
  await ask(page, "Long");
  puppet.say("half ");
  await expect.poll(() => said(page)).toEqual(["Long", "half"]);
  proxy.cut();
  await page.locator(".heading").getByText("Offline").waitFor();
  await expect.poll(() => puppet.stopped()).toBe(1);
  proxy.mend();
  await page.locator(".heading").getByText("puppet").waitFor({ timeout: 40_000 });
  await page.getByText("Stopped here.").waitFor();
  expect(await said(page)).toEqual(["Long", "half"]);
});

test("an exhausted quota is shown with its next reset, and nothing typed is lost", async () => {
  const server = await useServer();
  const quota = { userId: server.userId, unit: "count", max: 1, period: "weekly" } as const;
  await server.telex.operator.quota.assign(operator, quota);
  const page = await openChat(server);
  await ask(page, "One");
  await expect.poll(() => said(page)).toEqual(["One", "One"]);
  await page.locator(".quota").getByText("Your quota is used up.").waitFor();
  const { nextReset } = await server.telex.ai.quota(await server.telex.authenticate(server.token), {});
  expect(await page.locator(".quota time").getAttribute("datetime")).toBe(new Date(nextReset).toISOString());
  await ask(page, "Two");
  await page.getByText("Not answered: your quota is used up.").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  expect(await page.locator(".ask textarea").inputValue()).toBe("Two");
  await page.reload();
  await expect.poll(() => page.locator(".ask textarea").inputValue()).toBe("Two");
});

test("a conversation is renamed, archived, unarchived and deleted", async () => {
  const server = await useServer();
  const page = await openChat(server);
  await ask(page, "A question");
  await expect.poll(() => titles(page)).toEqual(["A question"]);
  await pick(page, "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("天空 🌌");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => titles(page)).toEqual(["天空 🌌"]);
  await pick(page, "Archive");
  await page.getByText("Archived (1)").click();
  await page.locator("details .talks").getByText("天空 🌌").waitFor();
  await page.reload();
  await page.getByText("Archived (1)").waitFor();
  await pick(page, "Unarchive");
  await expect.poll(() => page.locator("details .talks").count()).toBe(0);
  await pick(page, "Delete");
  await page.getByText("This cannot be undone.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText('"天空 🌌" is deleted.').waitFor();
  await expect.poll(() => titles(page)).toEqual([]);
  await page.reload();
  await page.getByText("No conversations yet.", { exact: false }).waitFor();
});

test.each(sizes)("with the keyboard on $on, an answer is regenerated", async ({ viewport }) => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server, { viewport });
  await ask(page, "Name a tree");
  puppet.say("An oak.");
  expect(await page.getByRole("button", { name: "Regenerate" }).count()).toBe(0);
  puppet.finish();
  await page.getByRole("button", { name: "Regenerate" }).press("Enter");
  puppet.say("A birch.");
  puppet.finish();
  await expect.poll(() => said(page)).toEqual(["Name a tree", "An oak.", "Name a tree", "A birch."]);
  await page.getByRole("button", { name: "Regenerate" }).waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
});

test.each(sizes)("a conversation is found by its title, also among many, on $on", async ({ viewport }) => {
  const { puppet, server } = await usePuppet();
  const caller = await server.telex.authenticate(server.token);
  for (let number = 1; number <= 52; number += 1) {
    puppet.say("Yes.");
    puppet.finish();
    for await (const _ of await server.telex.ai.chat(caller, { content: `Tide ${number}` }, {})) continue;
  }
  const page = await openChat(server, { viewport });
  await page.goto(`${server.url}/user/chat/`);
  await page.getByRole("button", { name: "More conversations" }).waitFor();
  const filter = page.getByRole("searchbox", { name: "Search conversations" });
  await filter.fill("tide 1");
  await expect
    .poll(async () => (await titles(page)).toSorted())
    .toEqual(["Tide 1", ...Array.from({ length: 10 }, (_, index) => `Tide 1${index}`)].toSorted());
  await filter.fill("nowhere");
  await page.getByText("No title contains this.").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
});

test("a conversation is saved as Markdown and as JSON, with all its messages", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  await ask(page, "Name a *tree*");
  puppet.say("An **oak**.");
  puppet.finish();
  await page.getByRole("button", { name: "Regenerate" }).waitFor();
  const save = async (form: string) => {
    const downloading = page.waitForEvent("download");
    await pick(page, `Save as ${form}`);
    const file = await downloading;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const markdown = await save("Markdown");
  expect(markdown.name).toMatch(/^Name a .tree.\.md$/);
  expect(markdown.text).toMatch(
    /^# Name a \*tree\*\n\n## You, .+\n\nName a \*tree\*\n\n## puppet, .+\n\nAn \*\*oak\*\*\.\n$/,
  );
  const { text } = await save("JSON");
  expect(JSON.parse(text)).toMatchObject({
    title: "Name a *tree*",
    messages: [
      { role: "user", content: "Name a *tree*" },
      { role: "assistant", content: "An **oak**.", model: "puppet" },
    ],
  });
});

test("a rejected change is reverted, and the error is shown", async () => {
  const server = await useServer();
  const page = await openChat(server);
  await ask(page, "Stay");
  await expect.poll(() => titles(page)).toEqual(["Stay"]);
  await page.route("**/sseStream/conversations/*", (route) =>
    route.request().method() === "DELETE" ? route.abort() : route.continue(),
  );
  await pick(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.locator(".notices").getByText("The server cannot be reached.").waitFor();
  await expect.poll(() => titles(page)).toEqual(["Stay"]);
});

test("another person's conversation looks like one that does not exist", async () => {
  const server = await useServer();
  const page = await openChat(server, { path: "new" });
  await page.goto(`${server.url}/user/chat/987`);
  await page.getByText("Not one of your conversations").waitFor();
  await expect.poll(() => page.locator(".ask").count()).toBe(0);
});

const hostile = [
  '<img src="https://elsewhere.example/a.png" onerror="document.title=1"> <script>document.title=2</script>',
  "[click](javascript:document.title=3) [data](data:text/html,<script>1</script>) [page](/user/teleprinter/)",
  "![picture](https://elsewhere.example/b.png) [![linked](https://elsewhere.example/c.png)](https://elsewhere.example/d)",
  "<https://elsewhere.example/e> and https://elsewhere.example/f",
  "| a | b |\n|--:|:-:|\n| 1 | 2 |",
  "```html\n<iframe src=https://elsewhere.example></iframe>\n```",
  "<style>@import url(https://elsewhere.example/g.css)</style>",
  '[named](https://elsewhere.example/h "onmouseover=1")',
].join("\n\n");

test("replies of models are shown safely: no raw HTML, no remote content, links without a referrer", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  await ask(page, hostile);
  puppet.say(hostile.slice(0, 150));
  await expect.poll(async () => (await said(page))[1]).toContain("<img src=");
  puppet.say(hostile.slice(150));
  puppet.finish();
  await page.locator(".after").waitFor();
  const reply = page.locator(".reply");
  const tags = await reply.evaluate((box) => [
    ...new Set([...box.querySelectorAll("*")].map(({ tagName }) => tagName)),
  ]);
  for (const tag of ["IMG", "SCRIPT", "IFRAME", "STYLE", "SVG"]) expect(tags).not.toContain(tag);
  expect(tags).toEqual(expect.arrayContaining(["TABLE", "PRE", "A"]));
  const links = await reply
    .locator("a")
    .evaluateAll((all) =>
      all.map((link) => `${link.getAttribute("href")} ${link.getAttribute("rel")} ${link.getAttribute("target")}`),
    );
  expect(links.length).toBe(6);
  for (const link of links)
    expect(link).toMatch(
      /^https:\/\/elsewhere\.example\/(?:[defh]|a\.png|g\.css) noopener noreferrer nofollow _blank$/,
    );
  const inline = await reply.evaluate((box) =>
    [...box.querySelectorAll("*")]
      .flatMap((each) => each.getAttributeNames())
      .filter((name) => /^on|style|src/.test(name)),
  );
  expect(inline).toEqual([]);
  expect(await reply.textContent()).toContain("https://elsewhere.example/b.png");
  await expect.poll(() => page.title()).toMatch(/· Telex$/);
});

test("model, length and system prompt apply to this connection, and are not stored", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  await page.getByRole("button", { name: "puppet – Model and length" }).click();
  await page.getByLabel("What the model should know or do").fill("Answer like a lighthouse keeper.");
  await page.getByLabel("Maximum length, in tokens").fill("7");
  await page.getByRole("button", { name: "Use", exact: true }).click();
  await page.getByText("Your next questions use this.").waitFor();
  await ask(page, "Who are you?");
  puppet.say("A lamp.");
  puppet.finish();
  await expect.poll(() => said(page)).toEqual(["Who are you?", "A lamp."]);
  expect(puppet.asked()).toEqual(["system: Answer like a lighthouse keeper.", "user: Who are you?"]);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain("lighthouse");
});

test("drafts are kept for each conversation, and reading history is not disturbed", async () => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server);
  await ask(page, "Long");
  puppet.say("line\n\n".repeat(80));
  await expect.poll(() => page.locator(".reply p").count()).toBe(80);
  const scroll = page.locator(".scroll");
  const end = (): Promise<number> => scroll.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
  await expect.poll(end).toBeLessThan(2);
  await scroll.evaluate((box) => {
    box.scrollTop = 300;
  });
  await page.getByRole("button", { name: "Jump to the end" }).waitFor();
  puppet.say("more\n\n".repeat(40));
  puppet.finish();
  await page.locator(".after").waitFor();
  expect(await scroll.evaluate((box) => box.scrollTop)).toBe(300);
  await page.getByRole("button", { name: "Jump to the end" }).click();
  await expect.poll(end).toBeLessThan(2);
  await page.locator(".ask textarea").fill("unfinished");
  await page.getByRole("link", { name: "New conversation" }).click();
  await expect.poll(() => page.locator(".ask textarea").inputValue()).toBe("");
  await page.reload();
  await page.getByRole("link", { name: /^Long/ }).click();
  await expect.poll(() => page.locator(".ask textarea").inputValue()).toBe("unfinished");
});

test("the code of this page is loaded on this page only", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  const loaded = (): Promise<number> =>
    page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => /assets\/page-.*\.js/.test(name)).length,
    );
  await page.getByRole("heading", { name: "Devices", exact: true }).waitFor();
  expect(await loaded()).toBe(1);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Chat" }).click();
  await page.locator(".ask textarea").waitFor();
  expect(await loaded()).toBe(2);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Teleprinter" }).click();
  await page.getByRole("heading", { name: "Devices", exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe("Teleprinter · Telex");
});

const pretty =
  "# Tides\n\nThe **moon** pulls.\n\n- one\n- two\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```\nlet tide = moon + sun;\n```";

test.each(looks)("axe finds nothing on $on, and nothing is wider than the screen", async ({ on, ...look }) => {
  const { puppet, server } = await usePuppet();
  const page = await openChat(server, look);
  expect(await faultsOf(page), `new on ${on}`).toEqual(faultless);
  await ask(page, `A${"very".repeat(60)}long word\nand שלום עולם`);
  puppet.say(pretty);
  await page.locator(".reply pre").waitFor();
  expect(await faultsOf(page), `answering on ${on}`).toEqual(faultless);
  puppet.finish();
  await page.locator(".after").waitFor();
  await ask(page, "Again");
  puppet.fail();
  await page.locator(".failed").waitFor();
  expect(await faultsOf(page), `failed on ${on}`).toEqual(faultless);
  await page.locator(".heading button").first().click();
  await page.locator("dialog[open]").waitFor();
  expect(await faultsOf(page), `setting on ${on}`).toEqual(faultless);
  await page.keyboard.press("Escape");
  await page.goto(`${server.url}/user/chat/`);
  await page.locator(".talks a").waitFor();
  expect(await faultsOf(page), `list on ${on}`).toEqual(faultless);
});
