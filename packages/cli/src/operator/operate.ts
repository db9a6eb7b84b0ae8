import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { configOf, printResult } from "../options/command.ts";
import { serverFor } from "../client/server.ts";
import type { Config } from "../settings/load.ts";
import { operationsAt, operationsIn } from "./operations.ts";
import { isRemote } from "./place.ts";
import { withTelex } from "./with-telex.ts";

/** The place that an operator command works on. */
export interface OperatorPlace {
  readonly config: Config;
  /** True for a running server, false for the storage. */
  readonly isRemote: boolean;
}

/** The work of an operator command, for both places. */
export type OperatorWork<T> = (operations: OperatorClient, place: OperatorPlace) => Promise<T>;

/**
 * Runs the work of an operator command: on a running server if the command names one, otherwise on the storage.
 * @param purpose `add` creates the storage if it does not exist
 * @throws UsageError, Failure, TelexError
 */
export async function inPlace<T>(
  command: Command,
  work: OperatorWork<T>,
  purpose: "operate" | "add" = "operate",
): Promise<{ readonly result: T; readonly place: OperatorPlace }> {
  const config = await configOf(command);
  if (!isRemote(command, config)) {
    const place = { config, isRemote: false };
    const result = await withTelex(command, config, async (telex) => await work(operationsIn(telex), place), purpose);
    return { result, place };
  }
  const { withClient } = await import("../client/with-client.ts");
  const place = { config, isRemote: true };
  const server = await serverFor(config);
  return { result: await withClient(server, async (client) => await work(operationsAt(client), place)), place };
}

/** Runs the work of a command and prints its result: as JSON with `--json`, otherwise for a person. */
export async function operate<T>(
  command: Command,
  work: OperatorWork<T>,
  show: (result: T, place: OperatorPlace) => void,
  purpose: "operate" | "add" = "operate",
): Promise<void> {
  const { result, place } = await inPlace(command, work, purpose);
  printResult(command, result, (done) => show(done, place));
}
