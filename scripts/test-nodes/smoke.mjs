// Arguments: the telex command, and a folder. Plain JavaScript: it runs on each supported Node as it is. Serves the demo on
// a database, sends through a device, turns a picture into text, and stops.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const [telex, folder] = process.argv.slice(2);
const run = promisify(execFile);
const command = async (...args) => {
  const running = run(process.execPath, [telex, ...args]);
  running.child.stdin.end();
  return (await running).stdout;
};

const server = spawn(process.execPath, [telex, "serve", "--demo", "--json", "--port", "0", "--data", folder], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  const { url, users, deviceId, picture } = JSON.parse(line);
  const [{ token }] = users;
  const client = ["--url", url, "--token", token];
  await command("device", "send", "你好", "--id", deviceId, ...client);
  const poll = await fetch(`${url}/external/api/v1/teleprinter/poll?deviceId=${deviceId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = await poll.json();
  assert.equal(data.at(-1).content, "你好");
  assert.match(await command("group", "talk", "1", "--last", "1", ...client), /\n$/);
  assert.equal((await command("image", picture, "--col", "40")).split("\n")[0].length, 40);
  assert.equal(JSON.parse(await command("user", "list", "--json", "--data", folder)).length, 2);
} finally {
  server.kill("SIGTERM");
}
const [exitCode] = await once(server, "exit");
assert.equal(exitCode, 0);
