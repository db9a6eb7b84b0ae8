import { useApp, useTexts } from "../context.ts";

/** A command for a terminal, to be copied. */
export function Command({ children }: { readonly children: string }) {
  const texts = useTexts();
  const { notices } = useApp();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(children);
    notices.say(texts.copied);
  };
  return (
    <div class="command">
      <code>{children}</code>
      {/* Browsers keep the clipboard from pages that came over plain HTTP: the command can be selected there. */}
      {"clipboard" in navigator && (
        <button type="button" class="plain" onClick={() => void copy()}>
          {texts.copy}
        </button>
      )}
    </div>
  );
}
