import { useTexts } from "../../app/context.ts";
import { IconButton } from "../forms/icon-button.tsx";
import { LinkButton } from "../forms/link-button.tsx";
import type { Uploading, Uploads } from "./uploads.ts";

/** The progress of an upload, or the reason why it failed. */
function Progress({ file, uploads }: { readonly file: Uploading; readonly uploads: Uploads }) {
  const texts = useTexts();
  const { name } = file.file;
  if (file.stored !== null) return <span class="hint">{texts.uploaded}</span>;
  if (file.problem === null) return <progress aria-label={texts.uploadOf(name)} max={1} value={file.share} />;
  return (
    <span class="error" role="alert">
      {texts.problem[file.problem]} <LinkButton onClick={() => uploads.retry(file.key)}>{texts.tryAgain}</LinkButton>
    </span>
  );
}

function Entry({ file, uploads }: { readonly file: Uploading; readonly uploads: Uploads }) {
  const texts = useTexts();
  const { name } = file.file;
  return (
    <li>
      <span class="name">{name}</span>
      <Progress file={file} uploads={uploads} />
      <IconButton shape="close" label={texts.removeFile(name)} onClick={() => uploads.remove(file.key)} />
    </li>
  );
}

interface UploadListProps {
  readonly uploads: Uploads;
  readonly label: string;
}

/** The uploads. Hidden if there are none. */
export function UploadList({ uploads, label }: UploadListProps) {
  const files = uploads.files.value;
  if (files.length === 0) return null;
  return (
    <ul class="uploads" aria-label={label}>
      {files.map((file) => (
        <Entry key={file.key} file={file} uploads={uploads} />
      ))}
    </ul>
  );
}
