import { operator } from "@telex/core";
import type { Command } from "commander";
import { commonOf, talkOf } from "../options/command.ts";
import { print, printJson } from "../terminal/output.ts";
import type { Config } from "../settings/load.ts";
import { defaultUrl } from "../settings/rows/client.ts";
import { flagOf } from "../settings/setting.ts";
import { settings } from "../settings/table.ts";
import { schemeOf } from "../storage/opened.ts";
import type { Talk } from "../terminal/talk.ts";
import { setupLinkOf } from "./accounts.ts";
import type { Running } from "./start.ts";

export function formOf(config: Config): "json" | "pretty" {
  const form = config.get(settings.log);
  if (form !== "auto") return form;
  return process.stderr.isTTY ? "pretty" : "json";
}

async function showDemo(config: Config, running: Running, url: string, json: boolean): Promise<void> {
  const [{ createDemo }, { printDemo }] = await Promise.all([import("./demo.ts"), import("./print-demo.ts")]);
  const urlFlag = url === defaultUrl ? "" : ` --url ${url}`;
  await printDemo(await createDemo(running, config, url), urlFlag, json);
}

/** Prints the address that clients use on stdout. */
export async function announce(command: Command, config: Config, running: Running, demo: boolean): Promise<void> {
  const url = config.get(settings.baseUrl) ?? running.url;
  const { json = false } = commonOf(command);
  // First: programs that read the address find the file of the link complete.
  const setup = demo ? null : await offerSetup(config, running, process.stdout.isTTY && !json);
  if (demo) await showDemo(config, running, url, json);
  else if (json) printJson({ url, wsUrl: url.replace(/^http/, "ws") });
  else print(`Telex answers at ${url}`);
  const talk = talkOf(command);
  const isRead = formOf(config) === "pretty";
  if (setup !== null) print(`Open this link within 24 hours to become the admin: ${setup}`);
  if (!demo) await adviseBeginner(config, running, isRead ? talk : null);
  // A log of JSON lines has the locale in `server.listening`, and contains nothing but JSON.
  if (isRead) adviseLanguage(config, talk);
  talk.detail("Ctrl-C stops it.");
}

/**
 * Creates the link of the first admin, and returns it for a terminal. Without a terminal, others may be able to read the output, so the
 * link is in a file that the log names.
 */
async function offerSetup(config: Config, { auth, telex, url }: Running, isShown: boolean): Promise<string | null> {
  const link = await setupLinkOf(config, auth, url);
  if (link === null || isShown) return link?.url ?? null;
  telex.log.info("accounts.setup", { file: await link.writeFile() });
  return null;
}

const noUsersInMemory =
  "There are no users, and other commands cannot add users to memory:. --demo adds some and prints commands to try.";

/** An installation without users is useless, so the message says how to add one to this storage. */
async function adviseBeginner(config: Config, { telex }: Running, talk: Talk | null): Promise<void> {
  const users = await telex.operator.users.list(operator, { limit: 1 });
  if (users.length > 0) return;
  if (schemeOf(config.get(settings.storage)) === "memory:") return talk?.note(noUsersInMemory);
  const storage = flagsOf(config);
  if (talk === null) {
    telex.log.warn("server.no_users", { next: `telex user add alice --issue-token${storage}` });
    return;
  }
  talk.note(
    `There are no users yet. In a second terminal, in this folder: telex user add alice --issue-token${storage}`,
  );
  talk.note(`Another token for user 1: telex token issue --user 1 --scope chat${storage}`);
}

/** The flags with which another command finds the storage of this one; empty for the defaults. */
const flagsOf = (config: Config): string =>
  config
    .entries()
    .filter(({ name, origin }) => (name === "data" || name === "storage") && origin === flagOf(name))
    .map(({ name, value }) => ` ${flagOf(name)} ${String(value)}`)
    .join("");

/** Chinese errors, which the interface requires by default, may surprise clients that name no language. */
function adviseLanguage(config: Config, talk: Talk): void {
  if (config.get(settings.locale) !== null) return;
  talk.note(
    "Errors on the paths and sockets of the interface are in Chinese for clients that send no Accept-Language; --locale en makes them English.",
  );
}
