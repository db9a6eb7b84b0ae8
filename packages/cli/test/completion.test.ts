import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { folder, launcher } from "test-support/command";

describe.each(["complete", "completion"])("telex %s bash", (command) => {
  it("makes bash complete commands, subcommands and options", async () => {
    const bin = await folder();
    await symlink(launcher, join(bin, "telex"));
    const script = `
      source <(telex ${command} bash)
      complete_line() {
        COMP_LINE="$*" COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        COMP_POINT=\${#COMP_LINE}
        "$(complete -p telex | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
        echo "\${COMPREPLY[@]}"
      }
      complete_line telex dev
      complete_line telex device ""
      complete_line telex device rename --pro
    `;
    const env = { ...process.env, PATH: `${bin}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { env, cwd: bin });
    const [commands = "", subcommands = "", options = ""] = stdout.split("\n");
    expect(commands.split(" ")).toContain("device");
    expect(subcommands.split(" ")).toEqual(expect.arrayContaining(["list", "history", "rename", "remove", "pair"]));
    expect(options.split(" ")).toContain("--profile");
  });
});
