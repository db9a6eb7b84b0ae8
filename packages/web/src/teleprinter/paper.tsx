import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { useAccount, useTexts } from "../context.ts";
import { Icon } from "../ui/icon.tsx";
import { FreshRoll } from "./empty.tsx";
import { layOut } from "./layout.ts";
import type { Outgoing } from "./outbox.ts";
import { OutgoingLines } from "./outgoing.tsx";
import type { Roll } from "./roll.ts";
import { Sheet } from "./sheet.tsx";
import { useReading } from "./use-reading.ts";

/** What the paper shows. */
export interface PaperProps {
  readonly roll: Roll;
  readonly name: string;
  readonly outgoing: readonly Outgoing[];
}

/** What stands above the oldest text: how to get at older ones, or that there are none. */
function Top({ roll }: { readonly roll: Roll }) {
  const texts = useTexts();
  const failed = roll.problem.value !== null;
  if (roll.whole.value && roll.texts.value?.length === 0) return null;
  if (roll.whole.value) return <p class="quiet top">{texts.rollBegins}</p>;
  if (roll.loading.value) return <p class="quiet top">{texts.loadingOlder}</p>;
  return (
    <p class="quiet top">
      {failed && `${texts.textsFailed} `}
      <button type="button" class="link" onClick={() => void roll.load()}>
        {failed ? texts.tryAgain : texts.olderTexts}
      </button>
    </p>
  );
}

/** The number of texts from the device that were printed since the end of the roll was out of sight. */
function useMissed(roll: Roll, atEnd: boolean): number {
  const seen = useRef(0);
  const texts = roll.texts.value ?? [];
  if (atEnd) seen.current = texts.at(-1)?.id ?? 0;
  return atEnd ? 0 : texts.filter(({ id, direction }) => id > seen.current && direction === "from_device").length;
}

function Sheets({ roll }: { readonly roll: Roll }) {
  const texts = roll.texts.value ?? [];
  const before = roll.before.value;
  const sheets = useMemo(() => layOut(texts, before), [texts, before]);
  return (
    <>
      {sheets.map((sheet) => (
        <Sheet key={sheet.day} sheet={sheet} />
      ))}
    </>
  );
}

/** The paper of a device: what went there and what came from there, both while it happens. */
export function Paper({ roll, name, outgoing }: PaperProps) {
  const { drafts, outbox } = useAccount().teleprinter;
  const texts = useTexts();
  const printed = roll.texts.value;
  const more = useCallback(() => {
    if (!roll.whole.value && roll.problem.value === null) void roll.load();
  }, [roll]);
  const reading = useReading(printed, more);
  const missed = useMissed(roll, reading.atEnd.value);
  const { toEnd } = reading;
  useEffect(toEnd, [outgoing.length > 0 && outgoing.at(-1)?.nonce]);
  const onEdit = ({ nonce, deviceId, content }: Outgoing): void => {
    const draft = drafts.of(deviceId);
    draft.value = draft.value === "" ? content : `${content}\n${draft.value}`;
    outbox.discard(nonce);
  };
  return (
    <div class="desk">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has only a keyboard scrolls it, too */}
      <div class="view" ref={reading.view} onScroll={reading.onScroll} tabIndex={0} role="region" aria-label={texts.conversation(name)}>
        <div class="roll">
          {printed === null && roll.loading.value ? <p class="quiet top">{texts.textsLoading}</p> : <Top roll={roll} />}
          {printed?.length === 0 && outgoing.length === 0 && <FreshRoll name={name} deviceId={roll.deviceId} />}
          <Sheets roll={roll} />
          {outgoing.length > 0 && <OutgoingLines texts={outgoing} onEdit={onEdit} />}
        </div>
      </div>
      {missed > 0 && (
        <button type="button" class="below" onClick={toEnd}>
          <Icon shape="down" />
          {texts.newBelow(missed)}
        </button>
      )}
    </div>
  );
}
