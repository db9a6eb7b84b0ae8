import { useMemo } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { adminHome, adminPath, type AdminPlace, adminSections } from "../app/route.ts";
import { connectAccounts } from "../server/accounts.ts";
import { connectServer } from "../server/server.ts";
import { BotList } from "./bots.tsx";
import { AccountsContext, OperatorContext } from "./parts/context.ts";
import { FileList } from "./files.tsx";
import { Overview } from "./overview.tsx";
import { RoomPlace } from "./room.tsx";
import { RoomList } from "./rooms.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import { TokenList } from "./tokens.tsx";
import { UserPlace } from "./user.tsx";
import { UserList } from "./users.tsx";
import "./admin.css";

/** The lists to choose from. */
function Sections({ current }: { readonly current: AdminPlace["section"] }) {
  const texts = useAdminTexts();
  const isHere = (section: AdminPlace["section"]) => (section === current ? "page" : undefined);
  return (
    <nav class="sections" aria-label={texts.title}>
      <a href={adminHome} aria-current={isHere(null)}>
        {texts.overview}
      </a>
      {adminSections.map((section) => (
        <a key={section} href={adminPath(section)} aria-current={isHere(section)}>
          {texts.sections[section]}
        </a>
      ))}
    </nav>
  );
}

const lists = { users: UserList, rooms: RoomList, tokens: TokenList, bots: BotList, files: FileList } as const;

function Content({ section, id }: AdminPlace) {
  if (section === null) return <Overview />;
  if (id !== null) return section === "users" ? <UserPlace key={id} id={id} /> : <RoomPlace key={id} groupId={id} />;
  const List = lists[section];
  return <List />;
}

/** The operations of the operator, with the token or the cookie of the person. */
function useConnection() {
  const { session, preferences, confirmation, origin } = useApp();
  const person = session.current.value?.person;
  const language = preferences.spoken.value;
  return useMemo(() => {
    const ended = (): void => {
      if (person !== undefined) session.end(person);
    };
    const options = { origin, token: person?.token ?? null, language, ended, confirm: confirmation.ask };
    return { operator: connectServer(options).operator, accounts: connectAccounts(options).admin };
  }, [origin, person, language, session, confirmation]);
}

/** The operator's commands as pages, for people whose token has the scope `admin`. */
export function AdminPage() {
  const { router } = useApp();
  const { admin } = useTexts();
  const place = router.route.value.admin ?? { section: null, id: null };
  const { operator, accounts } = useConnection();
  return (
    <main id="content" tabIndex={-1} class="admin">
      <header>
        <h1 class="unseen">{admin}</h1>
        <Sections current={place.section} />
      </header>
      <OperatorContext.Provider value={operator}>
        <AccountsContext.Provider value={accounts}>
          <Content {...place} />
        </AccountsContext.Provider>
      </OperatorContext.Provider>
    </main>
  );
}
