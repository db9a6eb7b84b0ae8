import { useEffect, useRef } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useRoomsSignal } from "../rooms/state/context.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { useApp, useTexts } from "../app/context.ts";
import { adminPlace, type PageName, places } from "../app/route.ts";
import { Button } from "../ui/forms/button.tsx";
import { CountBadge } from "../ui/lists/count-badge.tsx";
import { Icon } from "../ui/forms/icon.tsx";

/** The counts of unread messages per page. */
function useUnread(): Readonly<Partial<Record<PageName, number>>> {
  const teleprinter = useTeleprinter();
  const rooms = useRoomsSignal();
  return { teleprinter: teleprinter.unread.total.value, rooms: rooms.value?.unread.value ?? 0 };
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

type PlaceRow = (typeof places)[number] | typeof adminPlace;

function Place({ page, href, unread }: PlaceRow & { readonly unread: number }) {
  const { router } = useApp();
  const texts = useTexts();
  const isCurrent = router.route.value.page === page;
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined}>
      {texts[page]}
      <CountBadge count={unread} words={texts.newTexts(unread)} />
    </a>
  );
}

interface PlaceListProps {
  readonly rows: readonly PlaceRow[];
  readonly unread: Readonly<Partial<Record<PageName, number>>>;
}

/** The button that opens the pages on a phone, with the name of the current one. */
function CurrentPlace({ hasUnread }: { readonly hasUnread: boolean }) {
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
function PlaceList({ rows, unread }: PlaceListProps) {
  const texts = useTexts();
  const menu = useRef<HTMLElement>(null);
  const { page } = useApp().router.route.value;
  useEffect(() => void menu.current?.togglePopover(false), [page]);
  return (
    <>
      <CurrentPlace hasUnread={Object.values(unread).some((count) => count > 0)} />
      <nav ref={menu} id="places" class="places" popover="auto" aria-label={texts.pages}>
        {rows.map((place) => (
          <Place key={place.page} {...place} unread={unread[place.page] ?? 0} />
        ))}
      </nav>
    </>
  );
}

/** The pages of the person. Only admins see the one for admins. */
export function Places() {
  const { person } = useAccount();
  const unread = useUnread();
  useRoomsNews();
  return <PlaceList rows={person.isAdmin ? [...places, adminPlace] : places} unread={unread} />;
}

/** The page of a token that allows administration and nothing else. */
export const AdminPlaces = () => <PlaceList rows={[adminPlace]} unread={{}} />;
