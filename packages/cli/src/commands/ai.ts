import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../options/command.ts";
import { readInteger } from "../options/read.ts";
import { serverOf } from "../client/server.ts";

const help = `
The reply is printed as it comes; with --json it is one object at the end. Ctrl-C stops it.

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
All words must match. Chinese is also found by its pinyin, or by the initials of it.

Examples:
  $ telex ai search moon
  $ telex ai search bei jing --last 5`;

function defineSearch(command: Command): void {
  settingOptions(
    command.description("Search your questions and their replies, the newest conversation last"),
    clientSettings,
  )
    .argument("<words...>", "1 to 128 characters")
    .option("--last <n>", "questions and replies to find at most, 1 to 100", readInteger(1, 100), 20)
    .addHelpText("after", searchHelp)
    .action(async (words: readonly string[], { last }: { readonly last: number }) => {
      const { searchConversations } = await import("../client/search.ts");
      const { json = false } = commonOf(command);
      const search = { words: words.join(" "), last, json, talk: talkOf(command) };
      await searchConversations(await serverOf(command), search);
    });
}

export function defineAi(command: Command): void {
  defineSearch(command.command("search"));
  const ask = command.command("ask").description("Ask an AI model of a running server");
  settingOptions(ask, clientSettings)
    .argument("<text>", "the question; - reads stdin")
    .option("--model <name>", "a model of the server; without it, its default")
    .option("--system <text>", "system prompt: how the model should answer")
    .option("--conversation <id>", "continue this conversation; without it, a new one begins")
    .option("--edit", "ask in place of the last question of the conversation, which is removed with its reply")
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
