import type { OwnFileView } from "@telex/core";
import type { TargetedDragEvent } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useAccount, useTexts } from "../context.ts";
import { AttachFiles } from "../ui/attach-files.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Tape } from "../ui/tape.tsx";
import { UploadList } from "../ui/upload-list.tsx";
import { createUploads, type Uploads } from "../ui/uploads.ts";
import { FileCard } from "./file-card.tsx";
import { createOwnFiles, type OwnFiles } from "./own-files.ts";
import { useFileTexts } from "./texts.ts";
import "./uploads.css";

/** The whole page takes what is pasted, wherever the focus is. */
function usePasted(uploads: Uploads): void {
  useEffect(() => {
    const take = (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) event.preventDefault();
      uploads.add(files);
    };
    document.addEventListener("paste", take);
    return () => document.removeEventListener("paste", take);
  }, [uploads]);
}

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

function Contents({ own }: { readonly own: OwnFiles }) {
  const shared = useTexts();
  const texts = useFileTexts();
  const files = own.files.value;
  const problem = own.problem.value;
  if (problem !== null) {
    return (
      <>
        <ErrorText text={shared.problem[problem]} />
        <LinkButton onClick={() => void own.load()}>{shared.tryAgain}</LinkButton>
      </>
    );
  }
  if (files === null) return <p class="quiet">{texts.loading}</p>;
  if (files.length === 0) {
    return (
      <div class="none">
        <Tape>{"  FILES  "}</Tape>
        <p class="quiet">{texts.none}</p>
      </div>
    );
  }
  return (
    <>
      <List files={files} />
      {own.more.value && <LinkButton onClick={() => void own.loadMore()}>{texts.more}</LinkButton>}
    </>
  );
}

/** What the person has uploaded: thumbnails, links, and a place for more. */
export function FilesPage() {
  const shared = useTexts();
  const texts = useFileTexts();
  const { own, uploads } = useFiles();
  usePasted(uploads);
  const onDragOver = (event: TargetedDragEvent<HTMLElement>): void => {
    if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
  };
  const onDrop = (event: TargetedDragEvent<HTMLElement>): void => {
    event.preventDefault();
    uploads.add([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <main id="content" tabIndex={-1} class="files" onDragOver={onDragOver} onDrop={onDrop}>
      <header>
        <h1>{shared.files}</h1>
        <AttachFiles name={texts.upload} onFiles={uploads.add} />
        <p class="hint">{texts.drop}</p>
      </header>
      <UploadList uploads={uploads} label={texts.uploads} />
      <Contents own={own} />
    </main>
  );
}
