import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { at, listAt, textAt } from "test-support/json";
import { finished, folder, forAllTests, serve, start, until } from "test-support/command";
import { decodeSheet } from "test-support/receipt-decoder";
import { lastSheet, type SimulatedPrinter, startPrinter } from "test-support/simulated-printer";
import { createTalk } from "../src/terminal/talk.ts";
import { type Printing, printDevice } from "../src/devices/print/print.ts";
import { telexHere } from "./in-process.ts";

const paper = { dots: 384, columns: 32 };

/** The printed texts since the last initialization in each connection. A sheet that ends within a command does not count. */
const sheetsOf = (printer: SimulatedPrinter) =>
  printer.sheets().flatMap((bytes) => {
    try {
      return [decodeSheet(lastSheet(bytes), paper.columns)];
    } catch {
      return [];
    }
  });

const linesOf = (printer: SimulatedPrinter): readonly (readonly string[])[] =>
  sheetsOf(printer).map(({ lines }) => lines.map(({ text }) => text));

/** Skips the pauses between attempts, but not those for answers. */
const quick: NonNullable<Printing["pause"]> = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds === 2000 ? milliseconds : 0);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

describe("a device that is a receipt printer", () => {
  const prepare = forAllTests(async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--rate-limits", "off", "--data", await folder()]);
    return { url: server.url, token: textAt(server.printed, "users", 0, "token") };
  });

  async function ask(path: string, body?: object): Promise<unknown> {
    const { url, token } = prepare();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer: unknown = await (await fetch(`${url}/external/api/v1/teleprinter/${path}`, init)).json();
    return at(answer, "data");
  }

  const faultOf = async (deviceId: string): Promise<unknown> =>
    at(
      listAt(await ask("devices")).find((device) => at(device, "deviceId") === deviceId),
      "fault",
      "reason",
    );

  const statesOf = async (deviceId: string): Promise<unknown[]> =>
    listAt(await ask(`messages?deviceId=${deviceId}&pageSize=100`), "messages")
      .map((text) => (at(text, "delivered") === 1 ? "delivered" : (at(text, "state") ?? "waiting")))
      .toReversed();

  const isDelivered = async (deviceId: string, count: number): Promise<boolean> => {
    const states = await statesOf(deviceId);
    return states.length === count && states.every((state) => state === "delivered");
  };

  async function send(deviceId: string, text: object): Promise<void> {
    await ask("send", { deviceId, ...text });
  }

  const register = (deviceId: string): Promise<unknown> => ask("register", { deviceId, name: deviceId });

  /** The shipped command. */
  async function command(deviceId: string, printer: SimulatedPrinter, args: readonly string[] = [], state?: string) {
    const { url, token } = prepare();
    const env = { TELEX_URL: url, TELEX_TOKEN: token, TZ: "UTC", XDG_STATE_HOME: state ?? (await folder()) };
    return start(["device", "print", "--id", deviceId, "--to", printer.place, ...args], { env });
  }

  /** The command in this process, with pauses that take no time. Returns a function that stops it. */
  async function here(deviceId: string, to: string, pause = quick, changed: Partial<Printing> = {}) {
    const stop = new AbortController();
    vi.stubEnv("XDG_STATE_HOME", await folder());
    const ended = printDevice(
      {
        receiving: { server: prepare(), deviceId, name: null, can: [], talk: createTalk({ quiet: true }) },
        to,
        paper,
        pictures: "raster",
        shows: { cut: true, codes: true, drawChinese: false, time: false },
        waitsInDoubt: false,
        pause,
        ...changed,
      },
      stop.signal,
    );
    const end = async (): Promise<void> => {
      stop.abort(new Error("stopped"));
      await ended;
      vi.unstubAllEnvs();
    };
    onTestFinished(end);
    return end;
  }

  it("prints the title, the time, Chinese, and links as QR codes, and says what it is", async () => {
    const printer = await startPrinter();
    await register("whole");
    await send("whole", { content: "茶 is ready: https://telex.example/tea.", title: "Tea 茶" });
    const child = await command("whole", printer);
    const outcome = finished(child);
    await until(() => isDelivered("whole", 1));
    const [sheet] = sheetsOf(printer);
    const [title, time, ...lines] = sheet?.lines ?? [];
    expect(title).toEqual({ text: "Tea 茶", isBold: true, size: [2, 2] });
    expect(time?.text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(lines.map(({ text }) => text)).toEqual(["茶 is ready:", "https://telex.example/tea."]);
    expect([sheet?.codes, sheet?.cuts]).toEqual([["https://telex.example/tea"], 1]);
    expect(await ask("heartbeat", { deviceId: "whole" })).toMatchObject({ can: ["text", "print", "cut"] });
    child.kill("SIGTERM");
    expect((await outcome).code).toBe(0);
  });

  it("says how many characters a line has if it prints pictures as such", async () => {
    const printer = await startPrinter();
    await register("narrow");
    const child = await command("narrow", printer, ["--pictures", "characters", "--no-cut", "--columns", "20"]);
    const outcome = finished(child);
    await send("narrow", { content: "a line of twenty-six chars", title: "Hi" });
    await until(() => isDelivered("narrow", 1));
    const lines = sheetsOf(printer)[0]?.lines.map(({ text }) => text) ?? [];
    expect(lines.slice(-2)).toEqual(["a line of twenty-six", "chars"]);
    expect(await ask("heartbeat", { deviceId: "narrow" })).toMatchObject({ can: ["text", "print", "columns=20"] });
    child.kill("SIGTERM");
    expect((await outcome).code).toBe(0);
  });

  it("prints 48 columns on paper of 80 mm", async () => {
    const printer = await startPrinter();
    await register("wide");
    await send("wide", { content: `${"x".repeat(47)} ${"茶".repeat(25)}` });
    const child = await command("wide", printer, ["--width", "80", "--no-time"]);
    const outcome = finished(child);
    await until(() => isDelivered("wide", 1));
    child.kill("SIGTERM");
    await outcome;
    const [bytes = new Uint8Array()] = printer.sheets();
    const lines = decodeSheet(bytes, 48).lines.map(({ text }) => text);
    expect(lines).toEqual(["x".repeat(47), "茶".repeat(24), "茶"]);
  });

  it("keeps texts while the paper is out, shows why, and prints each once in order", async () => {
    const printer = await startPrinter();
    printer.set("paper");
    await register("empty");
    for (const content of ["one", "two"]) await send("empty", { content });
    await here("empty", printer.place);
    await until(async () => (await faultOf("empty")) === "paper out");
    expect([await statesOf("empty"), printer.sheets()]).toEqual([["waiting", "waiting"], []]);
    printer.set(null);
    await until(() => isDelivered("empty", 2));
    expect(linesOf(printer)).toEqual([["one"], ["two"]]);
    await until(async () => (await faultOf("empty")) === undefined);
  });

  it("prints a text after a fault at any of its bytes, and heads a second copy", async () => {
    const printer = await startPrinter();
    await register("faulty");
    await here("faulty", printer.place);
    await send("faulty", { content: "length" });
    await until(() => isDelivered("faulty", 1));
    const bytes = printer.sheets()[0]?.length ?? 0;
    expect(bytes).toBeGreaterThan(20);
    for (let cut = 0; cut <= bytes; cut += 1) {
      const before = printer.connections();
      printer.cutAfter(cut);
      await send("faulty", { content: `c${String(cut).padStart(5, "0")}` });
      await until(() => isDelivered("faulty", cut + 2));
      const copies = linesOf(printer).filter((lines) => lines.at(-1) === `c${String(cut).padStart(5, "0")}`);
      const expected = cut === 0 ? 1 : 2;
      expect(copies.at(-1)?.length, `cut after ${cut}`).toBe(expected);
      expect(printer.connections() - before, `cut after ${cut}`).toBe(2);
    }
  });

  it("prints what waited for a day while the printer was off, but not what expired", async () => {
    const device = join(await folder(), "lp0");
    await register("off");
    await send("off", { content: "old", life: 86_400 });
    await send("off", { content: "new" });
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    let [seconds, isOn] = [0, false];
    await here("off", device, async (milliseconds, signal) => {
      signal.throwIfAborted();
      seconds += milliseconds / 1000;
      if (isOn) return await quick(0, signal);
      vi.setSystemTime(Date.now() + milliseconds);
      isOn = seconds > 2 * 86_400;
      if (isOn) await writeFile(device, "");
    });
    await until(async () => (await statesOf("off"))[1] === "delivered");
    expect(await statesOf("off")).toEqual(["failed", "delivered"]);
    const printed = await readFile(device, "latin1");
    expect([printed.includes("new\n"), printed.includes("old"), printed.includes("(again)")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("prints a text again, under a heading, if it was killed before the server knew", async () => {
    const state = await folder();
    const printer = await startPrinter();
    await register("killed");
    await send("killed", { content: "tea" });
    printer.endPaperAfter(10);
    const killed = await command("killed", printer, ["--no-time"], state);
    const outcome = finished(killed);
    await until(async () => (await faultOf("killed")) === "paper out");
    killed.kill("SIGKILL");
    await outcome;
    printer.set(null);
    const again = await command("killed", printer, ["--no-time"], state);
    await until(() => isDelivered("killed", 1));
    again.kill("SIGTERM");
    expect(await readFile(join(state, "telex", "print-killed"), "utf8")).toMatch(/^http\S+ \d+\n$/);
    expect(linesOf(printer).at(-1)).toEqual(["(again)", "tea"]);
  });

  it("prints pictures that come as characters, dark where they are dark", async () => {
    const rows = Array.from({ length: 8 }, (_, row) => `${" ".repeat(16)}${"?".repeat(16)}${row === 0 ? "?" : " "}`);
    const printer = await startPrinter();
    await register("drawn");
    await send("drawn", { content: rows.join("\n") });
    const end = await here("drawn", printer.place);
    await until(() => isDelivered("drawn", 1));
    await end();
    await send("drawn", { content: rows.join("\n") });
    await here("drawn", printer.place, quick, { pictures: "characters" });
    await until(() => isDelivered("drawn", 2));
    const [raster, characters] = sheetsOf(printer);
    const picture = raster?.pictures.flat() ?? [];
    expect(picture.length).toBe(8 * 2 * 11);
    expect([picture[100]?.slice(0, 170), picture[100]?.slice(180, 340)]).toEqual(["#".repeat(170), ".".repeat(160)]);
    expect(raster?.lines).toEqual([]);
    expect(characters?.lines[3]?.text).toMatch(/^@{15}\S? {10}/);
  });

  it("draws what the printer has no characters for, and Chinese if asked", async () => {
    const printer = await startPrinter();
    await register("fonts");
    await send("fonts", { content: "茶\n☃ <&> snow" });
    const end = await here("fonts", printer.place);
    await until(() => isDelivered("fonts", 1));
    await end();
    await send("fonts", { content: "茶\ntea" });
    await here("fonts", printer.place, quick, {
      shows: { cut: true, codes: true, time: false, drawChinese: true },
    });
    await until(() => isDelivered("fonts", 2));
    const [first, second] = sheetsOf(printer);
    for (const [sheet, line] of [
      [first, "茶"],
      [second, "tea"],
    ] as const) {
      expect(sheet?.lines.map(({ text }) => text)).toEqual([line]);
      const rows = sheet?.pictures.flat() ?? [];
      expect([rows.length, rows[0]?.length, rows.some((row) => row.includes("#"))]).toEqual([32, 384, true]);
    }
  });

  it("refuses a place that is none, and a width of paper that is none", async () => {
    const { url, token } = prepare();
    const env = { TELEX_URL: url, TELEX_TOKEN: token };
    const wrong = await telexHere(["device", "print", "x", "--to", "kitchen"], { env });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("cups:<name>");
    expect((await telexHere(["device", "print", "x", "--to", "tcp://h", "--width", "60"], { env })).code).toBe(2);
  });
});
