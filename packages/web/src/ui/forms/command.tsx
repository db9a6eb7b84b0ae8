import { CopyButton } from "./copy-button.tsx";

/** A command for a terminal, with a copy button. */
export const Command = ({ children }: { readonly children: string }) => (
  <div class="command">
    <code>{children}</code>
    <CopyButton text={children} look="plain" />
  </div>
);
