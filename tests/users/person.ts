import { join } from "node:path";
import { folder, serve, telex } from "test-support/command";
import { parse, textAt } from "test-support/json";
import { launch } from "../../packages/web/test/launch.ts";
import { clone } from "./story.ts";

type Browser = Awaited<ReturnType<typeof launch>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

/** A step of a person in the browser, and what they do. */
type Step = readonly [says: string, does: (page: Page) => Promise<unknown>];

const stepsOf = (link: string, picture: string): readonly Step[] => [
  ["opens the link of the invitation", (page) => page.goto(link)],
  ["chooses a username", (page) => page.getByLabel("Username").fill("carol")],
  ["chooses a password", (page) => page.getByLabel("Password", { exact: true }).fill("a long password")],
  ["joins", (page) => page.getByRole("button", { name: "Join" }).click()],
  ["is in the room", (page) => page.getByRole("heading", { name: "Teahouse" }).first().waitFor()],
  ["attaches a picture", (page) => page.locator(".message-box input[type=file]").setInputFiles(picture)],
  ["sees that it was uploaded", (page) => page.locator(".uploads").getByText("uploaded").waitFor()],
  ["writes a line", (page) => page.locator(".message-box textarea").fill("Our lake")],
  ["sends both", (page) => page.locator(".message-box textarea").press("Enter")],
  ["sees the picture", (page) => page.getByRole("button", { name: "Picture from Carol" }).waitFor()],
  ["opens it", (page) => page.getByRole("button", { name: "Picture from Carol" }).click()],
  ["sees it as text", (page) => page.getByRole("button", { name: "As text" }).click()],
  ["reads the text of the picture", (page) => page.locator(".dialog pre").waitFor()],
];

/** Starts a server with a room, a printer in a kitchen, and an invitation. */
async function prepare() {
  const data = await folder();
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr, code } = await telex([...args, "--data", data, "--json"]);
    if (code !== 0) throw new Error(`telex ${args.join(" ")}: ${stderr}`);
    return parse(stdout);
  };
  await run("user", "add", "Alice");
  const token = textAt(await run("token", "issue", "--user", "1", "--scope", "chat"), "token");
  await run("group", "add", "--type", "1", "--name", "Teahouse", "--member", "1");
  const server = await serve(["--data", data]);
  const teleprinter = `${server.url}/external/api/v1/teleprinter`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const device = { deviceId: "kitchen", name: "Kitchen", room: { groupId: 1, mentions: false } };
  await fetch(`${teleprinter}/register`, { method: "POST", headers, body: JSON.stringify(device) });
  const link = textAt(
    await run("user", "invite", "--nickname", "Carol", "--group", "1", "--base-url", server.url),
    "url",
  );
  const poll = async () => await (await fetch(`${teleprinter}/poll?deviceId=kitchen`, { headers })).text();
  return { link, poll };
}

/** Performs the steps of a person from an invitation to a picture that is printed in a room. Returns the text that the printer gets. */
export async function runPerson() {
  const { link, poll } = await prepare();
  const picture = join(clone, "docs/public/pictures/teleprinter.webp");
  const browser = await launch();
  try {
    const page = await browser.newPage({ locale: "en" });
    page.setDefaultTimeout(30_000);
    const steps = stepsOf(link, picture);
    const start = performance.now();
    for (const [says, does] of steps)
      await does(page).catch((cause: unknown) => {
        throw new Error(`A person cannot do this: ${says}. The page is ${page.url()}`, { cause });
      });
    const seconds = (performance.now() - start) / 1000;
    return { row: { name: "person", commands: steps.length, seconds }, poll };
  } finally {
    await browser.close();
  }
}
