import { nearest } from "@telex/core/options";
import { Command, CommanderError, Option } from "commander";
import { UsageError } from "./errors/errors.ts";
import { readManifest } from "./manifest.ts";
import { entries } from "./command-table.ts";

const help = `
Examples:
  $ telex serve --demo                     a server with users, rooms and commands to try
  $ telex image photo.jpg                  a picture as text
  $ telex user add alice                   a user in ./telex-data
  $ telex token issue --user 1 --scope chat`;

/** Runs a command line and returns its exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function run(args: readonly string[]): Promise<number> {
  const argv = helpAsOption(args);
  prepare(argv);
  try {
    const program = await build(argv);
    await program.parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Help and version end with this error.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { reportFailure } = await import("./errors/report.ts");
    return await reportFailure(error, { json: argv.includes("--json"), verbose: argv.includes("--verbose") });
  }
}

/** Turns `help device simulate` into `device simulate --help`, because commander shows only the help of `device` for it. */
const helpAsOption = (args: readonly string[]): readonly string[] =>
  args[0] === "help" && args.length > 2 ? [...args.slice(1), "--help"] : args;

/**
 * A closed pipe, as with `| head`, is not a failure. Colours are turned off before a library looks at the environment. If the reader of
 * stderr goes away, its messages are lost and the work continues: a server without a log still serves and stops in order.
 */
function prepare(argv: readonly string[]): void {
  if (argv.includes("--no-color")) {
    process.env["NO_COLOR"] = "1";
    delete process.env["FORCE_COLOR"];
  }
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
  process.stderr.on("error", () => undefined);
}

async function build(argv: readonly string[]): Promise<Command> {
  const program = new Command("telex")
    .description("Teleprinter, images, avatars, files, users and chat rooms: a server and its tools.")
    .option("--json", "print JSON")
    .option("-q, --quiet", "print only results and errors")
    .option("--verbose", "print more details")
    .option("--no-color", "print no colours; NO_COLOR does the same")
    .option("--config <file>", "configuration file; by default telex.config.{ts,mjs,json} in this folder")
    .version(readVersion(argv), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", help)
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText("beforeAll", refuseUnknownCommand)
    .hook("preAction", refuseServer);
  for (const flags of serverFlags) program.addOption(new Option(flags).hideHelp());
  for (const { name, summary } of entries) program.command(name).description(summary);
  await defineChosen(program, argv);
  return program;
}

/** Options that name a server. They may also precede the command, so the program knows them. */
const serverFlags = ["--url <url>", "--token <token>", "--token-file <file>", "--profile <name>"];

/** Rejects an option that names a server for a command that works on this machine. */
function refuseServer(program: Command, command: Command): void {
  const takes = new Set(command.options.map(({ long }) => long));
  const refused = program.options.find(
    (option) =>
      option.hidden && !takes.has(option.long) && program.getOptionValue(option.attributeName()) !== undefined,
  );
  if (refused === undefined) return;
  const name = [...parentsOf(command), command.name()].join(" ");
  throw new UsageError(
    `${name} works on this machine, so it does not accept ${refused.long}. Run it where the data is.`,
  );
}

const parentsOf = ({ parent }: Command): string[] => (parent === null ? [] : [...parentsOf(parent), parent.name()]);

/** Help for a command that does not exist is wrong usage. Runs before any help is printed. */
function refuseUnknownCommand({ command }: { readonly command: Command }): string {
  const commandNames = command.commands.map((one) => one.name());
  const [given, named] = command.args.filter((word) => !word.startsWith("-"));
  const name = given === "help" ? named : given;
  if (commandNames.length === 0 || name === undefined || commandNames.includes(name)) return "";
  const near = nearest(name, commandNames);
  const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
  return command.error(`error: unknown command '${name}'${hint}`, { code: "commander.unknownCommand" });
}

/** The description of an option, its words, and in brackets its default. */
function describeOption({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices === undefined ? "" : ` (${argChoices.join(", ")})`;
  const value: unknown = defaultValueDescription ?? defaultValue;
  const fallback = typeof value === "string" || typeof value === "number" ? ` [${value}]` : "";
  return `${description}${choices}${fallback}`;
}

/** Adds its options to the chosen command. Completion needs all commands. */
async function defineChosen(program: Command, argv: readonly string[]): Promise<void> {
  const completes = argv[0] === "complete";
  const valued = new Set(["--config", ...serverFlags.map((flags) => flags.split(" ", 1)[0])]);
  const words = argv.filter((_word, index) => !valued.has(argv[index - 1] ?? ""));
  const chosen = words.map((word) => entries.find(({ name }) => name === word)).find((entry) => entry !== undefined);
  for (const command of program.commands) {
    const entry = entries.find(({ name }) => name === command.name());
    if (entry !== undefined && (completes || entry === chosen)) (await entry.load())(command);
  }
  if (completes) (await import("./commands/complete.ts")).defineComplete(program);
}

const readVersion = (argv: readonly string[]): string =>
  argv.includes("--version") || argv.includes("-V") ? readManifest().version : "";
