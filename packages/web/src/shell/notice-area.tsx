import type { Notices } from "../app/notices.ts";

/** Shows notices, and announces them to screen readers. */
export const NoticeArea = ({ notices }: { readonly notices: Notices }) => (
  <div class="notices" role="status">
    {notices.shown.value !== "" && <p>{notices.shown.value}</p>}
  </div>
);
