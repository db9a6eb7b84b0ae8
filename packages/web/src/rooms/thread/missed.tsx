import { useEffect, useRef, useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useApp, useTexts } from "../../app/context.ts";
import { failureText } from "../../ui/actions/use-action.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import type { RoomView } from "../content/api.ts";
import { useMissedTexts } from "../content/missed-texts.ts";
import { Segments } from "./segments.tsx";

interface MissedProps {
  readonly view: RoomView;
  /** Only messages with a higher ID are summarised. */
  readonly since: string;
}

type Accounts = ReturnType<typeof useAccount>["accounts"];
type Summary = Awaited<ReturnType<Accounts["messages"]["missed"]>>;

/** Requests a summary. Closing the dialog stops the model. */
function useSummary({ view: { groupId }, since }: MissedProps) {
  const { messages } = useAccount().accounts;
  const texts = useTexts();
  const [summary, setSummary] = useState<Summary | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const fail = (cause: unknown): void => void (signal.aborted || setError(failureText(cause, texts)));
    messages.missed({ groupId, since }, { signal }).then(setSummary, fail);
    return () => leaving.abort();
  }, []);
  return { summary, error };
}

/** Closes the dialog when a link in it opens another message. */
function useClosingLinks(onClose: () => void): void {
  const { messageId } = useApp().router.route.value;
  const opened = useRef(messageId);
  useEffect(() => {
    if (messageId !== opened.current) onClose();
  }, [messageId]);
}

function Shown({
  view,
  summary: { text, model, messages, cut },
}: Pick<MissedProps, "view"> & { readonly summary: Summary }) {
  const texts = useMissedTexts();
  if (messages === 0) return <p>{texts.nothing}</p>;
  return (
    <>
      <Segments segments={[{ kind: "text", text }]} view={view} sender={model.nickname} />
      <p class="hint">{texts.read(model.nickname, messages, cut)}</p>
    </>
  );
}

/** A summary of the messages that the person has missed. */
function MissedDialog({ onClose, ...missed }: MissedProps & { readonly onClose: () => void }) {
  const texts = useMissedTexts();
  const { summary, error } = useSummary(missed);
  useClosingLinks(onClose);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <div role="status">
        {summary === null && error === null && <p class="quiet">{texts.reading}</p>}
        {summary !== null && <Shown view={missed.view} summary={summary} />}
      </div>
      <ErrorText text={error} />
    </Dialog>
  );
}

/** True if a model is a member of the room. */
function useHasModel(groupId: number): boolean {
  const { groups } = useAccount().accounts;
  const [hasModel, setHasModel] = useState(false);
  useEffect(() => {
    // Servers without accounts answer 404.
    const load = async (): Promise<boolean> =>
      (await groups.devices({ groupId })).list.some(({ kind }) => kind === "model");
    load().then(setHasModel, () => {});
  }, [groupId]);
  return hasModel;
}

/** Asks a model in the room for a summary, if there is one. */
export function AskMissed(missed: MissedProps) {
  const texts = useMissedTexts();
  const hasModel = useHasModel(missed.view.groupId);
  const [isOpen, setIsOpen] = useState(false);
  if (!hasModel) return null;
  return (
    <>
      <LinkButton onClick={() => setIsOpen(true)}>{texts.ask}</LinkButton>
      {isOpen && <MissedDialog {...missed} onClose={() => setIsOpen(false)} />}
    </>
  );
}
