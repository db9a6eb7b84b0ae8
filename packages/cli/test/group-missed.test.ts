import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folder, forAllTests, serve, telex } from "test-support/command";
import { at, parse, textAt } from "test-support/json";
import { describe, expect, it } from "vitest";

/** A model that cites the last message of its prompt, a missing message, and a control character. */
const model = `{
  contextTokens: 8000, maxOutputTokens: 50, countTokens: (text) => text.length,
  async *reply({ messages }) {
    const id = messages.map(({ content }) => content).join(" ").match(/"id":(\\d+)/g)?.at(-1)?.slice(5);
    yield { kind: "delta", delta: \`There is soup [#\${id}]\\u001b[31m, and dragons [#77].\` };
    yield { kind: "end", finishReason: "stop", usage: { promptTokens: 1, completionTokens: 1, estimated: false } };
  },
}`;

describe("telex group missed", () => {
  /** Alice and Bob in a room with a model, and a room without one. */
  const room = forAllTests(async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "telex.config.mjs"), `export default { models: { soup: ${model} } };`);
    const server = await serve(["--demo"], { cwd });
    const echo = parse((await telex(["user", "add", "Echo", "--ai", "soup", "--json"], { cwd })).stdout);
    await telex(["group", "members", "1", "--add", String(at(echo, "id"))], { cwd });
    const as = (user: number) => {
      const env = { TELEX_URL: server.url, TELEX_TOKEN: textAt(server.printed, "users", user, "token") };
      return (args: readonly string[], input = "") => telex(args, { cwd, env, input });
    };
    return { alice: as(0), bob: as(1), url: server.url };
  });

  it("prints the summary of what came since the read marker, with addresses, and again until that is read", async () => {
    const { alice, bob, url } = room();
    await alice(["group", "talk", "1"], "I am off\n");
    await bob(["group", "talk", "1"], "Soup is at six\nBring bread\n");
    for (let turn = 0; turn < 2; turn += 1) {
      const { code, stdout, stderr } = await alice(["group", "missed", "1"]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(
        /^There is soup \[1\].*, and dragons\.\n\n\[1\] http\S+\/user\/rooms\/1\/\d+\n\nEcho has read 2/,
      );
      expect(stdout).not.toContain("\u001B");
      expect(stdout).toContain(`[1] ${url}/user/rooms/1/`);
    }
    const json = parse((await alice(["group", "missed", "1", "--json"])).stdout);
    expect(json).toMatchObject({ model: { nickname: "Echo" }, messages: 2, cut: false });
    const since = textAt(json, "references", 0);
    expect((await alice(["group", "missed", "1", "--since", since])).stdout).toBe("You have missed nothing.\n");
  });

  it("says what is wrong with a room, a model or a message id", async () => {
    const { alice } = room();
    const wrong = async (...args: string[]) => {
      const { code, stdout, stderr } = await alice(["group", "missed", ...args]);
      expect(stdout).toBe("");
      return [code, stderr];
    };
    expect(await wrong("99")).toEqual([1, expect.stringContaining("There is no chat room with this groupId")]);
    expect(await wrong("1", "--model", "1")).toEqual([1, expect.stringMatching(/\w/)]);
    expect((await wrong("1", "--since", "x"))[0]).not.toBe(0);
  });
});
