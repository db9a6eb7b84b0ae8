import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { configOf, printResult } from "../options/command.ts";
import { serverFor } from "../client/server.ts";
import type { Config } from "../settings/load.ts";
import { operationsAt, operationsIn } from "./operations.ts";
import { isRemote } from "./place.ts";
import { withTelex } from "./with-telex.ts";

/** The target that an operator command works on. */
export interface OperatorTarget {
  readonly config: Config;
  /** True for a running server, false for the storage. */
  readonly isRemote: boolean;
}

/** The work of an operator command, for both targets. */
export type OperatorWork<T> = (operations: OperatorClient, target: OperatorTarget) => Promise<T>;

/**
 * Runs the work of an operator command: on a running server if the command names one, otherwise on the storage.
 * @param purpose `add` creates the storage if it does not exist
 * @throws UsageError, Failure, TelexError
 */
export async function onTarget<T>(
  command: Command,
  work: OperatorWork<T>,
  purpose: "operate" | "add" = "operate",
): Promise<{ readonly result: T; readonly target: OperatorTarget }> {
  const config = await configOf(command);
  if (!isRemote(command, config)) {
    const target = { config, isRemote: false };
    const result = await withTelex(command, config, async (telex) => await work(operationsIn(telex), target), purpose);
    return { result, target };
  }
  const { withClient } = await import("../client/with-client.ts");
  const target = { config, isRemote: true };
  const server = await serverFor(config);
  return { result: await withClient(server, async (client) => await work(operationsAt(client), target)), target };
}

/** Runs the work of a command and prints its result: as JSON with `--json`, otherwise for a person. */
export async function operate<T>(
  command: Command,
  work: OperatorWork<T>,
  show: (result: T, target: OperatorTarget) => void,
  purpose: "operate" | "add" = "operate",
): Promise<void> {
  const { result, target } = await onTarget(command, work, purpose);
  printResult(command, result, (done) => show(done, target));
}
