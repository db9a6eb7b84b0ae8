import type { Notices } from "../app/notices.ts";

/** The place where sentences appear; they are also read out. */
export const NoticeArea = ({ notices }: { readonly notices: Notices }) => (
  <div class="notices" role="status">
    {notices.shown.value !== "" && <p>{notices.shown.value}</p>}
  </div>
);
