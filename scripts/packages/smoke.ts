// Arguments: the telex command, and a folder. Serves the demo on a database, sends through a device, reads a room, turns a
// picture into text, and stops.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const [telex = "", folder = ""] = process.argv.slice(2);
const run = promisify(execFile);

const command = async (...args: readonly string[]): Promise<string> => {
  const running = run(process.execPath, [telex, ...args]);
  running.child.stdin?.end();
  return (await running).stdout;
};

interface Demo {
  readonly url: string;
  readonly deviceId: string;
  readonly picture: string;
  readonly users: readonly { readonly token: string }[];
}

/** Parses the JSON output of another program. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- a wrong shape fails what follows
const read = <T>(text: string): T => JSON.parse(text) as T;

async function tryDemo({ url, users, deviceId, picture }: Demo): Promise<void> {
  const token = users[0]?.token ?? "";
  const client = ["--url", url, "--token", token];
  await command("device", "send", "你好", "--id", deviceId, ...client);
  const poll = await fetch(`${url}/external/api/v1/teleprinter/poll?deviceId=${deviceId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = read<{ readonly data: readonly { readonly content: string }[] }>(await poll.text());
  assert.equal(data.at(-1)?.content, "你好");
  assert.match(await command("group", "talk", "1", "--last", "1", ...client), /\n$/);
  assert.equal((await command("image", picture, "--col", "40")).split("\n")[0]?.length, 40);
  const listed = read<readonly unknown[]>(await command("user", "list", "--json", "--data", folder));
  assert.equal(listed.length, users.length);
}

const server = spawn(process.execPath, [telex, "serve", "--demo", "--json", "--port", "0", "--data", folder], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(server, "exit");
try {
  const printed: unknown[] = await once(createInterface({ input: server.stdout }), "line");
  await tryDemo(read<Demo>(String(printed[0])));
} finally {
  server.kill("SIGTERM");
}
assert.deepEqual((await ended).slice(0, 1), [0]);
