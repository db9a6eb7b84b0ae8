import { operator } from "@telex/core";
import type { Operator, OperatorServices } from "@telex/core";
import type { Command } from "commander";
import { commonOf } from "../command.ts";
import { withTelex } from "./with-telex.ts";
import { printJson } from "../output.ts";
import type { Config } from "../settings/load.ts";

/** Calls the operator's services and prints what they answer: as JSON where that was asked for, else for a person. */
export async function operate<T>(
  command: Command,
  work: (services: OperatorServices, caller: Operator, config: Config) => Promise<T>,
  show: (result: T) => void,
  purpose: "operate" | "add" = "operate",
): Promise<void> {
  const result = await withTelex(
    command,
    async (telex, config) => await work(telex.operator, operator, config),
    purpose,
  );
  if (commonOf(command).json === true) printJson(result);
  else show(result);
}
