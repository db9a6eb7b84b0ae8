import { existsSync } from "node:fs";
import { styleText } from "node:util";
import { print, printable, printJson } from "../terminal/output.ts";
import type { Demo } from "./demo.ts";

/** A command for a second terminal in the same folder. */
interface DemoCommand {
  readonly title: string;
  readonly command: string;
}

/** The link that the set-up creates in a clone. Elsewhere, the command is on the path. */
const local = "node_modules/.bin/telex";

const quote = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `"${text}"`);

/** Three commands that work immediately when they are pasted. */
function commandsOf({ users, groups, deviceId, picture }: Demo, urlFlag: string): readonly DemoCommand[] {
  const telex = existsSync(local) ? local : "telex";
  const server = `${urlFlag} --token ${users[0]?.token ?? ""}`;
  return [
    { title: "Send to a device", command: `${telex} device send "Hello, 你好!" --id ${deviceId}${server}` },
    { title: "Turn a picture into text", command: `${telex} image ${quote(picture)}` },
    { title: "Talk in a room", command: `${telex} group talk ${groups[0]?.groupId ?? 1}${server}` },
  ];
}

const bold = (text: string): string => styleText("bold", text);

/** The address: in a box on a terminal, as a plain line for programs. */
async function headingOf(url: string): Promise<string> {
  if (!process.stdout.isTTY) return `\nTelex answers at ${url}\n`;
  const { box } = await import("consola/utils");
  return box(styleText(["bold", "cyan"], url), { title: " Telex answers at ", style: { borderColor: "cyan" } });
}

/**
 * Prints addresses and commands to try: for a person, or as one JSON object.
 * @param urlFlag the flag with which commands find the server, after a space; empty if they find it without
 */
export async function printDemo(demo: Demo, urlFlag: string, json: boolean): Promise<void> {
  const commands = commandsOf(demo, urlFlag);
  if (json) {
    printJson({ ...demo, commands });
    return;
  }
  print(await headingOf(demo.url));
  print(`${bold("Sign in with a click")}\n`);
  for (const { nickname, link } of demo.users) print(`  ${nickname.padEnd(6)} ${styleText("underline", link)}`);
  print(`\n${bold("Tokens for programs")}\n`);
  for (const { id, nickname, token } of demo.users) print(`  ${nickname.padEnd(6)} user ${id}   ${token}`);
  print("");
  for (const { groupId, groupType, name } of demo.groups)
    print(`  room ${groupId}  type ${groupType}   ${printable(name)}`);
  print(`\n${bold("Paste into a second terminal, in this folder")}`);
  for (const { title, command } of commands) print(`\n  ${styleText("dim", `# ${title}`)}\n  ${command}`);
  print(`\n${bold("Open in a browser")}\n`);
  for (const { address, what } of pagesOf(demo)) print(`  ${what.padEnd(18)}  ${styleText("underline", address)}`);
  print("");
}

/** Pages at the host of the links: browsers keep the cookie of a session for one host. */
const pagesOf = ({ linkUrl: url, pictureId }: Demo): readonly { readonly address: string; readonly what: string }[] => [
  { address: `${url}/user/teleprinter/`, what: "the teleprinter" },
  { address: `${url}/user/rooms/`, what: "the rooms" },
  { address: `${url}/user/chat/`, what: "the AI chat" },
  { address: `${url}/reference`, what: "every call" },
  { address: `${url}/api/generate/imagetotext?file_id=${pictureId}`, what: "a picture as text" },
  { address: `${url}/download/${pictureId}.jpg`, what: "the picture" },
];
