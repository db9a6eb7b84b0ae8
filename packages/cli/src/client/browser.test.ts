import { expect, it } from "vitest";
import { browserOf } from "./browser.ts";

it.each([
  ["a screen of X", { DISPLAY: ":0" }, "linux", ["xdg-open"]],
  ["a screen of Wayland", { WAYLAND_DISPLAY: "wayland-0" }, "linux", ["xdg-open"]],
  ["no screen", { DISPLAY: "" }, "linux", null],
  ["a screen that is elsewhere", { DISPLAY: "localhost:10.0", SSH_CONNECTION: "a 1 b 22" }, "linux", null],
  ["macOS", {}, "darwin", ["open"]],
  ["Windows", {}, "win32", ["rundll32", "url.dll,FileProtocolHandler"]],
  ["a program that the person names", { BROWSER: "firefox:lynx", SSH_CONNECTION: "a 1 b 22" }, "linux", ["firefox"]],
])("the browser of a machine with %s", (_name, env, platform, expected) => {
  expect(browserOf(env, platform)).toEqual(expected);
});
