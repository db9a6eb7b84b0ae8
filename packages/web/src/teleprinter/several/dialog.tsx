import type { DeviceView } from "@telex/core";
import type { TargetedInputEvent } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useTexts } from "../../app/context.ts";
import { countCharacters, longestText } from "../../base/count.ts";
import { Button } from "../../ui/forms/button.tsx";
import { submits } from "../../ui/forms/form.ts";
import { Labelled } from "../../ui/forms/labelled.tsx";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { deliveryOf, usual } from "../sending/delivery.ts";
import { Options } from "../sending/options.tsx";
import { useSendingTexts } from "../sending/texts.ts";
import { useTeleprinter } from "../state/context.ts";
import { labelled } from "../state/names.ts";
import { type Copies, type Copy, createCopies } from "./copies.ts";
import { useSeveralTexts } from "./texts.ts";
import "./several.css";

interface SeveralDialogProps {
  readonly tag: string;
  /** The devices with the tag. */
  readonly devices: readonly DeviceView[];
  readonly onClose: () => void;
}

/** The copies of a text, updated by acknowledgements of devices. */
function useCopies(): Copies {
  const { teleprinter } = useAccount().server;
  const { acknowledged } = useTeleprinter();
  const copies = useMemo(() => createCopies(teleprinter.send), [teleprinter]);
  useEffect(
    () => acknowledged.subscribe((news) => void (news && copies.delivered(news.deviceId, news.ids))),
    [acknowledged, copies],
  );
  return copies;
}

/** The state of a copy, in words. */
function useStateWords(): (copy: Copy) => string {
  const shared = useTexts();
  const texts = useSeveralTexts();
  const sending = useSendingTexts();
  return ({ state, problem }) => {
    if (problem !== null) return shared.problem[problem];
    if (state === "sending") return texts.sending;
    if (state === "scheduled") return sending.later;
    return state === "delivered" ? shared.delivered : shared.waitsForDevice;
  };
}

interface OutcomeProps {
  readonly copies: Copies;
  readonly devices: readonly DeviceView[];
}

/** The state of each copy. */
function Outcome({ copies, devices }: OutcomeProps) {
  const shared = useTexts();
  const texts = useSeveralTexts();
  const wordsOf = useStateWords();
  const list = copies.list.value;
  const labels = new Map(labelled(devices).map(({ device, label }) => [device.deviceId, label]));
  const delivered = list.filter(({ state }) => state === "delivered").length;
  return (
    <>
      <p role="status">{texts.delivered(delivered, list.length)}</p>
      <ul class="copies" aria-label={texts.outcome}>
        {list.map((copy) => (
          <li key={copy.nonce}>
            <b dir="auto">{labels.get(copy.deviceId) ?? copy.deviceId}</b>
            <span class={copy.problem === null ? "hint" : "error"}>{wordsOf(copy)}</span>
          </li>
        ))}
      </ul>
      <div class="actions">
        {list.some(({ problem }) => problem !== null) && (
          <LinkButton onClick={copies.retry}>{shared.sendAgain}</LinkButton>
        )}
        <Button onClick={copies.clear}>{texts.another}</Button>
      </div>
    </>
  );
}

function TextForm({ copies, devices }: OutcomeProps) {
  const texts = useSeveralTexts();
  const [content, setContent] = useState("");
  const [chosen, setChosen] = useState(usual);
  const used = countCharacters(content);
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLTextAreaElement>): void => setContent(currentTarget.value);
  const send = (): void =>
    copies.send(
      devices.map(({ deviceId }) => deviceId),
      content,
      deliveryOf(chosen),
    );
  return (
    <form class="several" onSubmit={submits(send)}>
      <p>{texts.lead(devices.length)}</p>
      <Labelled label={texts.text}>
        {(id) => <textarea id={id} rows={3} dir="auto" value={content} onInput={onInput} autofocus />}
      </Labelled>
      <Options id="several" chosen={chosen} onChoose={setChosen} />
      <div class="actions">
        <SubmitButton label={texts.send(devices.length)} isReady={used > 0 && used <= longestText} />
      </div>
    </form>
  );
}

/** Sends a text to all devices with a tag, and shows the state of each copy. */
export function SeveralDialog({ tag, devices, onClose }: SeveralDialogProps) {
  const texts = useSeveralTexts();
  const copies = useCopies();
  const Shown = copies.list.value.length === 0 ? TextForm : Outcome;
  return (
    <Dialog title={texts.title(tag)} onClose={onClose}>
      <Shown copies={copies} devices={devices} />
    </Dialog>
  );
}
