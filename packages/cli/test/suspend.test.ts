import { describe, expect, it } from "vitest";
import { once } from "node:events";
import { folder, serve, until } from "test-support/command";
import { at, textAt } from "test-support/json";
import { answer, refusal } from "./in-process.ts";

const statusOf = async (url: string, token: string): Promise<number> => {
  const response = await fetch(`${url}/external/api/v1/oauth2/userId`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  return response.status;
};

/** A demo server, and the arguments of commands on its storage and over the network. */
async function start() {
  const data = await folder();
  const server = await serve(["--demo", "--data", data]);
  const onStorage = ["--data", data];
  const root = String(at(await answer(["user", "add", "root", ...onStorage]), "id"));
  const issued = await answer(["token", "issue", "--user", root, "--scope", "admin", ...onStorage]);
  const { url } = server;
  const overNetwork = ["--url", url, "--token", textAt(issued, "token")];
  return { url, bob: textAt(server.printed, "users", 1, "token"), onStorage, overNetwork };
}

describe.each(["onStorage", "overNetwork"] as const)("telex user suspend, %s", (place) => {
  it("ends tokens and sockets on a running server, and resume restores the tokens", async () => {
    const { url, bob, [place]: where } = await start();
    const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket/${bob}`);
    await once(socket, "open");
    const closed = once(socket, "close");
    expect(await answer(["user", "suspend", "2", ...where])).toMatchObject({ id: 2, state: "suspended" });
    expect((await closed)[0]).toMatchObject({ code: 4401 });
    await until(async () => (await statusOf(url, bob)) === 401);
    expect(await answer(["user", "list", ...where])).toMatchObject([{ state: "active" }, { state: "suspended" }, {}]);
    expect(await answer(["user", "resume", "2", ...where])).toMatchObject({ id: 2, state: "active" });
    await until(async () => (await statusOf(url, bob)) === 200);
  });

  it("refuses unknown users", async () => {
    const { [place]: where } = await start();
    expect(await refusal(["user", "suspend", "99", ...where])).toMatchObject({ code: 1, error: "user_not_found" });
    expect(await refusal(["user", "resume", "99", ...where])).toMatchObject({ code: 1, error: "user_not_found" });
  });
});

describe("the last active admin", () => {
  it("is suspended and removed with --force on the storage only", async () => {
    const { onStorage, overNetwork } = await start();
    const alice = "1";
    for (const where of [onStorage, overNetwork])
      for (const command of [["suspend"], ["remove", "--yes"]])
        expect(await refusal(["user", ...command, alice, ...where])).toMatchObject({ code: 1, error: "last_admin" });
    const forced = await refusal(["user", "suspend", alice, "--force", ...overNetwork]);
    expect(forced).toMatchObject({ code: 2, error: "usage" });
    expect(await answer(["user", "suspend", alice, "--force", ...onStorage])).toMatchObject({ state: "suspended" });
    expect(await answer(["user", "remove", alice, "--yes", ...onStorage])).toMatchObject({ removed: true });
  });
});
