import { useEffect, useRef } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useRoomsSignal } from "../rooms/state/context.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { useApp, useTexts } from "../app/context.ts";
import { adminPage, type PageName, places } from "../app/route.ts";
import { Button } from "../ui/forms/button.tsx";
import { CountBadge } from "../ui/lists/count-badge.tsx";
import { Icon } from "../ui/forms/icon.tsx";

/** The unread messages of a page, and how many of them are mentions. */
interface Unread {
  readonly count: number;
  readonly mentions: number;
}

function useUnread(): Readonly<Partial<Record<PageName, Unread>>> {
  const teleprinter = useTeleprinter();
  const rooms = useRoomsSignal();
  const { unread, mentions } = rooms.value?.list ?? {};
  return {
    teleprinter: { count: teleprinter.unread.total.value, mentions: 0 },
    rooms: { count: unread?.value ?? 0, mentions: mentions?.value ?? 0 },
  };
}

/** The delay before the rooms are connected on another page, in milliseconds. That page loads first. */
const roomsAfter = 1000;

/** Connects the rooms, so that each page shows the unread counts. If their code cannot be loaded, there are no counts. */
function useRoomsNews(): void {
  const app = useApp();
  const account = useAccount();
  const signal = useRoomsSignal();
  useEffect(() => {
    let isGone = false;
    const connect = async (): Promise<void> => {
      const { startRooms } = await import("../rooms/state/start.ts");
      if (!isGone) startRooms(app, account, signal, window);
    };
    const timer = setTimeout(() => void connect().catch(() => {}), roomsAfter);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [app, account, signal]);
}

type PageRow = (typeof places)[number] | typeof adminPage;

/** The number of mentions, or of unread messages if there are no mentions. */
function UnreadBadge({ count, mentions }: Unread) {
  const texts = useTexts();
  if (mentions > 0) return <CountBadge count={mentions} words={texts.forYou(mentions)} mark="@" />;
  return <CountBadge count={count} words={texts.newTexts(count)} />;
}

const nothing: Unread = { count: 0, mentions: 0 };

function PageLink({ page, href, unread }: PageRow & { readonly unread: Unread }) {
  const { router } = useApp();
  const texts = useTexts();
  const isCurrent = router.route.value.page === page;
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined}>
      {texts[page]}
      <UnreadBadge {...unread} />
    </a>
  );
}

interface PageListProps {
  readonly rows: readonly PageRow[];
  readonly unread: Readonly<Partial<Record<PageName, Unread>>>;
}

/** The button that opens the list of pages on a phone. It shows the name of the current page. */
function CurrentPage({ hasUnread }: { readonly hasUnread: boolean }) {
  const { page } = useApp().router.route.value;
  const texts = useTexts();
  const name = page === "notFound" ? texts.pages : texts[page];
  return (
    <Button class="plain here" popovertarget="places" aria-label={texts.currentPage(name)}>
      {name}
      {hasUnread && <span class="count" aria-hidden="true" />}
      <Icon shape="unfold" />
    </Button>
  );
}

/** The list of pages. On a phone, a button with the name of the current page opens it. */
function PageList({ rows, unread }: PageListProps) {
  const texts = useTexts();
  const menu = useRef<HTMLElement>(null);
  const { page } = useApp().router.route.value;
  useEffect(() => void menu.current?.togglePopover(false), [page]);
  return (
    <>
      <CurrentPage hasUnread={Object.values(unread).some(({ count }) => count > 0)} />
      <nav ref={menu} id="places" class="places" popover="auto" aria-label={texts.pages}>
        {rows.map((row) => (
          <PageLink key={row.page} {...row} unread={unread[row.page] ?? nothing} />
        ))}
      </nav>
    </>
  );
}

/** The pages of the person. Only admins see the page for admins. */
export function PageLinks() {
  const { person } = useAccount();
  const unread = useUnread();
  useRoomsNews();
  return <PageList rows={person.isAdmin ? [...places, adminPage] : places} unread={unread} />;
}

/** For a token with just the scope `admin`. */
export const AdminPageLinks = () => <PageList rows={[adminPage]} unread={{}} />;
