import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../options/command.ts";
import { readInteger } from "../options/read.ts";
import { serverOf } from "../client/server.ts";

const help = `
The reply is printed as it arrives; with --json it is one object at the end. Ctrl-C stops it.

Examples:
  $ telex ai ask "How far is the moon?"
  $ telex ai ask "And the sun?" --conversation 1
  $ telex ai ask "And Mars?" --conversation 1 --edit
  $ telex ai ask "What is this?" --file picture.png --file notes.txt
  $ telex ai ask - --system "Answer in one sentence" <question.txt`;

interface AskOptions {
  readonly model?: string;
  readonly system?: string;
  readonly conversation?: string;
  readonly edit?: true;
  readonly file?: readonly string[];
}

const collect = (path: string, before: readonly string[]): readonly string[] => [...before, path];

const searchHelp = `
All words must match. Chinese is also found by its pinyin, or by the initials.

Examples:
  $ telex ai search moon
  $ telex ai search bei jing --last 5`;

function defineSearch(command: Command): void {
  settingOptions(
    command.description("Search your questions and their replies, the newest conversation last"),
    clientSettings,
  )
    .argument("<words...>", "1 to 128 characters")
    .option("--last <n>", "maximum questions and replies, 1 to 100", readInteger(1, 100), 20)
    .addHelpText("after", searchHelp)
    .action(async (words: readonly string[], { last }: { readonly last: number }) => {
      const { searchConversations } = await import("../client/search.ts");
      const { json = false } = commonOf(command);
      const search = { words: words.join(" "), last, json, talk: talkOf(command) };
      await searchConversations(await serverOf(command), search);
    });
}

const promptsHelp = `
Examples:
  $ telex ai prompts
  $ telex ai prompts add Tidy "Correct the grammar of this text."
  $ telex ai prompts remove 8f14e45f-ceea-467f-a9b6-3d0c1d2b5a11`;

const loadPrompts = async () => await import("../client/prompts.ts");

const jsonOf = (command: Command): boolean => commonOf(command).json ?? false;

function defineAdd(command: Command): void {
  settingOptions(command.description("Keep a prompt, or replace one"), clientSettings)
    .argument("<name>", "1 to 64 characters")
    .argument("<text>", "1 to 4,000 characters")
    .option("--id <id>", "the prompt to replace")
    .action(async (name: string, text: string, { id }: { readonly id?: string }) =>
      (await loadPrompts()).keepPrompt(await serverOf(command), jsonOf(command), { name, text }, id),
    );
}

function defineRemove(command: Command): void {
  settingOptions(command.description("Remove a prompt"), clientSettings)
    .argument("<id>", "its id, from the list")
    .action(async (id: string) => (await loadPrompts()).removePrompt(await serverOf(command), jsonOf(command), id));
}

function definePrompts(command: Command): void {
  command.description("List, keep and remove your prompts").addHelpText("after", promptsHelp);
  const list = command.command("list", { isDefault: true }).description("List the prompts that you keep");
  settingOptions(list, clientSettings).action(async () =>
    (await loadPrompts()).listPrompts(await serverOf(list), jsonOf(list)),
  );
  defineAdd(command.command("add"));
  defineRemove(command.command("remove"));
}

export function defineAi(command: Command): void {
  defineSearch(command.command("search"));
  definePrompts(command.command("prompts"));
  const ask = command.command("ask").description("Ask an AI model of a running server");
  settingOptions(ask, clientSettings)
    .argument("<text>", "the question; - reads stdin")
    .option("--model <name>", "a model of the server; without it, its default")
    .option("--system <text>", "system prompt: how the model should answer")
    .option("--conversation <id>", "continue this conversation; without it, a new one begins")
    .option("--edit", "replace the last question of the conversation, and its reply")
    .option("--file <path>", "a picture, or a text in UTF-8, that goes with the question; up to 8", collect, [])
    .addHelpText("after", help)
    .action(async (text: string, { model, system, conversation, edit, file: files = [] }: AskOptions) => {
      const client = await import("../client/ask.ts");
      const { json = false } = commonOf(ask);
      await client.ask(await serverOf(ask), {
        text,
        model,
        system,
        conversation,
        edit,
        files,
        json,
        talk: talkOf(ask),
      });
    });
}
