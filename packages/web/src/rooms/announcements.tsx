import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { readContent, summarise } from "./content.ts";
import { useRooms } from "./context.ts";
import { useRoomTexts } from "./texts.ts";

/** Milliseconds over which arrivals are told together. */
const burst = 1500;
/** Characters of a message that are read out. */
const readOut = 200;

/** Announces new messages to screen readers: a single one by its words, several by their number. */
export function Announcements() {
  const { arrived } = useRooms();
  const texts = useRoomTexts();
  const said = useSignal("");
  const waiting = useRef<string[]>([]);
  const message = arrived.value;
  useEffect(() => {
    if (message === null) return undefined;
    const words = summarise(readContent(message.content), texts.summary).slice(0, readOut);
    waiting.current.push(texts.arrivedIn(message.groupName, message.nickname, words));
    const timer = setTimeout(() => {
      const [only, ...others] = waiting.current.splice(0);
      said.value = others.length === 0 ? (only ?? "") : texts.arrived(others.length + 1);
    }, burst);
    return () => clearTimeout(timer);
  }, [message, texts, said]);
  return (
    <div class="unseen" aria-live="polite">
      {said.value}
    </div>
  );
}
