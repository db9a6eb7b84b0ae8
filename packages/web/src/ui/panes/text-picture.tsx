import { useTexts } from "../../app/context.ts";

interface TextPictureProps {
  readonly text: string;
  readonly lines: number;
  readonly columns: number;
  readonly look?: "print picture" | "print picture preview";
}

/** A picture made of text, which keeps its lines. Screen readers read its size. */
export function TextPicture({ text, lines, columns, look = "print picture" }: TextPictureProps) {
  const texts = useTexts();
  return (
    // Focusable, so that the keyboard can scroll it.
    <pre class={look} role="img" tabIndex={0} aria-label={texts.picture(lines, columns)}>
      {text}
    </pre>
  );
}
