import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPrinter, encodeReceipt, openPort, type PrinterOptions, type PrintWork } from "../src/index.ts";
import { portOf } from "test-support/port";
import { decodeSheet } from "test-support/receipt-decoder";
import { type SimulatedPrinter, startPrinter } from "test-support/simulated-printer";

const never = new AbortController().signal;

const work =
  (content: string): PrintWork =>
  (isAgain) =>
    encodeReceipt({ content, isAgain });

/** Reports of a printer, in their order. Pauses between attempts take no time. */
function printerAt(place: string, { report, ...options }: Partial<PrinterOptions> = {}) {
  const faults: (string | null)[] = [];
  const printer = createPrinter({
    port: openPort(place),
    report(fault) {
      faults.push(fault);
      report?.(fault);
    },
    answerTime: 50,
    ...options,
  });
  return { print: (content: string, stop = never) => printer.print(work(content), stop), faults };
}

/** A pause that takes no time, except those for answers. */
const quick: PrinterOptions["pause"] = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds === 50 ? 50 : 0);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The lines of each copy that is whole. */
const copies = (printer: SimulatedPrinter): readonly (readonly string[])[] =>
  printer.sheets().flatMap((bytes) => {
    try {
      return [decodeSheet(bytes, 32).lines.map(({ text }) => text)];
    } catch {
      return [];
    }
  });

describe("a printer", () => {
  it.each([
    { answersOrdered: true, answersStatus: true },
    { answersOrdered: true, answersStatus: false },
    { answersOrdered: false, answersStatus: true },
    { answersOrdered: false, answersStatus: false },
    { answersOrdered: false, answersStatus: true, reports: true },
  ])("takes texts one after another with %o", async (options) => {
    const simulated = await startPrinter(options);
    const { print, faults } = printerAt(simulated.place);
    await print("one 一");
    await print("two");
    expect([copies(simulated), simulated.connections()]).toEqual([[["one 一"], ["two"]], 2]);
    expect(faults).toEqual([]);
  });

  it("gets no text while its cover is open, and the text once it is closed", async () => {
    const simulated = await startPrinter();
    simulated.set("cover");
    const { print, faults } = printerAt(simulated.place, { pause: quick });
    const printed = print("one");
    await vi.waitUntil(() => faults.length > 0 && simulated.connections() > 2, { timeout: 30_000 });
    expect([faults, simulated.sheets()]).toEqual([["cover open"], []]);
    simulated.set(null);
    await printed;
    expect([copies(simulated), faults]).toEqual([[["one"]], ["cover open", null]]);
  });

  it("says that its paper is out while a text waits in it, which it prints once", async () => {
    const simulated = await startPrinter();
    const { print, faults } = printerAt(simulated.place, {
      report: (fault) => void (fault === "paper out" && simulated.set(null)),
    });
    simulated.endPaperAfter(10);
    await print("one");
    expect([copies(simulated), simulated.connections()]).toEqual([[["one"]], 1]);
    expect(faults.slice(0, 1)).toEqual(["paper out"]);
  });

  it("prints a text after any byte at which the connection was cut, and heads a second copy", async () => {
    const bytes = await encodeReceipt({ content: "one 一" });
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const simulated = await startPrinter();
      simulated.cutAfter(cut);
      const { print } = printerAt(simulated.place, { pause: quick });
      await print("one 一");
      const found = copies(simulated);
      expect(found.filter((lines) => lines.at(-1) === "one 一").length, `cut after ${cut}`).toBeGreaterThan(0);
      expect(found.at(-1), `cut after ${cut}`).toEqual(cut === 0 ? ["one 一"] : ["(again)", "one 一"]);
    }
  });

  it.each(["in the middle", "behind the last byte"])(
    "prints a text again if a printer without ordered answers resets the connection %s",
    async (place) => {
      const { length } = await encodeReceipt({ content: "one" });
      const simulated = await startPrinter({ answersOrdered: false });
      simulated.cutAfter(place === "in the middle" ? Math.floor(length / 2) : length);
      const { print } = printerAt(simulated.place, { pause: quick });
      await print("one");
      expect([simulated.connections(), copies(simulated).at(-1)]).toEqual([2, ["(again)", "one"]]);
    },
  );

  it("waits for a person instead of a second copy, if asked", async () => {
    const simulated = await startPrinter();
    simulated.cutAfter(20);
    const { print, faults } = printerAt(simulated.place, { pause: quick, afterDoubt: "wait" });
    const stop = new AbortController();
    const printed = print("one", stop.signal);
    await vi.waitUntil(() => faults.at(-1)?.startsWith("may be printed already"), { timeout: 30_000 });
    expect(simulated.connections()).toBe(1);
    stop.abort(new Error("stopped"));
    await expect(printed).rejects.toThrow("stopped");
  });

  it("prints what waited for a day while it was off", async () => {
    const simulated = await startPrinter();
    const on = openPort(simulated.place);
    let seconds = 0;
    const faults: (string | null)[] = [];
    const printer = createPrinter({
      port: {
        open: async () => {
          if (seconds < 86_400) throw new Error("the printer cannot be reached");
          return await on.open();
        },
      },
      report: (fault) => void faults.push(fault),
      async pause(milliseconds, signal) {
        if (seconds >= 86_400) return await quick(milliseconds, signal);
        seconds += milliseconds / 1000;
      },
    });
    await printer.print(work("one"), never);
    expect(seconds).toBeLessThan(86_400 + 60);
    expect([copies(simulated), faults]).toEqual([[["one"]], ["the printer cannot be reached", null]]);
  });

  it("stops while it waits for a printer, and while it prints", async () => {
    const simulated = await startPrinter();
    simulated.set("paper");
    const stop = new AbortController();
    const { print, faults } = printerAt(simulated.place);
    const printed = print("one", stop.signal);
    await vi.waitUntil(() => faults.length > 0, { timeout: 30_000 });
    stop.abort(new Error("stopped"));
    await expect(printed).rejects.toThrow("stopped");
  });
});

describe("a place", () => {
  it("of CUPS takes a text when lp does, and says why it does not", async () => {
    const folder = await mkdtemp(join(tmpdir(), "telex-lp-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const lp = join(folder, "lp");
    const output = join(folder, "printed");
    await writeFile(
      lp,
      `#!/bin/sh\ncat > ${output}\necho "$@" > ${folder}/args\n[ -e ${folder}/on ] || { echo no such printer >&2; exit 1; }\n`,
    );
    await chmod(lp, 0o755);
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { print } = printerAt("cups:Kitchen-1", {
      pause: quick,
      report: (fault) => void (fault === "no such printer" && writeFile(join(folder, "on"), "")),
    });
    await print("one");
    expect(await readFile(join(folder, "args"), "utf8")).toBe("-d Kitchen-1 -o raw -s\n");
    expect(decodeSheet(await readFile(output), 32).lines.at(-1)?.text).toBe("one");
  });

  it("in the network has not taken a text if it closes the connection first", async () => {
    const server = createServer((socket) => void socket.end().resume()).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const link = await openPort(`tcp://127.0.0.1:${portOf(server)}`).open();
    link.onByte(() => undefined);
    const reason = await link.ended;
    expect(reason).toBe("the printer closed the connection");
    await expect(link.finish()).rejects.toThrow(reason);
  });

  it("that is a device file gets the bytes, and a last command that Linux takes only behind them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "telex-lp-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "lp0");
    const { print, faults } = printerAt(path, {
      pause: quick,
      report: (fault) => void (fault !== null && writeFile(path, "")),
    });
    await print("one");
    const bytes = await readFile(path);
    expect(bytes.includes(Buffer.from("one\n"))).toBe(true);
    expect(bytes.subarray(-3)).toEqual(Buffer.of(0x1d, 0x61, 0));
    expect(faults[0]).toBe(`${path} cannot be opened`);
  });

  it("is refused if it is none", () => {
    for (const place of [
      "",
      "kitchen",
      "tcp://",
      "tcp://host/path",
      "tcp://a@host",
      "cups:",
      "cups:-o",
      "http://host",
    ]) {
      expect(() => openPort(place)).toThrow(TypeError);
    }
    expect(() => openPort("tcp://[::1]:9100")).not.toThrow();
  });
});
