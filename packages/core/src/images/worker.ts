import { parentPort } from "node:worker_threads";
import { TelexError } from "../errors.ts";
import { renderText } from "../sharp.ts";
import type { TextRefusal, TextRequest } from "./text-worker.ts";

/** The thread that turns large pictures into text: one request, one answer, a string or a refusal. */
async function answer({ bytes, options, limits }: TextRequest): Promise<string | TextRefusal> {
  try {
    return await renderText(bytes, options, limits);
  } catch (error) {
    // Other errors are faults: they end the thread, and its owner reports them.
    if (!TelexError.is(error)) throw error;
    return { code: error.code, reason: error.reason };
  }
}

parentPort?.on("message", (request: TextRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});
