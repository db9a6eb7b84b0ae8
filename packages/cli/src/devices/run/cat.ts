import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Server } from "../../client/server.ts";
import { callsTo, within } from "../../client/with-client.ts";
import { messageOf } from "../../errors/errors.ts";
import { canPass } from "../../client/refusal.ts";
import { readTyped } from "../../simulate/typed.ts";
import type { Talk } from "../../terminal/talk.ts";

/** Milliseconds between attempts to send one line. */
const retryAfter = 1000;

/** Sends the lines of standard input as texts of a device. A line whose response is lost is sent again, and counts once. */
export async function sendLines(server: Server, deviceId: string, talk: Talk, stop: AbortSignal): Promise<void> {
  const call = callsTo(server);
  const sendLine = async (content: string): Promise<void> => {
    const nonce = randomUUID();
    for (let hasWarned = false; ; hasWarned = true) {
      try {
        return void (await call(({ teleprinter }) => teleprinter.sync({ deviceId, content, nonce }, within())));
      } catch (error) {
        if (stop.aborted || !canPass(error)) throw error;
        if (!hasWarned) talk.warn(`${messageOf(error)} The line is sent again until it arrives.`);
        await pause(retryAfter, undefined, { signal: stop });
      }
    }
  };
  await readTyped(sendLine, stop, talk);
}
