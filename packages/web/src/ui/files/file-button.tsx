import type { TargetedEvent } from "preact";
import { useRef } from "preact/hooks";
import { Button } from "../forms/button.tsx";
import { Icon, type Shape } from "../forms/icon.tsx";

interface FileButtonProps {
  readonly shape?: Shape;
  readonly name: string;
  readonly look?: "" | "plain" | "plain attach" | "link" | "primary";
  /** True if the button shows an icon, and its name is only for screen readers. */
  readonly isDrawn?: boolean;
  /** The accepted media types. Default: all. */
  readonly accept?: string;
  /** True if several files can be chosen. */
  readonly multiple?: boolean;
  /** True while chosen files are being processed. */
  readonly busy?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The chosen files. Resets the input, so that the same files can be chosen again. */
function takeChosen(input: HTMLInputElement): readonly File[] {
  const files = [...(input.files ?? [])];
  input.value = "";
  return files;
}

export function FileButton(props: FileButtonProps) {
  const { shape, name, look = "plain attach", isDrawn = false, busy, onFiles, ...attributes } = props;
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => onFiles(takeChosen(currentTarget));
  return (
    <>
      <Button class={look} disabled={busy} aria-label={name} onClick={() => input.current?.click()}>
        {shape !== undefined && <Icon shape={shape} />}
        {!isDrawn && name}
      </Button>
      <input {...attributes} ref={input} type="file" hidden onChange={onChange} />
    </>
  );
}
