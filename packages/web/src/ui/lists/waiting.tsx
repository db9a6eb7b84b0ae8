/** Lines in the places of entries that are being fetched; screen readers hear the text. */
export const Waiting = ({ text }: { readonly text: string }) => (
  <div class="waiting" role="status">
    <span class="unseen">{text}</span>
    <i />
    <i />
    <i />
  </div>
);
