import { ErrorText } from "../ui/forms/error-text.tsx";
import { FileButton } from "../ui/files/file-button.tsx";
import { Danger } from "../ui/actions/danger.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import { useAction } from "../ui/actions/use-action.ts";

interface PortraitProps {
  readonly kind: "personal" | "group";
  readonly id: number;
  /** The MD5 of the stored picture, or null for a generated one. */
  readonly avatar: string | null;
  /** The width and the height in CSS pixels. */
  readonly size: number;
}

/** The picture of a user or a room. A new picture has a new URL, so that no cache returns the old one. */
export function Portrait({ kind, id, avatar, size }: PortraitProps) {
  const address = `/api/avatar/get/${kind}?id=${id}&size=${size * 2}&picture=${avatar ?? ""}`;
  return <img class="portrait" src={address} alt="" width={size} height={size} loading="lazy" />;
}

interface PortraitEditorProps {
  /** Null for a generated picture, which cannot be removed. */
  readonly avatar: string | null;
  readonly onFile: (file: File) => Promise<void>;
  readonly onRemove: () => Promise<void>;
}

/** Shows "saved" after the work. */
function useSaved() {
  const { saved } = useAdminTexts();
  return (work: () => Promise<void>) => (): Promise<string> => work().then(() => saved);
}

function RemovePicture({ onRemove }: Pick<PortraitEditorProps, "onRemove">) {
  const { remove, removeTitle, removeLead } = useAdminTexts().picture;
  return <Danger label={remove} title={removeTitle} lead={removeLead} work={useSaved()(onRemove)} />;
}

export function PortraitEditor({ avatar, onFile, onRemove }: PortraitEditorProps) {
  const { picture } = useAdminTexts();
  const { busy, text, run } = useAction();
  const saved = useSaved();
  const change = ([file]: readonly File[]): void => {
    if (file !== undefined) run(saved(() => onFile(file)));
  };
  return (
    <>
      <div class="actions">
        <FileButton look="" name={picture.change} accept="image/*" busy={busy} onFiles={change} />
        {avatar !== null && <RemovePicture onRemove={onRemove} />}
      </div>
      <ErrorText text={text} />
    </>
  );
}
