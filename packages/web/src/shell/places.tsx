import { useEffect, useRef } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useRoomsSignal } from "../rooms/state/context.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { useApp, useTexts } from "../app/context.ts";
import { adminPage, type PageName, places } from "../app/route.ts";
import { Button } from "../ui/forms/button.tsx";
import { CountBadge } from "../ui/lists/count-badge.tsx";
import { Icon } from "../ui/forms/icon.tsx";

/** The unread messages of a page, and those of them that are for the person in particular. */
interface Unread {
  readonly count: number;
  readonly mentions: number;
}

/** The counts of unread messages per page. */
function useUnread(): Readonly<Partial<Record<PageName, Unread>>> {
  const teleprinter = useTeleprinter();
  const rooms = useRoomsSignal();
  const { unread, mentions } = rooms.value?.list ?? {};
  return {
    teleprinter: { count: teleprinter.unread.total.value, mentions: 0 },
    rooms: { count: unread?.value ?? 0, mentions: mentions?.value ?? 0 },
  };
}

/** Milliseconds after which the rooms are connected on another page: first things first. */
const roomsAfter = 1000;

/** Connects the rooms, so that every page shows the unread counts. If their code cannot be loaded, the pages show no counts. */
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

/** The mentions, and where there are none all that is unread. */
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

/** The button that opens the pages on a phone, with the name of the current one. */
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

/** The pages to choose from: next to the name of the product, and on a phone behind a button that names the current one. */
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

/** The pages of the person. Only admins see the one for admins. */
export function PageLinks() {
  const { person } = useAccount();
  const unread = useUnread();
  useRoomsNews();
  return <PageList rows={person.isAdmin ? [...places, adminPage] : places} unread={unread} />;
}

/** The page of a token that allows administration and nothing else. */
export const AdminPageLinks = () => <PageList rows={[adminPage]} unread={{}} />;
