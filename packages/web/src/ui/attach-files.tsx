import { useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** What the button needs. */
interface AttachFilesProps {
  readonly name: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The button that chooses files. */
export function AttachFiles({ name, onFiles }: AttachFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="plain attach" onClick={() => input.current?.click()}>
        <Icon shape="clip" />
        {name}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again.
          currentTarget.value = "";
          onFiles(files);
        }}
      />
    </>
  );
}
