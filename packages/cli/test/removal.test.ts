import { describe, expect, it } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { folder, serve, telex, until } from "test-support/command";
import { telexHere } from "./in-process.ts";

async function answer(args: readonly string[], cwd: string): Promise<unknown> {
  const { code, stdout, stderr } = await telexHere([...args, "--json"], { cwd });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return parse(stdout);
}

async function refusal(args: readonly string[], cwd: string): Promise<unknown> {
  const { code, stdout, stderr } = await telexHere([...args, "--json"], { cwd });
  expect(stdout).toBe("");
  return { code, error: at(parse(stderr), "error") };
}

/** Polls until the response has this status: a running server notices a change within a second. */
const untilStatus = (wanted: number, url: string, token: string): Promise<void> =>
  until(async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.body?.cancel();
    return response.status === wanted;
  });

describe("telex user remove", () => {
  it("ends what the user has, also on a running server, and leaves the messages", async () => {
    const cwd = await folder();
    const server = await serve(["--demo"], { cwd });
    const [alice, bob] = [0, 1].map((user) => textAt(server.printed, "users", user, "token"));
    const api = `${server.url}/external/api/v1`;
    await untilStatus(200, `${api}/oauth2/userId`, alice ?? "");
    const remove = ["user", "remove", "1"];
    expect(await refusal(remove, cwd)).toEqual({ code: 1, error: "last_admin" });
    expect(await answer([...remove, "--force"], cwd)).toEqual({ id: 1, nickname: "alice", removed: true });
    await untilStatus(401, `${api}/oauth2/userId`, alice ?? "");
    expect(await refusal(["user", "show", "1"], cwd)).toEqual({ code: 1, error: "user_not_found" });
    expect(await answer(["token", "list", "--user", "1"], cwd)).toMatchObject([{ revoked: true }]);
    expect(await answer(["group", "members", "1"], cwd)).toMatchObject([{ userId: 2 }]);
    const namesNow = async (): Promise<unknown[]> => {
      const history = await fetch(`${api}/im/getMessage?groupId=1&groupType=1&pageSize=100`, {
        headers: { authorization: `Bearer ${bob}` },
      });
      const messages = listAt(await history.json(), "data", "groupMessages");
      return messages.map((message) => at(message, "nickname"));
    };
    await until(async () => !(await namesNow()).includes("alice"));
    expect(await namesNow()).toEqual(expect.arrayContaining(["bob", "已注销用户"]));
    expect(at(await answer(["user", "add", "zoe"], cwd), "id")).toBe(3);
  });

  it("says that there is no such user", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], cwd);
    expect(await refusal(["user", "remove", "9"], cwd)).toEqual({ code: 1, error: "user_not_found" });
    expect(await refusal(["user", "remove", "x"], cwd)).toEqual({ code: 2, error: "invalid_request" });
    expect(await refusal(["user", "remove"], cwd)).toEqual({ code: 2, error: "usage" });
  });

  it("says for a person what was done", async () => {
    const cwd = await folder();
    await answer(["user", "add", "al\u001B[31mice"], cwd);
    const { code, stdout, stderr } = await telex(["user", "remove", "1"], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("Their messages stay.");
    expect(stderr).not.toContain("\u001B[31mice");
  });
});

describe("telex group rename and remove", () => {
  it("rename a room and remove it", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], cwd);
    await answer(["group", "add", "--type", "1", "--name", "Kitchen", "--member", "1"], cwd);
    expect(await answer(["group", "rename", "1", "厨房"], cwd)).toMatchObject({ groupId: 1, name: "厨房" });
    expect(await answer(["group", "list"], cwd)).toMatchObject([{ name: "厨房" }]);
    expect(await answer(["group", "remove", "1"], cwd)).toEqual({ groupId: 1, removed: true });
    expect(await answer(["group", "list"], cwd)).toEqual([]);
    for (const args of [
      ["group", "remove", "1"],
      ["group", "rename", "1", "x"],
      ["group", "members", "1"],
    ]) {
      expect(await refusal(args, cwd)).toEqual({ code: 1, error: "group_not_found" });
    }
    expect(await refusal(["group", "rename", "1", ""], cwd)).toEqual({ code: 2, error: "invalid_request" });
  });
});
