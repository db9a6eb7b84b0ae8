import { setTimeout as sleep } from "node:timers/promises";
import { SocketError } from "@telex/ws/client";
import type { Talk } from "../../terminal/talk.ts";
import { type Program, type ProgramResult, type ProgramText, runProgram } from "./program.ts";
import { type Arrival, type ReceivingDevice, receiveTexts } from "./receive.ts";

/** Characters of one text. */
const textLength = 2000;
/** Maximum texts of one reply: a program must not fill the history. */
const maxReplies = 10;
/** Seconds of the longest pause between two attempts. */
const longestPause = 60;

export interface Run {
  readonly receiving: ReceivingDevice;
  readonly command: string;
  /** Seconds that the program may take for one text. */
  readonly timeout: number;
  /** Failures after which a text is given up. */
  readonly attempts: number;
  /** True if the output of the program is sent as texts of the device. */
  readonly reply: boolean;
  /** Waits between attempts; rejects when the signal aborts. Default: the timers of Node. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const pauseOfNode = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal });

/** Cuts output into texts. A text never ends between the two halves of a character. */
export function textsOf(output: string): string[] {
  const texts: string[] = [];
  for (let rest = output.trimEnd(); rest !== "" && texts.length < maxReplies; rest = rest.slice(texts.at(-1)?.length)) {
    const length = /[\uD800-\uDBFF]/.test(rest.charAt(textLength - 1)) ? textLength - 1 : textLength;
    texts.push(rest.slice(0, length));
  }
  return texts;
}

/** Sends the output of a program. Its nonces keep a second run for the same text from sending the output twice. */
async function sendReply({ text, device }: Arrival, output: string, talk: Talk): Promise<void> {
  for (const [index, content] of textsOf(output).entries()) {
    if (content.trim() === "") continue;
    try {
      await device.callUntilDone("sync", { content, nonce: `reply-${text.id}-${index}` });
    } catch (error) {
      if (!(error instanceof SocketError && error.kind === "refused")) throw error;
      talk.warn(`The reply to text ${text.id} was refused: ${error.message}`);
    }
  }
}

/** Runs the program until it ends with 0, has failed too often, or the text has expired. */
async function attempt(
  { receiving, attempts, pause = pauseOfNode, ...run }: Run,
  text: ProgramText,
  arrival: Arrival,
  stop: AbortSignal,
) {
  const { report, isOver } = arrival;
  const program: Program = { ...run, kept: run.reply ? textLength * maxReplies : 0 };
  for (let failures = 1; ; failures += 1) {
    const result: ProgramResult = await runProgram(program, text);
    report(result.fault);
    if (result.fault === null || failures >= attempts) return result;
    const seconds = Math.min(longestPause, 2 ** (failures - 1));
    receiving.talk.warn(`Text ${text.id}: ${result.fault}. The program runs again in ${seconds} s.`);
    // Rejects if the command is stopped: the text waits for the next run.
    await pause(seconds * 1000, stop);
    if (isOver()) return { ...result, fault: `${result.fault}, and the text has expired` };
  }
}

/** Runs a program for each text of a device, until `stop` aborts, and then waits for the running one. */
export async function runDevice(run: Run, stop: AbortSignal): Promise<void> {
  const { talk } = run.receiving;
  await receiveTexts(
    run.receiving,
    async (arrival) => {
      const { id, content, title = "", priority = 3 } = arrival.text;
      const { fault, output } = await attempt(run, { id, content, title, priority }, arrival, stop);
      if (fault === null) return run.reply ? sendReply(arrival, output, talk) : undefined;
      talk.warn(`Text ${id} is given up: ${fault}.`);
      return "failed";
    },
    stop,
  );
}
