/** The reason of a failure, which screen readers read when it appears. Hidden without a text. */
export function ErrorText({ id, text }: { readonly id?: string; readonly text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}
