import { parentPort } from "node:worker_threads";
import { TelexError } from "@telex/ground/errors";
import { renderText } from "./sharp.ts";
import type { TextRefusal, TextRequest } from "./engine/text-worker.ts";

/** The thread that turns large pictures into text: one request, one answer. */
async function answer({ bytes, options, limits }: TextRequest): Promise<string | TextRefusal> {
  try {
    return await renderText(bytes, options, limits);
  } catch (error) {
    // Anything else is a fault: it ends the thread, and the owner reports it.
    if (!TelexError.is(error) || error.code !== "unreadable_image") throw error;
    return { reason: error.reason, params: error.params };
  } finally {
    // Frees the memory immediately: the collector of an idle thread would wait.
    bytes.buffer.transfer(0);
  }
}

parentPort?.on("message", (request: TextRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});
