import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@telex/conformance/testing";
import { operator } from "@telex/core";
import { createMqtt } from "@telex/mqtt";
import { expect, it, onTestFinished } from "vitest";
import { runToSuccess } from "./support/run.ts";
import { startServer } from "./support/server.ts";

const example = join(import.meta.dirname, "../../examples/device-esp32-mqtt/device-esp32-mqtt.ino");
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

/** Compiles the sketch with the libraries of `arduino`, and returns the program. */
async function compile(port: number, token: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-esp32-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const values = { host: '"127.0.0.1"', port: String(port), token: JSON.stringify(token) };
  await writeFile(join(folder, "sketch.cpp"), fillIn(await readFile(example, "utf8"), values));
  const sources = [join(folder, "sketch.cpp"), join(arduino, "host.cpp"), join(arduino, "PubSubClient.cpp")];
  const program = join(folder, "sketch");
  const strict = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-include", "Arduino.h"];
  await runToSuccess("g++", [...strict, "-I", arduino, "-o", program, ...sources]);
  return program;
}

/** Runs the program until the test is over. */
function start(program: string): { readonly child: ChildProcess; readonly printed: () => string } {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  onTestFinished(() => void child.kill());
  return { child, printed: () => printed };
}

it("the sketch for the ESP32 prints texts once, in order, says something, and connects again", async () => {
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
  const { child, printed } = start(await compile(port, own.token));
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
