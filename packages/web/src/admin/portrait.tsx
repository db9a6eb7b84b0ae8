import type { TargetedEvent } from "preact";
import { useRef } from "preact/hooks";
import { useApp } from "../context.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { Danger } from "./danger.tsx";
import { useAdminTexts } from "./texts.ts";
import { useAction } from "./use-action.ts";

/** Whose picture it is. */
interface PortraitProps {
  readonly kind: "personal" | "group";
  readonly id: number;
  /** The MD5 of the stored picture; null for a generated one. */
  readonly avatar: string | null;
  /** Its width and height, in CSS pixels. */
  readonly size: number;
}

/** The picture of a user or a room. Another one has another address, so that no cache shows the old one. */
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

/** Changes and removes a picture. */
export function PortraitEditor({ avatar, onFile, onRemove }: PortraitEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const { notices } = useApp();
  const texts = useAdminTexts();
  const action = useAction();
  const choose = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    const [file] = [...(currentTarget.files ?? [])];
    // The same file can be chosen again.
    currentTarget.value = "";
    if (file === undefined) return;
    action.run(async () => {
      await onFile(file);
      notices.say(texts.saved);
    });
  };
  const { change, remove, removeTitle, removeLead } = texts.picture;
  return (
    <>
      <div class="actions">
        <button type="button" disabled={action.busy} onClick={() => input.current?.click()}>
          {change}
        </button>
        {avatar !== null && (
          <Danger label={remove} title={removeTitle} lead={removeLead} confirm={remove} work={onRemove} />
        )}
        <input ref={input} type="file" accept="image/*" hidden onChange={choose} />
      </div>
      <ErrorText text={action.text} />
    </>
  );
}
