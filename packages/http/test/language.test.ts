import { expect, it } from "vitest";
import { setup } from "./setup.ts";

/** The paths of section 4 of the interface. */
const names = "register heartbeat offline poll sync send".split(" ").map((name) => `teleprinter/${name}`);
const further = "sseStream/quota sseStream/conversations oauth2/userinfo oauth2/userId im/getMessage bucket/upload";
const ofInterface = [...names, ...further.split(" ")].map((path) => `/external/api/v1/${path}`);
const others = [
  "/v1/models",
  "/v1/chat/completions",
  "/external/api/v1/im/search",
  "/external/api/v1/admin/users",
  "/nothing",
];

const isChinese = (text: string): boolean => /[一-龥]/.test(text);

it.each([
  ["Chinese on the paths of the interface alone", undefined, true, false],
  ["Chinese where the setting says so", "zh-CN", true, true],
  ["English where the setting says so", "en", false, false],
] as const)("a failure for somebody who names no language is %s", async (_what, locale, there, elsewhere) => {
  const { send } = await setup("over a socket", locale === undefined ? {} : { telex: { locale } });
  // `fetch` sends a language by default.
  const headers = { "accept-language": "*" };
  const chinese = async (path: string, method: string): Promise<boolean> =>
    isChinese(await (await send(path, { method, headers })).text());
  for (const path of ofInterface) {
    for (const method of ["GET", "POST", "PUT"])
      expect([path, method, await chinese(path, method)]).toEqual([path, method, there]);
  }
  for (const path of others) {
    for (const method of ["GET", "POST", "PUT"]) {
      const { status } = await send(path, { method, headers });
      if (status !== 200) expect([path, method, await chinese(path, method)]).toEqual([path, method, elsewhere]);
    }
  }
});
