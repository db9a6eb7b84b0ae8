/** Why something failed, read out by screen readers when it appears. Nothing is shown without a text. */
export function ErrorText({ id, text }: { readonly id?: string; readonly text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}
