import type { OwnFileView } from "@telex/core";
import { useAccount } from "../app/account.ts";
import { useApp, useFormat } from "../app/context.ts";
import { IconButton } from "../ui/forms/icon-button.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { useCopy } from "../ui/forms/use-copy.ts";
import { useProblemText, useReport } from "../ui/forms/use-report.ts";
import { saveBlob } from "../ui/files/save-blob.ts";
import { TabLink } from "../ui/lists/tab-link.tsx";
import { Ago } from "../ui/lists/when.tsx";
import { markOf, nameOf } from "./name.ts";
import { formatSize } from "./size.ts";
import { useFileTexts } from "./texts.ts";

/** The dialogs of a file. */
export type Question = "uses" | "share" | "remove";

interface FileProps {
  readonly file: OwnFileView;
  /** The expiry of its last link in Unix milliseconds, or null. */
  readonly linkedUntil: number | null;
  readonly onAsk: (question: Question, file: OwnFileView) => void;
}

function Look({ file }: Pick<FileProps, "file">) {
  const texts = useFileTexts();
  if (file.thumbnail === null) return <span class="mark">{markOf(file)}</span>;
  return (
    <TabLink href={file.url} aria-label={texts.picture(nameOf(file))}>
      <img src={file.thumbnail} alt="" loading="lazy" />
    </TabLink>
  );
}

/** Copies the URL of a picture. The URLs of other files require signing in. */
function CopyAddress({ file }: Pick<FileProps, "file">) {
  const texts = useFileTexts();
  const copy = useCopy(useApp().origin + file.url, texts.linkCopied);
  if (file.thumbnail === null || copy === null) return null;
  return <IconButton shape="copy" label={texts.copyLink(nameOf(file))} onClick={copy} />;
}

/** Downloads a file. */
function useSave(file: OwnFileView): () => void {
  const { bucket } = useAccount().server;
  const report = useReport(useProblemText());
  const save = async (): Promise<void> => saveBlob(await bucket.file({ md5: file.file_id }), nameOf(file));
  return () => void report(save());
}

function Tools({ file, onAsk }: Pick<FileProps, "file" | "onAsk">) {
  const texts = useFileTexts();
  const name = nameOf(file);
  return (
    <div class="tools">
      <CopyAddress file={file} />
      <IconButton shape="share" label={texts.share(name)} onClick={() => onAsk("share", file)} />
      <IconButton shape="save" label={texts.download(name)} onClick={useSave(file)} />
      <IconButton shape="trash" label={texts.remove(name)} onClick={() => onAsk("remove", file)} />
    </div>
  );
}

/** The uses or the link for which the file is kept. */
function Keeping({ file, linkedUntil, onAsk }: FileProps) {
  const texts = useFileTexts();
  const { date } = useFormat();
  const link = linkedUntil !== null && <span class="tag">{texts.linkUntil(date(linkedUntil))}</span>;
  if (!file.used) return <>{link || texts.unused}</>;
  return (
    <>
      <LinkButton aria-label={`${nameOf(file)}: ${texts.used}`} onClick={() => onAsk("uses", file)}>
        {texts.used}
      </LinkButton>{" "}
      {link}
    </>
  );
}

function About(props: FileProps) {
  const { file } = props;
  const { spoken } = useApp().preferences;
  return (
    <div class="about">
      <p class="name">
        <bdi>{nameOf(file)}</bdi>
      </p>
      <p class="hint">
        <Keeping {...props} />
      </p>
      <p class="hint size">
        {formatSize(file.size, spoken.value)}, <Ago at={file.createTime} />
      </p>
    </div>
  );
}

/** One file: its preview, name, size, uses and actions. */
export const FileRow = (props: FileProps) => (
  <li>
    <div class="look">
      <Look file={props.file} />
    </div>
    <About {...props} />
    <Tools file={props.file} onAsk={props.onAsk} />
  </li>
);
