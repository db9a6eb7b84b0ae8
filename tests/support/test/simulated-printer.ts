import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The faults of a simulated printer, as its sensors report them. */
export type PrinterFault = "cover" | "paper" | null;

export interface SimulatedOptions {
  /** False for a printer that does not answer GS r. Default true. */
  readonly answersOrdered?: boolean;
  /** False for a printer that does not answer DLE EOT. Default true. */
  readonly answersStatus?: boolean;
  /** True for a printer that reports its state just before GS a stops that. Default false. */
  readonly reports?: boolean;
}

/** A network printer according to Epson's command reference. It handles its bytes in order, and real-time commands on arrival. */
export interface SimulatedPrinter {
  readonly place: string;
  /** The bytes that the printer has printed from each connection, without questions. */
  readonly sheets: () => readonly Uint8Array[];
  /** Connections so far. */
  readonly connections: () => number;
  /** Changes a sensor. A printer with a fault handles no bytes until the fault is fixed. */
  readonly set: (fault: PrinterFault) => void;
  /** Bytes after which the printer resets the next connection; null: never. */
  readonly cutAfter: (bytes: number | null) => void;
  /** Bytes of a connection after which the paper ends. */
  readonly endPaperAfter: (bytes: number) => void;
}

const [escapeByte, group, statusByte] = [0x1b, 0x1d, 0x10];
const initialize = 0x40;

/** The lengths of the questions that the printer answers, at the beginning of these bytes; 0 if there is none. */
function questionAt(bytes: Uint8Array): "status" | "ordered" | "reports" | "unknown" | null {
  const [first, second] = bytes;
  if (second === undefined && (first === statusByte || first === group)) return "unknown";
  // In a picture, the same byte does not begin a question.
  if (first === statusByte) return second === 4 ? "status" : null;
  if (first !== group) return null;
  return second === 0x72 ? "ordered" : second === 0x61 ? "reports" : null;
}

/** The status byte of the printer. */
function statusOf(question: number, fault: PrinterFault): number {
  const fixed = 0b0001_0010;
  if (question === 2) return fixed | (fault === "cover" ? 0b0000_0100 : fault === "paper" ? 0b0010_0000 : 0);
  return fixed | (fault === "paper" ? 0b0110_0000 : 0);
}

export async function startPrinter(options: SimulatedOptions = {}): Promise<SimulatedPrinter> {
  const { answersOrdered = true, answersStatus = true, reports = false } = options;
  const sheets: number[][] = [];
  const wakes = new Set<() => void>();
  let [fault, cut, connections]: [PrinterFault, number | null, number] = [null, null, 0];
  let paperEnd: number | null = null;
  const serve = (socket: Socket): void => {
    connections += 1;
    const limit = cut;
    cut = null;
    let [waiting, taken]: [Uint8Array, number] = [new Uint8Array(), 0];
    let sheet: number[] | null = null;
    let isReporting = reports;
    const put = (byte: number): void => {
      if (sheet === null) sheets.push((sheet = []));
      sheet.push(byte);
    };
    /** Handles the next bytes. False if the printer waits for more, or for a person. */
    const step = (): boolean => {
      const question = questionAt(waiting);
      if (question === "status") {
        if (waiting.length < 3) return false;
        if (answersStatus) socket.write(Uint8Array.of(statusOf(waiting[2] ?? 0, fault)));
        waiting = waiting.subarray(3);
        return true;
      }
      if (fault !== null || question === "unknown") return false;
      if (question !== null) {
        if (waiting.length < 3) return false;
        if (question === "reports" && isReporting) {
          socket.write(Uint8Array.of(0b0001_0000, 0, 0, 0));
          isReporting = false;
        }
        if (question === "ordered" && answersOrdered) socket.write(Uint8Array.of(0));
        waiting = waiting.subarray(3);
        return true;
      }
      const [byte] = waiting;
      if (byte === undefined) return false;
      put(byte);
      waiting = waiting.subarray(1);
      taken += 1;
      if (taken === paperEnd) [fault, paperEnd] = ["paper", null];
      if (taken === limit) socket.resetAndDestroy();
      return taken !== limit;
    };
    /** Status questions overtake everything else, as real-time commands do. */
    const overtake = (): void => {
      for (let at = 0; at + 2 < waiting.length; at += 1) {
        if (waiting[at] !== statusByte || waiting[at + 1] !== 4) continue;
        if (answersStatus) socket.write(Uint8Array.of(statusOf(waiting[at + 2] ?? 0, fault)));
        waiting = Uint8Array.of(...waiting.subarray(0, at), ...waiting.subarray(at + 3));
        at -= 1;
      }
    };
    const handle = (): void => {
      while (!socket.destroyed && step());
      if (fault !== null) overtake();
      if (waiting.length === 0 && socket.readableEnded) socket.end();
    };
    if (limit === 0) return void socket.resetAndDestroy();
    wakes.add(handle);
    socket.on("error", () => undefined);
    socket.on("close", () => wakes.delete(handle));
    socket.on("end", () => setImmediate(handle));
    socket.on("data", (bytes: Buffer) => {
      waiting = Uint8Array.of(...waiting, ...bytes);
      handle();
    });
  };
  const server = createServer({ allowHalfOpen: true }, serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    place: `tcp://127.0.0.1:${port}`,
    sheets: () => sheets.map((bytes) => Uint8Array.from(bytes)),
    connections: () => connections,
    set(next) {
      fault = next;
      for (const wake of wakes) wake();
    },
    cutAfter: (bytes) => void (cut = bytes),
    endPaperAfter: (bytes) => void (paperEnd = bytes),
  };
}

/** The bytes from the last ESC @: a printer discards an incomplete command when it is initialized. */
export function lastSheet(bytes: Uint8Array): Uint8Array {
  const start = bytes.findLastIndex((byte, at) => byte === escapeByte && bytes[at + 1] === initialize);
  return bytes.subarray(Math.max(0, start));
}
