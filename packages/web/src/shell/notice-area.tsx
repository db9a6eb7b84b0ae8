import type { Notices } from "../app/notices.ts";

/** The place where sentences appear; they are also read out. */
export function NoticeArea({ notices }: { readonly notices: Notices }) {
  return (
    <div class="notices" role="status">
      {notices.shown.value !== "" && <p>{notices.shown.value}</p>}
    </div>
  );
}
