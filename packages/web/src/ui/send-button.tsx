import { useTexts } from "../context.ts";

/** The button that sends a form. */
export function SendButton({ isReady }: { readonly isReady: boolean }) {
  const texts = useTexts();
  return (
    <button type="submit" class="primary" disabled={!isReady}>
      {texts.send}
    </button>
  );
}
