import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** `telex complete <shell>` prints a script for the shell, `telex complete -- ...` answers it. */
export function defineComplete(program: Command): void {
  tab(program);
}
