import type { OperatorClient } from "@telex/http/client";
import { useMemo } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { useOpened } from "../app/opened.ts";
import { adminHome, adminPath, type AdminAddress, adminSections } from "../app/route.ts";
import { connectAccounts } from "../server/accounts.ts";
import { connectServer } from "../server/server.ts";
import { CountMark } from "../ui/lists/count-badge.tsx";
import { createLazy } from "../ui/panes/lazy.tsx";
import { Sectioned } from "../ui/panes/sections.tsx";
import { connectRecent } from "../server/recent.ts";
import { AccountsContext, OperatorContext } from "./parts/context.ts";
import { useFetched } from "./parts/fetched.tsx";
import { RecentContext } from "./recent/context.ts";
import { useAdminTexts } from "./texts/texts.ts";
import "./admin.css";

type Status = Awaited<ReturnType<OperatorClient["server"]["status"]>>;

/** The item counts of the sections. */
const countsOf = ({ stored: { users, groups, devices, files } }: Status) => ({ users, rooms: groups, devices, files });

interface SectionsProps {
  readonly current: AdminAddress["section"];
  readonly counts: Readonly<Partial<Record<NonNullable<AdminAddress["section"]>, number>>>;
}

/** The navigation between the lists. */
function Sections({ current, counts }: SectionsProps) {
  const texts = useAdminTexts();
  const isHere = (section: AdminAddress["section"]) => (section === current ? "page" : undefined);
  return (
    <nav class="sections" aria-label={texts.title}>
      <a href={adminHome} aria-current={isHere(null)}>
        {texts.overview}
      </a>
      {adminSections.map((section) => (
        <a key={section} href={adminPath(section)} aria-current={isHere(section)}>
          {texts.sections[section]}
          <CountMark count={counts[section] ?? 0} />
        </a>
      ))}
    </nav>
  );
}

/** The code of each list is loaded when it is first shown. */
const lists = {
  users: createLazy(async () => (await import("./users.tsx")).UserList),
  rooms: createLazy(async () => (await import("./rooms.tsx")).RoomList),
  devices: createLazy(async () => (await import("./recent/present.tsx")).DeviceList),
  tokens: createLazy(async () => (await import("./tokens.tsx")).TokenList),
  bots: createLazy(async () => (await import("./bots.tsx")).BotList),
  files: createLazy(async () => (await import("./files.tsx")).FileList),
  audit: createLazy(async () => (await import("./recent/audit.tsx")).AuditList),
} as const;

const Overview = createLazy(async () => (await import("./overview.tsx")).Overview);
const UserPage = createLazy(async () => (await import("./user.tsx")).UserPage);
const RoomPage = createLazy(async () => (await import("./room.tsx")).RoomPage);

function Content({ section, id }: AdminAddress) {
  if (section === null) return <Overview />;
  if (id !== null) return section === "users" ? <UserPage key={id} id={id} /> : <RoomPage key={id} groupId={id} />;
  const List = lists[section];
  return <List />;
}

/** The client for operations of the operator, with the token or the cookie of the person. */
function useConnection() {
  const { session, preferences, confirmation, origin } = useApp();
  const person = session.current.value?.person;
  const language = preferences.spoken.value;
  return useMemo(() => {
    const ended = (): void => {
      if (person !== undefined) session.end(person);
    };
    const options = { origin, token: person?.token ?? null, language, ended, confirm: confirmation.ask };
    const [{ operator }, { admin }] = [connectServer(options), connectAccounts(options)];
    return { operator, accounts: admin, recent: connectRecent(options) };
  }, [origin, person, language, session, confirmation]);
}

/** Names an open list in the title of the document. The page of a user or a room names its subject. */
function useOpenedList({ section, id }: AdminAddress): void {
  const { admin } = useTexts();
  const { sections } = useAdminTexts();
  useOpened(section === null || id !== null ? null : `${sections[section]} · ${admin}`);
}

/** The page for admins, and for tokens with the scope `admin`. */
export function AdminPage() {
  const { router } = useApp();
  const { admin } = useTexts();
  const address = router.route.value.admin ?? { section: null, id: null };
  useOpenedList(address);
  const { operator, accounts, recent } = useConnection();
  const status = useFetched(() => operator.server.status({}), [operator, address.section, address.id]);
  const counts = status.value === null ? {} : countsOf(status.value);
  return (
    <Sectioned look="admin" title={admin} nav={<Sections current={address.section} counts={counts} />}>
      <OperatorContext.Provider value={operator}>
        <AccountsContext.Provider value={accounts}>
          <RecentContext.Provider value={recent}>
            <Content {...address} />
          </RecentContext.Provider>
        </AccountsContext.Provider>
      </OperatorContext.Provider>
    </Sectioned>
  );
}
