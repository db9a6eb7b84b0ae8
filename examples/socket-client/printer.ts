import { type Follower, followChannel } from "@telex/ws/client";

/** A device, and what it does with a text. */
export interface Printer {
  readonly url: string;
  readonly token: string;
  readonly deviceId: string;
  readonly signal: AbortSignal;
  /** Resolves when the text is on paper. Only then is it acknowledged. */
  readonly print: (text: string) => Promise<void>;
}

/** Prints each text for a device once, in order, and tells its owner. */
export function runPrinter({ url, token, deviceId, signal, print }: Printer): Follower<"teleprinter"> {
  const printer = followChannel({
    url,
    token,
    channel: "teleprinter",
    query: { deviceId },
    signal,
    async onEvent({ type, data }) {
      if (type !== "TeleprinterMessage") return;
      await print(data.content);
      // The same text has the same nonce: it is stored once, however often it is sent.
      await printer.callUntilDone("sync", { content: `printed ${data.id}`, nonce: `printed-${data.id}` });
    },
  });
  return printer;
}
