/** Placeholders for entries that are being loaded. Screen readers read the text instead. */
export const Waiting = ({ text }: { readonly text: string }) => (
  <div class="waiting" role="status">
    <span class="unseen">{text}</span>
    <i />
    <i />
    <i />
  </div>
);
