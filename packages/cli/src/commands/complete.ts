import tab from "@bomb.sh/tab";
import tabOf from "@bomb.sh/tab/commander";
import { Argument } from "commander";
import type { Command } from "commander";
import { print } from "../terminal/output.ts";

/** The script for bash calls a function of the package bash-completion, which many machines lack. */
const bashWords = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        cword=$COMP_CWORD
        words=("\${COMP_WORDS[@]}")
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD > 0 ? COMP_CWORD - 1 : 0]}
    }
fi
`;

/** `telex complete <shell>` prints a script for the shell, and the script calls `telex complete -- ...` for its words. */
export function defineComplete(program: Command): void {
  tabOf(program);
  const complete = program.commands.find((command) => command.name() === "complete");
  complete?.hook("preAction", ({ args }) => {
    if (args[0] === "bash") print(bashWords);
  });
}

const help = `
Examples:
  $ source <(telex completion bash)                            in ~/.bashrc
  $ telex completion zsh > "\${fpath[1]}/_telex"
  $ telex completion fish > ~/.config/fish/completions/telex.fish`;

/** `telex completion <shell>` prints the same script as `telex complete <shell>`. */
export function defineCompletion(command: Command): void {
  command
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish", "powershell"]))
    .addHelpText("after", help)
    .action((shell: string) => {
      if (shell === "bash") print(bashWords);
      tab.setup("telex", "telex", shell);
    });
}
