import type { DeviceMessageView } from "@telex/core";
import { useId } from "preact/hooks";
import { useFormat } from "../../app/context.ts";
import { useOnce } from "../../ui/actions/use-once.ts";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { useProblemText, useReport } from "../../ui/forms/use-report.ts";
import { useTeleprinter } from "../state/context.ts";
import { useSendingTexts } from "./texts.ts";

/** A scheduled text, with its time and a button to cancel it. */
function LaterLine({ text }: { readonly text: DeviceMessageView }) {
  const { scheduled } = useTeleprinter();
  const format = useFormat();
  const texts = useSendingTexts();
  const report = useReport(useProblemText());
  const { once } = useOnce();
  const takeBack = (): void => void once(() => report(scheduled.takeBack(text), texts.takenBack));
  return (
    <li class="line to waits">
      <div class="body">
        {text.title !== undefined && (
          <p class="subject">
            <b dir="auto">{text.title}</b>
          </p>
        )}
        <p class="print" dir="auto">
          {text.content}
        </p>
        <span class="state">
          {texts.sentAt(format.date(Date.parse(text.dueAt ?? text.createdAt)))}{" "}
          <LinkButton onClick={takeBack}>{texts.takeBack}</LinkButton>
        </span>
      </div>
    </li>
  );
}

/** The scheduled texts of a device, below its roll. */
export function Later({ list }: { readonly list: readonly DeviceMessageView[] }) {
  const texts = useSendingTexts();
  const id = useId();
  return (
    <section class="sheet paper later" aria-labelledby={id}>
      <h3 id={id}>{texts.later}</h3>
      <ol role="list">
        {list.map((text) => (
          <LaterLine key={text.id} text={text} />
        ))}
      </ol>
    </section>
  );
}
