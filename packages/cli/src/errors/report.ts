import { styleText } from "node:util";
import type { TelexError } from "@telex/core";
import { maskUrl } from "@telex/core/options";
import { CommanderError } from "commander";
import { codeOf, Failure, messageOf, UsageError, type FieldIssue } from "./errors.ts";
import { jsonText, printable } from "../terminal/output.ts";
import { signed } from "../terminal/signs.ts";

interface Report {
  readonly exitCode: 1 | 2;
  readonly error: string;
  readonly msg: string;
  readonly issues?: readonly FieldIssue[];
}

interface ReportForm {
  readonly json: boolean;
  readonly verbose: boolean;
}

/** Prints a failure on stderr, as a sentence or as JSON, and returns the exit code. */
export async function reportFailure(thrown: unknown, form: ReportForm): Promise<number> {
  const { exitCode, text } = await describeFailure(thrown, form);
  process.stderr.write(text);
  return exitCode;
}

/** The text of a failure, for a person or a program, and the exit code. */
export async function describeFailure(
  thrown: unknown,
  { json, verbose }: ReportForm,
): Promise<{ readonly exitCode: number; readonly text: string }> {
  // Commander has printed the help instead, which says what is missing.
  if (thrown instanceof CommanderError && thrown.code === "commander.help") return { exitCode: 2, text: "" };
  const { exitCode, ...report } = await describe(thrown);
  const text = json ? `${jsonText(report)}\n` : asText(report);
  const stack =
    verbose && thrown instanceof Error
      ? `${styleText("dim", stackOf(thrown).split("\n").map(printable).join("\n"))}\n`
      : "";
  return { exitCode, text: text + stack };
}

/** The sentence about a failure, without its issues. */
export const sentenceOf = async (thrown: unknown): Promise<string> => (await describe(thrown)).msg;

function asText({ msg, issues = [] }: Omit<Report, "exitCode">): string {
  const lines = issues.map(
    ({ path, message }) => `  ${path === "" ? "" : `${printable(path)}: `}${printable(message)}`,
  );
  return [signed("error", msg.split("\n").map(printable).join("\n")), ...lines, ""].join("\n");
}

/** Where a person finds the existing ones. */
const lists: Readonly<Record<string, string>> = {
  user_not_found: ' "telex user list" shows all users.',
  group_not_found: ' Is the user a member of it? "telex group list" shows all chat rooms to operators.',
};

async function describe(thrown: unknown): Promise<Report> {
  const report = await describeAlone(thrown);
  return { ...report, msg: report.msg + (lists[report.error] ?? "") };
}

async function describeAlone(thrown: unknown): Promise<Report> {
  if (thrown instanceof CommanderError) return { exitCode: 2, error: "usage", msg: sentence(thrown.message) };
  if (thrown instanceof UsageError) return { exitCode: 2, error: "usage", msg: thrown.message };
  if (thrown instanceof Failure) {
    const { error, message: msg, issues } = thrown;
    return { exitCode: 1, error, msg, ...(issues.length > 0 && { issues }) };
  }
  if (isTelexError(thrown)) return await describeTelexError(thrown);
  return { exitCode: 1, error: codeOf(thrown)?.toLowerCase() ?? "internal", msg: messageOf(thrown) };
}

/** Like `TelexError.is`, but does not load the schemas of core. */
const isTelexError = (thrown: unknown): thrown is object =>
  typeof thrown === "object" && thrown !== null && Symbol.for("telex.error") in thrown;

async function describeTelexError(thrown: object): Promise<Report> {
  const { TelexError } = await import("@telex/core");
  const { describeError, describeIssue } = await import("@telex/core/transport");
  const error = TelexError.from(thrown);
  // A server would log the cause for its operator, and here the operator is the reader.
  if (error.code === "internal") return { exitCode: 1, error: error.code, msg: messageOf(error.cause) };
  const issues = error.issues?.map((issue) => ({ path: issue.path, message: describeIssue(issue, "en") }));
  return {
    exitCode: isWrongUsage(error) ? 2 : 1,
    error: error.code,
    msg: describeError(error, "en") + reasonOf(error),
    ...(issues && { issues }),
  };
}

/** The reason that a service or a driver gave for a failure of the storage, such as the status and the code of S3. */
function reasonOf({ code, cause }: TelexError): string {
  const reason = code === "storage_unavailable" || code === "storage_full" ? messageOf(cause ?? "") : "";
  return reason === "" ? "" : ` Reason: ${maskUrl(reason).replace(/\.?$/, ".")}`;
}

/** True if the request is wrong whatever the storage contains. An ID that another user has depends on the storage. */
const isWrongUsage = ({ code, issues = [] }: TelexError): boolean =>
  code === "invalid_request" && !issues.some(({ problem }) => problem === "ext_taken");

/** Turns `error: unknown option '--prot'\n(Did you mean --port?)` into a sentence. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, "").replace(/\s*\n\s*\(/, ". (");
  const [first = "", ...rest] = text;
  return `${first.toUpperCase()}${rest.join("")}`.replace(/\. \((.*)\)$/, ". $1");
}

/** The stack of an error and of its causes. */
function stackOf(thrown: Error): string {
  const stack = thrown.stack ?? thrown.message;
  return thrown.cause instanceof Error ? `${stack}\nCaused by ${stackOf(thrown.cause)}` : stack;
}
