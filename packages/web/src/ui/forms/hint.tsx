/** Explains a control, whose `aria-describedby` is `<id>-hint`. Hidden if there is no text. */
export function Hint({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="hint" id={`${id}-hint`}>
      {text}
    </p>
  );
}
