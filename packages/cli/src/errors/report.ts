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

/** How a failure is reported. */
interface ReportForm {
  readonly json: boolean;
  readonly verbose: boolean;
}

/** Says on stderr what went wrong, as a sentence or as JSON, and returns the exit code. */
export async function reportFailure(thrown: unknown, form: ReportForm): Promise<number> {
  const { exitCode, text } = await describeFailure(thrown, form);
  process.stderr.write(text);
  return exitCode;
}

/** What a person or a program reads about a failure, and the exit code. */
export async function describeFailure(
  thrown: unknown,
  { json, verbose }: ReportForm,
): Promise<{ readonly exitCode: number; readonly text: string }> {
  // The help that was printed instead says what is missing.
  if (thrown instanceof CommanderError && thrown.code === "commander.help") return { exitCode: 2, text: "" };
  const { exitCode, ...report } = await describe(thrown);
  const text = json ? `${jsonText(report)}\n` : asText(report);
  const stack =
    verbose && thrown instanceof Error
      ? `${styleText("dim", stackOf(thrown).split("\n").map(printable).join("\n"))}\n`
      : "";
  return { exitCode, text: text + stack };
}

/** The sentence alone. */
export const sentenceOf = async (thrown: unknown): Promise<string> => (await describe(thrown)).msg;

function asText({ msg, issues = [] }: Omit<Report, "exitCode">): string {
  const lines = issues.map(
    ({ path, message }) => `  ${path === "" ? "" : `${printable(path)}: `}${printable(message)}`,
  );
  return [signed("error", msg.split("\n").map(printable).join("\n")), ...lines, ""].join("\n");
}

async function describe(thrown: unknown): Promise<Report> {
  if (thrown instanceof CommanderError) return { exitCode: 2, error: "usage", msg: sentence(thrown.message) };
  if (thrown instanceof UsageError) return { exitCode: 2, error: "usage", msg: thrown.message };
  if (thrown instanceof Failure) {
    const { error, message: msg, issues } = thrown;
    return { exitCode: 1, error, msg, ...(issues.length > 0 && { issues }) };
  }
  if (isTelexError(thrown)) return await describeTelexError(thrown);
  return { exitCode: 1, error: codeOf(thrown)?.toLowerCase() ?? "internal", msg: messageOf(thrown) };
}

/** Like `TelexError.is`, without loading the schemas that come with it. */
const isTelexError = (thrown: unknown): thrown is object =>
  typeof thrown === "object" && thrown !== null && Symbol.for("telex.error") in thrown;

async function describeTelexError(thrown: object): Promise<Report> {
  const { TelexError } = await import("@telex/core");
  const { describeError, describeIssue } = await import("@telex/core/transport");
  const error = TelexError.from(thrown);
  // The operator is the one whom the log would tell the cause.
  if (error.code === "internal") return { exitCode: 1, error: error.code, msg: messageOf(error.cause) };
  const issues = error.issues?.map((issue) => ({ path: issue.path, message: describeIssue(issue, "en") }));
  return {
    exitCode: isWrongUsage(error) ? 2 : 1,
    error: error.code,
    msg: describeError(error, "en") + reasonOf(error),
    ...(issues && { issues }),
  };
}

/** What a service or a driver said about a failure of the storage, such as the status and the code of S3. */
function reasonOf({ code, cause }: TelexError): string {
  const reason = code === "storage_unavailable" || code === "storage_full" ? messageOf(cause ?? "") : "";
  return reason === "" ? "" : ` Reason: ${maskUrl(reason).replace(/\.?$/, ".")}`;
}

/** What was asked for cannot be, whatever is stored; an ID that somebody else has is another matter. */
const isWrongUsage = ({ code, issues = [] }: TelexError): boolean =>
  code === "invalid_request" && !issues.some(({ problem }) => problem === "ext_taken");

/** `error: unknown option '--prot'\n(Did you mean --port?)` as a sentence. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, "").replace(/\s*\n\s*\(/, ". (");
  const [first = "", ...rest] = text;
  return `${first.toUpperCase()}${rest.join("")}`.replace(/\. \((.*)\)$/, ". $1");
}

/** The stack, and that of every cause. */
function stackOf(thrown: Error): string {
  const stack = thrown.stack ?? thrown.message;
  return thrown.cause instanceof Error ? `${stack}\nCaused by ${stackOf(thrown.cause)}` : stack;
}
