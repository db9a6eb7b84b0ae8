import { writeCsv } from "@telex/auth-server/client";
import { useState } from "preact/hooks";
import { useAction } from "../../ui/actions/use-action.ts";
import { FileButton } from "../../ui/files/file-button.tsx";
import { saveBlob } from "../../ui/files/save-blob.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { useAccounts } from "../parts/context.ts";
import { importLines, isGood, type Line, tryLines } from "./lines.ts";
import { useImportTexts } from "./texts.ts";
import "./people.css";

/** The maximum size of a file in bytes. */
const mostBytes = 1_000_000;

function LineTable({ lines }: { readonly lines: readonly Line[] }) {
  const texts = useImportTexts();
  return (
    // Focusable, so that the keyboard can scroll it.
    <div class="lines" role="region" aria-label={texts.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{texts.line}</th>
            <th>{texts.username}</th>
            <th>{texts.state}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.line} class={isGood(line) ? "" : "bad"}>
              <td>{line.line}</td>
              <td dir="auto">{line.username}</td>
              <td>{texts.outcomes[line.outcome]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Choosing({ busy, onText }: { readonly busy: boolean; readonly onText: (text: string) => void }) {
  const texts = useImportTexts();
  const [text, setText] = useState("");
  const [trouble, setTrouble] = useState<string | null>(null);
  const take = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return;
    if (file.size > mostBytes) return setTrouble(texts.tooBig);
    onText(await file.text());
  };
  return (
    <>
      <p>{texts.lead}</p>
      <FileButton
        look=""
        name={texts.choose}
        accept=".csv,text/csv,text/plain"
        busy={busy}
        onFiles={(files) => void take(files)}
      />
      <label class="field">
        {texts.paste}
        <textarea
          rows={5}
          maxLength={mostBytes}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <ErrorText text={trouble} />
      <div class="actions">
        <Button class="primary" disabled={busy || text.trim() === ""} onClick={() => onText(text)}>
          {texts.check}
        </Button>
      </div>
    </>
  );
}

const countOf = (lines: readonly Line[], outcome: Line["outcome"]): number =>
  lines.filter((line) => line.outcome === outcome).length;

interface LookingProps {
  readonly lines: readonly Line[];
  readonly busy: boolean;
  readonly onImport: () => void;
  readonly onOther: () => void;
}

/** Lines with problems first. */
const byNeed = (lines: readonly Line[]): readonly Line[] =>
  lines.toSorted((a, b) => Number(isGood(a)) - Number(isGood(b)) || a.line - b.line);

function Looking({ lines, busy, onImport, onOther }: LookingProps) {
  const texts = useImportTexts();
  const count = lines.filter(isGood).length - countOf(lines, "known");
  const refused = lines.length - lines.filter(isGood).length;
  if (lines.length === 0) return <p>{texts.empty}</p>;
  return (
    <>
      <p>{texts.summary(countOf(lines, "new"), countOf(lines, "waiting"), countOf(lines, "known"))}</p>
      <ErrorText text={refused === 0 ? null : texts.refused(refused)} />
      <LineTable lines={byNeed(lines)} />
      <div class="actions">
        <Button class="primary" disabled={busy || count === 0} onClick={onImport}>
          {refused === 0 ? texts.importAll(count) : texts.importGood(count)}
        </Button>
        <Button disabled={busy} onClick={onOther}>
          {texts.other}
        </Button>
      </div>
    </>
  );
}

function Links({ lines }: { readonly lines: readonly Line[] }) {
  const texts = useImportTexts();
  const made = lines.filter(({ url }) => url !== null);
  const save = (): void => {
    const rows = made.map(({ username, nickname, url }) => [username, nickname ?? "", url]);
    saveBlob(new Blob([writeCsv([["username", "nickname", "link"], ...rows])], { type: "text/csv" }), "links.csv");
  };
  return (
    <>
      <p>{texts.done(countOf(lines, "new"))}</p>
      {made.length > 0 && (
        <>
          <p class="hint">{texts.linksLead}</p>
          <textarea
            class="links"
            readOnly
            rows={8}
            aria-label={texts.links}
            value={made.map(({ username, url }) => `${username} ${url}`).join("\n")}
          />
          <div class="actions">
            <Button class="primary" onClick={save}>
              {texts.save}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

/** Creates accounts for the people in a table: choose it, check it, import it, and save the links. */
export function ImportDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const accounts = useAccounts();
  const texts = useImportTexts();
  const { busy, text, run } = useAction();
  const [lines, setLines] = useState<readonly Line[] | null>(null);
  const [isDone, setDone] = useState(false);
  const look = (table: string) =>
    run(async () => {
      setLines(await tryLines(accounts, table));
      return null;
    });
  const start = () =>
    run(async () => {
      setLines(await importLines(accounts, lines ?? []));
      setDone(true);
      onDone();
      return null;
    });
  return (
    <Dialog title={texts.title} look="wide" isHeld={busy} isKept={isDone} onClose={onClose}>
      <div class="import">
        {lines === null && <Choosing busy={busy} onText={look} />}
        {lines !== null && !isDone && (
          <Looking lines={lines} busy={busy} onImport={start} onOther={() => setLines(null)} />
        )}
        {lines !== null && isDone && <Links lines={lines} />}
        <ErrorText text={text} />
      </div>
    </Dialog>
  );
}
