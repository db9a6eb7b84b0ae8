import { spawn } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens an address in a browser, and its arguments; null if there is no screen. */
export function browserOf(env: Environment, platform: string): readonly [string, ...string[]] | null {
  const [chosen = ""] = (env["BROWSER"] ?? "").split(":", 1);
  if (chosen !== "") return [chosen];
  if ((env["SSH_CONNECTION"] ?? "") !== "") return null;
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  const hasScreen = [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some((screen) => (screen ?? "") !== "");
  return hasScreen ? ["xdg-open"] : null;
}

/**
 * Opens an address in the user's browser.
 * @param address with the scheme http or https
 * @returns resolves with true when the program ends, and with false if it does not start; null if there is no browser
 */
export function openBrowser(address: string): Promise<boolean> | null {
  const browser = browserOf(process.env, process.platform);
  if (browser === null) return null;
  const [program, ...args] = browser;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("exit", () => resolve(true));
    child.unref();
  });
}
