/** An error that is announced to screen readers when it appears. Hidden if there is no text. */
export function ErrorText({ id, text }: { readonly id?: string; readonly text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}
