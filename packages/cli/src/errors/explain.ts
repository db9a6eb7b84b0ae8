import { Failure } from "./errors.ts";

/** The word of an error of this process or of a server, or undefined. */
const wordOf = (error: unknown): unknown =>
  error instanceof Failure ? error.error : error instanceof Error && "code" in error ? error.code : undefined;

/** Replaces the message of errors with this word, for a command that knows more than the server. */
export const explained = async <T>(work: Promise<T>, word: string, message: string): Promise<T> =>
  await work.catch((error: unknown) => {
    throw wordOf(error) === word ? new Failure(word, message, { cause: error }) : error;
  });
