import type { OwnFileView } from "@telex/core";
import { useAccount, useApp, useTexts } from "../context.ts";
import { problemOf } from "../session/problem.ts";
import { saveBlob } from "../ui/save-blob.ts";
import { useCopy } from "../ui/use-copy.ts";
import { Ago } from "../ui/when.tsx";
import { formatSize } from "./size.ts";
import { useFileTexts } from "./texts.ts";

/** What a file is called: the server keeps its content, and not its name. */
const nameOf = ({ file_id, url }: OwnFileView): string => {
  const end = /\.\w+$/.exec(url)?.[0] ?? "";
  return `${file_id.slice(0, 8)}${end}`;
};

function Thumbnail({ file }: { readonly file: OwnFileView }) {
  const texts = useFileTexts();
  if (file.thumbnail === null) return <span class="kind">{file.mime.split("/").at(-1)}</span>;
  return (
    <a href={file.url} target="_blank" rel="noreferrer noopener" aria-label={texts.picture(nameOf(file))}>
      <img src={file.thumbnail} alt="" loading="lazy" />
    </a>
  );
}

/** Copies the address of a picture. Other files have none that works without signing in. */
function CopyLink({ file }: { readonly file: OwnFileView }) {
  const shared = useTexts();
  const texts = useFileTexts();
  const copy = useCopy(useApp().origin + file.url, texts.linkCopied);
  if (file.thumbnail === null || copy === null) return null;
  return (
    <button type="button" class="link" aria-label={texts.copyLink(nameOf(file))} onClick={copy}>
      {shared.copy}
    </button>
  );
}

/** Saves a file on the computer of the person. */
function useSave(file: OwnFileView): () => Promise<void> {
  const { server } = useAccount();
  const { notices } = useApp();
  const texts = useTexts();
  return async () => {
    try {
      saveBlob(await server.bucket.file({ md5: file.file_id }), nameOf(file));
    } catch (error) {
      notices.say(texts.problem[problemOf(error)]);
    }
  };
}

function Download({ file }: { readonly file: OwnFileView }) {
  const shared = useTexts();
  const texts = useFileTexts();
  const save = useSave(file);
  return (
    <button type="button" class="link" aria-label={texts.download(nameOf(file))} onClick={() => void save()}>
      {shared.save}
    </button>
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

/** What can be done with a file. */
function After({ file }: { readonly file: OwnFileView }) {
  return (
    <p class="after">
      <CopyLink file={file} />
      <Download file={file} />
    </p>
  );
}

/** One file: what it looks like, how large it is, and what can be done with it. */
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
