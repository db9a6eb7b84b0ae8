import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { createLazy } from "../ui/panes/lazy.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { ReadingArea, ToEnd } from "../ui/lists/reading-area.tsx";
import { FreshRoll } from "./empty.tsx";
import { layOut } from "./layout.ts";
import type { Outgoing } from "../outbox/outgoing-list.ts";
import { OutgoingLines } from "./outgoing.tsx";
import type { Roll } from "./state/roll.ts";
import { Sheet } from "./sheet.tsx";
import { useTeleprinter } from "./state/context.ts";
import type { Unrolled } from "./state/unrolled.ts";
import { type Reading, useReading } from "../ui/lists/use-reading.ts";

const Later = createLazy(async () => (await import("./sending/later.tsx")).Later);

interface PaperProps {
  readonly roll: Roll;
  readonly name: string;
  readonly outgoing: readonly Outgoing[];
}

/** The top of the roll: a button for older texts, or the beginning. */
function Top({ roll }: { readonly roll: Roll }) {
  const texts = useTexts();
  const failed = roll.problem.value !== null;
  const { isComplete = false, texts: printed = [] } = roll.unrolled.value ?? {};
  if (isComplete && printed.length === 0) return null;
  if (isComplete) return <p class="quiet top">{texts.rollBegins}</p>;
  if (roll.loading.value) return <p class="quiet top">{texts.loadingOlder}</p>;
  return (
    <p class="quiet top">
      {failed && `${texts.textsFailed} `}
      <LinkButton onClick={() => void roll.load()}>{failed ? texts.tryAgain : texts.olderTexts}</LinkButton>
    </p>
  );
}

/** The number of texts from the device that arrived while the end of the roll was out of sight. */
function useMissed(roll: Roll, atEnd: boolean): number {
  const seen = useRef(0);
  const texts = roll.unrolled.value?.texts ?? [];
  if (atEnd) seen.current = texts.at(-1)?.id ?? 0;
  const missed = texts.slice(texts.findLastIndex(({ id }) => id <= seen.current) + 1);
  return missed.filter(({ direction }) => direction === "from_device").length;
}

function Sheets({ unrolled }: { readonly unrolled: Unrolled }) {
  const sheets = useMemo(() => layOut(unrolled.texts, unrolled.before), [unrolled]);
  const drawn = sheets.map((sheet) => <Sheet key={sheet.day} sheet={sheet} />);
  return <>{drawn}</>;
}

/** The scheduled texts of a device. */
function SentLater({ deviceId }: { readonly deviceId: string }) {
  const { scheduled } = useTeleprinter();
  const list = scheduled.list.value.filter((text) => text.deviceId === deviceId);
  return list.length === 0 ? null : <Later list={list} />;
}

/** The roll, with the texts that are being sent. */
function Contents({ roll, name, outgoing }: PaperProps) {
  const texts = useTexts();
  const unrolled = roll.unrolled.value;
  const isLoading = unrolled === null && roll.loading.value;
  return (
    <div class="roll">
      {isLoading ? <p class="quiet top">{texts.textsLoading}</p> : <Top roll={roll} />}
      {unrolled?.texts.length === 0 && outgoing.length === 0 && <FreshRoll name={name} deviceId={roll.deviceId} />}
      {unrolled !== null && <Sheets unrolled={unrolled} />}
      {outgoing.length > 0 && <OutgoingLines texts={outgoing} />}
      <SentLater deviceId={roll.deviceId} />
    </div>
  );
}

/** Loads older texts when the view approaches the beginning of the roll. */
function useRollReading(roll: Roll): Reading {
  const older = useCallback(() => {
    if (roll.unrolled.value?.isComplete === false && roll.problem.value === null) void roll.load();
  }, [roll]);
  return useReading(roll.unrolled.value, { older, isLoading: roll.loading.value });
}

/** The paper of a device: texts to it and from it, as they arrive. */
export function Paper({ roll, name, outgoing }: PaperProps) {
  const texts = useTexts();
  const reading = useRollReading(roll);
  const missed = useMissed(roll, reading.atEnd.value);
  const { toEnd } = reading;
  useEffect(toEnd, [outgoing.length > 0 && outgoing.at(-1)?.nonce]);
  return (
    <div class="desk">
      <ReadingArea class="view" label={texts.conversation(name)} reading={reading}>
        <Contents roll={roll} name={name} outgoing={outgoing} />
      </ReadingArea>
      {missed > 0 && <ToEnd onClick={toEnd}>{texts.newBelow(missed)}</ToEnd>}
    </div>
  );
}
