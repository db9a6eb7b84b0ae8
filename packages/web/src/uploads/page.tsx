import type { OwnFileView } from "@telex/core";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { typingPause } from "../base/typing-pause.ts";
import type { Problem } from "../server/problem.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { FileButton } from "../ui/files/file-button.tsx";
import { isTouch, takesUploads, usePasted } from "../ui/files/given-files.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Filter } from "../ui/lists/filter.tsx";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Sectioned } from "../ui/panes/sections.tsx";
import { Tape } from "../ui/panes/tape.tsx";
import { UploadList } from "../ui/files/upload-list.tsx";
import { createUploads, type Uploads } from "../ui/files/uploads.ts";
import { FileRow, type Question } from "./file-row.tsx";
import { KindsNav } from "./kinds-nav.tsx";
import { createOwnFiles, type OwnFiles } from "./own-files.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { formatSize } from "./size.ts";
import { useFileTexts } from "./texts.ts";
import { UsesDialog } from "./uses-dialog.tsx";
import "./uploads.css";

/** The files of the person, and the uploads. */
function useFiles(): { readonly own: OwnFiles; readonly uploads: Uploads } {
  const { server, upload } = useAccount();
  const matching = useMemo(() => {
    const own = createOwnFiles(server.bucket);
    return { own, uploads: createUploads(upload, () => void own.load()) };
  }, [server, upload]);
  useEffect(() => {
    void matching.own.load();
    return matching.uploads.clear;
  }, [matching]);
  return matching;
}

function Search({ own }: { readonly own: OwnFiles }) {
  const texts = useFileTexts();
  const { query } = own.wanted.value;
  const [typed, setTyped] = useState(query);
  useEffect(() => setTyped(query), [query]);
  useEffect(() => {
    if (typed === own.wanted.peek().query) return undefined;
    const timer = setTimeout(() => void own.find({ query: typed }), typingPause);
    return () => clearTimeout(timer);
  }, [own, typed]);
  return <Filter label={texts.search} value={typed} onValue={setTyped} />;
}

interface Asked {
  readonly question: Question;
  readonly file: OwnFileView;
}

interface AnswerProps extends Asked {
  readonly own: OwnFiles;
  readonly onClose: () => void;
}

function Answer({ question, ...about }: AnswerProps) {
  if (question === "uses") return <UsesDialog {...about} />;
  return question === "share" ? <ShareDialog {...about} /> : <RemoveDialog {...about} />;
}

function List({ own, files }: { readonly own: OwnFiles; readonly files: readonly OwnFileView[] }) {
  const texts = useFileTexts();
  const focus = useKeptFocus();
  const [request, setRequest] = useState<Asked | null>(null);
  const ends = new Map<string, number>();
  for (const { file_id, expireTime } of own.links.value)
    ends.set(file_id, Math.max(ends.get(file_id) ?? 0, expireTime));
  return (
    <section>
      <h2 class="unseen">{texts.own}</h2>
      <ul class="filed" aria-label={texts.own} {...focus}>
        {files.map((file) => (
          <FileRow
            key={file.file_id}
            file={file}
            linkedUntil={ends.get(file.file_id) ?? null}
            onAsk={(question, about) => setRequest({ question, file: about })}
          />
        ))}
      </ul>
      {request && <Answer {...request} own={own} onClose={() => setRequest(null)} />}
    </section>
  );
}

function NotLoaded({ problem, onAgain }: { readonly problem: Problem; readonly onAgain: () => void }) {
  const texts = useTexts();
  return (
    <>
      <ErrorText text={texts.problem[problem]} />
      <LinkButton onClick={onAgain}>{texts.tryAgain}</LinkButton>
    </>
  );
}

/** Shown if there is no file, or none that matches. */
function NoFiles({ own, uploads }: FilesProps) {
  const texts = useFileTexts();
  const { query, kind } = own.wanted.value;
  const isAll = query.trim() === "" && kind === "all";
  return (
    <div class="none">
      <Tape>{"  FILES  "}</Tape>
      <p class="quiet">{isAll ? texts.none : texts.noMatch}</p>
      {isAll ? (
        <FileButton shape="plus" look="primary" name={texts.upload} multiple onFiles={uploads.add} />
      ) : (
        <LinkButton onClick={() => void own.find({ query: "", kind: "all" })}>{texts.showAll}</LinkButton>
      )}
    </div>
  );
}

interface FilesProps {
  readonly own: OwnFiles;
  readonly uploads: Uploads;
}

function Contents({ own, uploads }: FilesProps) {
  const texts = useFileTexts();
  const files = own.files.value;
  const problem = own.problem.value;
  if (problem !== null) return <NotLoaded problem={problem} onAgain={() => void own.load()} />;
  if (files === null) return <p class="quiet">{texts.loading}</p>;
  return (
    <>
      <List own={own} files={files} />
      {files.length === 0 && <NoFiles own={own} uploads={uploads} />}
      {own.more.value && <LinkButton onClick={() => void own.loadMore()}>{texts.more}</LinkButton>}
    </>
  );
}

function Head({ own, uploads }: FilesProps) {
  const texts = useFileTexts();
  return (
    <header>
      <Search own={own} />
      <FileButton shape="plus" look="primary" name={texts.upload} multiple onFiles={uploads.add} />
      <p class="hint">{isTouch() ? texts.pick : texts.drop}</p>
    </header>
  );
}

/** The size of all files. The server limits uploads per day, not the total, so there is no bar. */
function Stored({ own }: { readonly own: OwnFiles }) {
  const texts = useFileTexts();
  const { spoken } = useApp().preferences;
  const counted = own.counted.value;
  if (counted === null || counted.count === 0) return <p class="stored" />;
  return <p class="stored">{texts.stored(counted.count, formatSize(counted.size, spoken.value), counted.isWhole)}</p>;
}

/** The person's files: names, kinds, uses, links, and uploads. */
export function FilesPage() {
  const shared = useTexts();
  const texts = useFileTexts();
  const { own, uploads } = useFiles();
  const { onDragOver, onDrop, onPaste } = takesUploads(uploads);
  usePasted({ onPaste });
  return (
    <Sectioned
      look="files"
      title={shared.files}
      nav={<KindsNav own={own} />}
      foot={<Stored own={own} />}
      onDragOver={onDragOver}
      onDrop={onDrop}
    >
      <Head own={own} uploads={uploads} />
      <UploadList uploads={uploads} label={texts.uploads} />
      <Contents own={own} uploads={uploads} />
    </Sectioned>
  );
}
