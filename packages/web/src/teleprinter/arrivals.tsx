import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { useAccount, useTexts } from "../context.ts";

/** Milliseconds over which arrivals are told together. */
const burst = 1500;
/** Characters of a text that is read out. */
const readOut = 200;

/** Announces new texts to screen readers: a single text by its words, several by their number. */
export function Arrivals() {
  const { teleprinter } = useAccount();
  const texts = useTexts();
  const said = useSignal("");
  const waiting = useRef<string[]>([]);
  const message = teleprinter.arrived.value;
  useEffect(() => {
    if (message === null) return undefined;
    const name = teleprinter.devices.find(message.deviceId)?.name ?? message.deviceId;
    waiting.current.push(texts.arrivedText(name, message.content.slice(0, readOut)));
    const timer = setTimeout(() => {
      const [only, ...others] = waiting.current.splice(0);
      said.value = others.length === 0 ? (only ?? "") : texts.arrived(others.length + 1);
    }, burst);
    return () => clearTimeout(timer);
  }, [message, teleprinter, texts, said]);
  return (
    <div class="unseen" aria-live="polite">
      {said.value}
    </div>
  );
}
