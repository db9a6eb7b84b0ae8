import { operator } from "@telex/core";
import type { Operator, OperatorServices } from "@telex/core";
import type { Command } from "commander";
import { commonOf } from "../command.ts";
import { withTelex } from "./with-telex.ts";
import { printJson } from "../output.ts";

/** Calls the operator's services and prints what they answer: as JSON where that was asked for, else for a person. */
export async function operate<T>(
  command: Command,
  work: (services: OperatorServices, caller: Operator) => Promise<T>,
  show: (result: T) => void,
): Promise<void> {
  const result = await withTelex(command, async (telex) => await work(telex.operator, operator));
  if (commonOf(command).json === true) printJson(result);
  else show(result);
}
