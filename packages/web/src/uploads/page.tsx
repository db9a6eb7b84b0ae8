import type { OwnFileView } from "@telex/core";
import { useEffect, useMemo } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useTexts } from "../app/context.ts";
import type { Problem } from "../server/problem.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { FileButton } from "../ui/files/file-button.tsx";
import { takesUploads, usePasted } from "../ui/files/given-files.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Tape } from "../ui/panes/tape.tsx";
import { UploadList } from "../ui/files/upload-list.tsx";
import { createUploads, type Uploads } from "../ui/files/uploads.ts";
import { FileCard } from "./file-card.tsx";
import { createOwnFiles, type OwnFiles } from "./own-files.ts";
import { useFileTexts } from "./texts.ts";
import "./uploads.css";

/** The files of the person, and those on their way. */
function useFiles(): { readonly own: OwnFiles; readonly uploads: Uploads } {
  const { server, upload } = useAccount();
  const found = useMemo(() => {
    const own = createOwnFiles(server.bucket);
    return { own, uploads: createUploads(upload, () => void own.load()) };
  }, [server, upload]);
  useEffect(() => {
    void found.own.load();
    return found.uploads.clear;
  }, [found]);
  return found;
}

function List({ files }: { readonly files: readonly OwnFileView[] }) {
  const texts = useFileTexts();
  return (
    <ul class="cards" aria-label={texts.own}>
      {files.map((file) => (
        <FileCard key={file.file_id} file={file} />
      ))}
    </ul>
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

function NoFiles() {
  const texts = useFileTexts();
  return (
    <div class="none">
      <Tape>{"  FILES  "}</Tape>
      <p class="quiet">{texts.none}</p>
    </div>
  );
}

function Contents({ own }: { readonly own: OwnFiles }) {
  const texts = useFileTexts();
  const files = own.files.value;
  const problem = own.problem.value;
  if (problem !== null) return <NotLoaded problem={problem} onAgain={() => void own.load()} />;
  if (files === null) return <p class="quiet">{texts.loading}</p>;
  if (files.length === 0) return <NoFiles />;
  return (
    <>
      <List files={files} />
      {own.more.value && <LinkButton onClick={() => void own.loadMore()}>{texts.more}</LinkButton>}
    </>
  );
}

function Head({ uploads }: { readonly uploads: Uploads }) {
  const shared = useTexts();
  const texts = useFileTexts();
  return (
    <header>
      <h1>{shared.files}</h1>
      <FileButton shape="clip" name={texts.upload} multiple onFiles={uploads.add} />
      <p class="hint">{texts.drop}</p>
    </header>
  );
}

/** The person's uploads: thumbnails, links, and a place for more. */
export function FilesPage() {
  const texts = useFileTexts();
  const { own, uploads } = useFiles();
  const { onDragOver, onDrop, onPaste } = takesUploads(uploads);
  usePasted({ onPaste });
  return (
    <main id="content" tabIndex={-1} class="files" onDragOver={onDragOver} onDrop={onDrop}>
      <Head uploads={uploads} />
      <UploadList uploads={uploads} label={texts.uploads} />
      <Contents own={own} />
    </main>
  );
}
