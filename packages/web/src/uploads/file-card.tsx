import type { OwnFileView } from "@telex/core";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { saveBlob } from "../ui/files/save-blob.ts";
import { TabLink } from "../ui/lists/tab-link.tsx";
import { useCopy } from "../ui/forms/use-copy.ts";
import { useProblemText, useTelling } from "../ui/forms/use-telling.ts";
import { Ago } from "../ui/lists/when.tsx";
import { formatSize } from "./size.ts";
import { useFileTexts } from "./texts.ts";

/** The name of a file on the page: the server does not store the original one. */
const nameOf = ({ file_id, url }: OwnFileView): string => {
  const end = /\.\w+$/.exec(url)?.[0] ?? "";
  return `${file_id.slice(0, 8)}${end}`;
};

function Thumbnail({ file }: { readonly file: OwnFileView }) {
  const texts = useFileTexts();
  if (file.thumbnail === null) return <span class="kind">{file.mime.split("/").at(-1)}</span>;
  return (
    <TabLink href={file.url} aria-label={texts.picture(nameOf(file))}>
      <img src={file.thumbnail} alt="" loading="lazy" />
    </TabLink>
  );
}

/** Copies the address of a picture. Other files have none that works without signing in. */
function CopyLink({ file }: { readonly file: OwnFileView }) {
  const shared = useTexts();
  const texts = useFileTexts();
  const copy = useCopy(useApp().origin + file.url, texts.linkCopied);
  if (file.thumbnail === null || copy === null) return null;
  return (
    <LinkButton aria-label={texts.copyLink(nameOf(file))} onClick={copy}>
      {shared.copy}
    </LinkButton>
  );
}

/** Saves a file on the computer of the person. */
function useSave(file: OwnFileView): () => void {
  const { bucket } = useAccount().server;
  const telling = useTelling(useProblemText());
  const save = async (): Promise<void> => saveBlob(await bucket.file({ md5: file.file_id }), nameOf(file));
  return () => void telling(save());
}

function Download({ file }: { readonly file: OwnFileView }) {
  const shared = useTexts();
  const texts = useFileTexts();
  const save = useSave(file);
  return (
    <LinkButton aria-label={texts.download(nameOf(file))} onClick={save}>
      {shared.save}
    </LinkButton>
  );
}

function SizeAndAge({ file: { size, createTime } }: { readonly file: OwnFileView }) {
  const { preferences } = useApp();
  return (
    <p class="hint">
      {formatSize(size, preferences.spoken.value)}, <Ago at={createTime} />
    </p>
  );
}

/** The actions on a file. */
const After = ({ file }: { readonly file: OwnFileView }) => (
  <p class="after">
    <CopyLink file={file} />
    <Download file={file} />
  </p>
);

/** One file: its preview, size and actions. */
export function FileCard({ file }: { readonly file: OwnFileView }) {
  const texts = useFileTexts();
  return (
    <li>
      <div class="look">
        <Thumbnail file={file} />
      </div>
      <p class="name">{nameOf(file)}</p>
      <SizeAndAge file={file} />
      <p class="hint">{file.used ? texts.used : texts.unused}</p>
      <After file={file} />
    </li>
  );
}
