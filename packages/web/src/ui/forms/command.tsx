import { CopyButton } from "./copy-button.tsx";

/** A command for a terminal, to be copied. */
export function Command({ children }: { readonly children: string }) {
  return (
    <div class="command">
      <code>{children}</code>
      <CopyButton text={children} look="plain" />
    </div>
  );
}
