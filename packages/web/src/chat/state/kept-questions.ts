import type { AskedFile, Extras } from "./commands.ts";
import type { Exchange } from "./thread.ts";

/** A question with its position and files, as it is stored. */
type Kept = Pick<Exchange, "question"> & Partial<Extras>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isFile = (value: unknown): value is AskedFile =>
  isObject(value) && typeof value["file_id"] === "string" && typeof value["name"] === "string";

const isRange = (value: unknown): value is NonNullable<Extras["replaces"]> =>
  isObject(value) && typeof value["from"] === "number" && typeof value["to"] === "number";

const filesIn = (value: unknown): readonly AskedFile[] => (Array.isArray(value) ? value.filter(isFile) : []);

/** An earlier version of the page stored just the text. */
function readQuestion(value: unknown): readonly Kept[] {
  if (typeof value === "string") return [{ question: value }];
  if (!isObject(value) || typeof value["question"] !== "string") return [];
  const { question, replaces, files } = value;
  return [{ question, replaces: isRange(replaces) ? replaces : null, files: filesIn(files) }];
}

/** Parses stored questions. */
export function readQuestions(stored: string | null): readonly Kept[] {
  if (stored === null) return [];
  try {
    const questions: unknown = JSON.parse(stored);
    if (Array.isArray(questions)) return questions.flatMap(readQuestion);
  } catch {
    // An earlier version of the page stored one question as plain text.
  }
  return [{ question: stored }];
}

/** The text that `readQuestions` parses. Files are stored as their IDs and names only. */
export const writeQuestions = (questions: readonly Exchange[]): string =>
  JSON.stringify(
    questions.map(({ question, replaces, files }) => ({
      question,
      replaces,
      files: files.map(({ file_id, name }) => ({ file_id, name })),
    })),
  );
