import { useAccount } from "../app/account.ts";
import { saveBlob } from "../ui/files/save-blob.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { useProblemText, useReport } from "../ui/forms/use-report.ts";
import { TabLink } from "../ui/lists/tab-link.tsx";
import type { Message } from "./state/thread.ts";
import { useChatTexts } from "./texts.ts";

type QuestionFile = NonNullable<Message["files"]>[number];

/** Downloads a text. Its URL works only for people who are signed in. */
function SaveText({ file: { file_id: md5, name } }: { readonly file: QuestionFile }) {
  const { bucket } = useAccount().server;
  const report = useReport(useProblemText());
  const save = async (): Promise<void> => saveBlob(await bucket.file({ md5 }), name);
  return <LinkButton onClick={() => void report(save())}>{name}</LinkButton>;
}

const Picture = ({ file: { url, thumbnail, name } }: { readonly file: QuestionFile }) => (
  <TabLink href={url}>
    <img src={thumbnail ?? ""} alt={name} loading="lazy" />
  </TabLink>
);

/** The pictures and texts of a stored question. */
export function QuestionFiles({ files }: { readonly files: readonly QuestionFile[] }) {
  const texts = useChatTexts();
  return (
    <ul class="filed" aria-label={texts.attached}>
      {files.map((file) => (
        <li key={file.file_id}>{file.thumbnail === null ? <SaveText file={file} /> : <Picture file={file} />}</li>
      ))}
    </ul>
  );
}
