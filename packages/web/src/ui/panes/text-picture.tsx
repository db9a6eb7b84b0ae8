import { useTexts } from "../../app/context.ts";

interface TextPictureProps {
  readonly text: string;
  readonly lines: number;
  readonly columns: number;
  readonly look?: "print picture" | "print picture preview";
}

/** A picture as text, which keeps its lines. Screen readers say how large it is. */
export function TextPicture({ text, lines, columns, look = "print picture" }: TextPictureProps) {
  const texts = useTexts();
  return (
    // It can also be scrolled with a keyboard only.
    <pre class={look} role="img" tabIndex={0} aria-label={texts.picture(lines, columns)}>
      {text}
    </pre>
  );
}
