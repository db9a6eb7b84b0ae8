import type { Command } from "commander";
import { clientSettings, settingOptions } from "../options/command.ts";
import { postponeOptimizing } from "../server/optimizing.ts";
import { allSettings } from "../settings/table.ts";

const help = `
Every option is also a setting: telex config shows them with their other spellings.

Examples:
  $ telex serve --demo                              users, rooms and commands to try
  $ telex serve --host 0.0.0.0 --port 80 --data /var/lib/telex
  $ telex serve --storage memory: --port 0 --json   a server for a test: prints its address as JSON`;

/** `telex serve` */
export function defineServe(command: Command): void {
  const ofClients: readonly unknown[] = clientSettings;
  const served = allSettings.filter((setting) => !ofClients.includes(setting));
  settingOptions(command, served)
    .option("--demo", "add users, rooms and messages to try, and print commands; on this machine only")
    .option("--demo-public", "let --demo listen on an address that other machines can reach")
    .addHelpText("after", help)
    .action(
      async ({ demo = false, demoPublic = false }: { readonly demo?: boolean; readonly demoPublic?: boolean }) => {
        postponeOptimizing();
        const { serve } = await import("../server/serve.ts");
        await serve(command, demo ? { isPublic: demoPublic } : null);
      },
    );
}
