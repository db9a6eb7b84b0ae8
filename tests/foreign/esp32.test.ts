import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "@telex/conformance/testing";
import { operator } from "@telex/core";
import { createMqtt } from "@telex/mqtt";
import { expect, it, onTestFinished } from "vitest";
import { runToSuccess } from "./support/run.ts";
import { startServer } from "./support/server.ts";

const example = (name: string): string => join(import.meta.dirname, `../../examples/${name}/${name}.ino`);
const arduino = join(import.meta.dirname, "arduino");

/** Enters values into the sketch as its user does, by the name of the constant. */
function fillIn(sketch: string, values: Readonly<Record<string, string>>): string {
  let filled = sketch;
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`(static const .*\\b${name} = ).*;`);
    expect(filled).toMatch(line);
    filled = filled.replace(line, `$1${value};`);
  }
  return filled;
}

/** Compiles a sketch with the libraries of `arduino`, and returns the program, which is alone in its folder. */
async function compile(name: string, values: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-esp32-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "sketch.cpp"), fillIn(await readFile(example(name), "utf8"), values));
  const sources = [join(folder, "sketch.cpp"), join(arduino, "host.cpp"), join(arduino, "PubSubClient.cpp")];
  const program = join(folder, "sketch");
  const strict = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-include", "Arduino.h"];
  await runToSuccess("g++", [...strict, "-I", arduino, "-o", program, ...sources]);
  return program;
}

/** Runs the program until the test is over. */
function start(program: string): { readonly child: ChildProcess; readonly printed: () => string } {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"], cwd: dirname(program) });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  onTestFinished(() => void child.kill());
  return { child, printed: () => printed };
}

it("the sketch for the ESP32 over MQTT prints texts once, in order, says something, and connects again", async () => {
  const server = await startServer({}, 1);
  const { telex, token } = server;
  const first = createMqtt(telex);
  const port = await first.listen({ host: "127.0.0.1", port: 0 });
  const second = createMqtt(telex);
  onTestFinished(async () => {
    await second.close();
    await server.close();
  });
  const deviceId = "esp32-printer";
  const caller = await telex.authenticate(token);
  await telex.teleprinter.register(caller, { deviceId, name: "ESP32 printer" });
  const send = (content: string) => telex.teleprinter.send(caller, { deviceId, content });
  const texts = async () => (await telex.teleprinter.messages(caller, { deviceId })).messages;
  const longest = "😀".repeat(2000);
  for (const text of ["one", "茶 two", longest]) await send(text);
  const userId = caller.kind === "token" ? caller.userId : 0;
  const own = await telex.operator.tokens.issue(operator, { userId, scopes: [`device:${deviceId}`] });
  const values = { host: '"127.0.0.1"', port: String(port), token: JSON.stringify(own.token) };
  const { child, printed } = start(await compile("device-esp32-mqtt", values));
  await until(async () => (await texts()).every(({ delivered }) => delivered === 1));
  expect(printed()).toBe(`one\n茶 two\n${longest}\n`);
  child.stdin?.write("p");
  await until(async () => (await texts()).some(({ content }) => content === "pressed"));

  await first.close();
  await send("after a restart");
  await second.listen({ host: "127.0.0.1", port });
  await until(async () => (await texts()).every(({ delivered }) => delivered === 1));
  expect(printed()).toBe(`one\n茶 two\n${longest}\nafter a restart\n`);
});

it("the sketch for the ESP32 over HTTP registers, prints each text once, also over restarts, and answers", async () => {
  const server = await startServer({}, 1);
  onTestFinished(() => server.close());
  const { telex, token, url } = server;
  const deviceId = "esp32-printer";
  const caller = await telex.authenticate(token);
  const values = {
    server: JSON.stringify(`${url}/external/api/v1/teleprinter`),
    token: JSON.stringify(token),
    pollWait: "1",
  };
  const program = await compile("device-esp32", values);
  const texts = async () => (await telex.teleprinter.messages(caller, { deviceId, pageSize: 100 })).messages;
  const send = (content: string) => telex.teleprinter.send(caller, { deviceId, content });
  const first = start(program);
  await until(async () => (await telex.teleprinter.devices(caller, {})).length === 1);
  const written = ["one", '茶 "two"\\\n\tthree', "😀".repeat(2000)];
  for (const text of written) await send(text);
  await until(async () => (await texts()).every(({ delivered }) => delivered === 1));
  expect(first.printed()).toBe(written.map((text) => `${text}\n`).join(""));
  first.child.kill("SIGKILL");
  await send("after a restart");
  const second = start(program);
  await until(async () => (await texts()).every(({ delivered }) => delivered === 1));
  expect(second.printed()).toBe("after a restart\n");
  const answers = (await texts()).filter(({ direction }) => direction === "from_device");
  expect(answers.map(({ content }) => content).toSorted()).toEqual(
    (await texts())
      .filter(({ direction }) => direction === "to_device")
      .map(({ id }) => `read ${id}`)
      .toSorted(),
  );
});
