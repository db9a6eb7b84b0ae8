import { useEffect, useMemo } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { FileButton } from "../ui/files/file-button.tsx";
import { UploadList } from "../ui/files/upload-list.tsx";
import { createUploads, type Uploading, type Uploads } from "../ui/files/uploads.ts";
import { useChat } from "./context.ts";
import type { AskedFile } from "./state/commands.ts";
import { useChatTexts } from "./texts.ts";

const mostFiles = 8;
/** The maximum size of a text file for a question, in bytes: 256 KiB. */
const longestText = 262_144;

/** The files for the next question, and the reason why it cannot be asked with them. */
export interface Attached {
  readonly uploads: Uploads;
  readonly trouble: string | null;
  /** True if all files are uploaded and acceptable. */
  readonly isReady: boolean;
  /** Returns the files for the question, and clears them. */
  readonly take: () => readonly AskedFile[];
}

const isPicture = ({ file }: Uploading): boolean => file.type.startsWith("image/");

/** The reason why the current model does not accept these files, or null. */
function useTrouble(files: readonly Uploading[]): string | null {
  const { setting, models } = useChat().chat;
  const texts = useChatTexts();
  const [standard] = models.value;
  const model = models.value.find(({ model: name }) => name === setting.value.model) ?? standard;
  if (files.length > mostFiles) return texts.tooManyFiles(mostFiles);
  const long = files.find((one) => !isPicture(one) && one.file.size > longestText);
  if (long !== undefined) return texts.textTooLong(long.file.name);
  if (model === undefined || model.images || !files.some(isPicture)) return null;
  return texts.takesNoPictures(model.model);
}

const askedOf = ({ file, stored }: Uploading): readonly AskedFile[] =>
  stored === null ? [] : [{ file_id: stored.file_id, name: file.name }];

/** Files that are chosen, pasted or dropped for the next question. Unmounting the box cancels uploads in progress. */
export function useAttached(): Attached {
  const { upload } = useAccount();
  const uploads = useMemo(() => createUploads(upload), [upload]);
  useEffect(() => uploads.clear, [uploads]);
  const files = uploads.files.value;
  const trouble = useTrouble(files);
  const take = (): readonly AskedFile[] => {
    const questionFiles = files.flatMap(askedOf);
    uploads.clear();
    return questionFiles;
  };
  return { uploads, trouble, isReady: trouble === null && files.every(({ stored }) => stored !== null), take };
}

/** The files for the next question, with a button to add files. */
export function AttachedFiles({ attached: { uploads, trouble } }: { readonly attached: Attached }) {
  const texts = useChatTexts();
  return (
    <>
      <UploadList uploads={uploads} label={texts.attached} />
      {trouble !== null && (
        <p class="error" role="alert">
          {trouble}
        </p>
      )}
      <FileButton shape="clip" look="plain" name={texts.attach} isDrawn multiple onFiles={uploads.add} />
    </>
  );
}
