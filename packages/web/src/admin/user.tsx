import type { UserView } from "@telex/core";
import { useApp, useFormat, useTexts } from "../context.ts";
import { adminPath } from "../route.ts";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { UserDevices } from "./devices.tsx";
import { Form, textOr } from "./form.tsx";
import { Trouble, useFetched } from "./list.tsx";
import { OneBot } from "./one-bot.tsx";
import { Portrait, PortraitEditor } from "./portrait.tsx";
import { Quota } from "./quota.tsx";
import { useAdminTexts } from "./texts.ts";
import { UserTokens } from "./tokens.tsx";
import { aboutUser, userEntries } from "./users.tsx";

/** A user, and what is done with what the server says of them. */
export interface UserProps {
  readonly user: UserView;
  readonly onUser: (user: UserView) => void;
}

function Head({ user, onUser }: UserProps) {
  const { users } = useOperator();
  const texts = useAdminTexts();
  const format = useFormat();
  const { id, nickname, avatar, createdAt } = user;
  return (
    <header class="subject">
      <Portrait kind="personal" id={id} avatar={avatar} size={72} />
      <div>
        <h2 dir="auto">{nickname}</h2>
        <p class="hint">
          {aboutUser(user, texts)} · {texts.addedOn(format.day(Date.parse(createdAt)))}
        </p>
        <PortraitEditor
          avatar={avatar}
          onFile={async (file) => onUser(await users.putAvatar({ id, file }))}
          onRemove={async () => onUser(await users.amend({ id, avatar: null }))}
        />
      </div>
    </header>
  );
}

function Profile({ user, onUser }: UserProps) {
  const { users } = useOperator();
  const { notices } = useApp();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { id, nickname, ext, phone, ai } = user;
  return (
    <section class="card" aria-labelledby="profile">
      <h3 id="profile">{texts.users.profile}</h3>
      <Form
        entries={userEntries(texts)}
        initial={{ nickname, ext: ext ?? "", phone: phone ?? "", ai: ai ?? "" }}
        submit={shared.save}
        onSubmit={async (read) => {
          const [first, second, third] = [
            textOr(read("ext"), null),
            textOr(read("phone"), null),
            textOr(read("ai"), null),
          ];
          onUser(await users.amend({ id, nickname: read("nickname").trim(), ext: first, phone: second, ai: third }));
          notices.say(texts.saved);
        }}
      />
    </section>
  );
}

function RemoveUser({ user }: Pick<UserProps, "user">) {
  const { users } = useOperator();
  const { notices, router } = useApp();
  const { users: texts } = useAdminTexts();
  const { id, nickname } = user;
  const remove = async (): Promise<void> => {
    await users.remove({ id });
    notices.say(texts.removed(nickname));
    router.go(adminPath("users"), "replace");
  };
  const question = { title: texts.removeTitle(nickname), lead: texts.removeLead, confirm: texts.remove };
  return (
    <div class="end">
      <Danger label={texts.remove} {...question} work={remove} />
    </div>
  );
}

/** One user: who they are, and what belongs to them. */
export function UserPlace({ id }: { readonly id: number }) {
  const { users } = useOperator();
  const texts = useAdminTexts();
  const { value: user, setValue, failure, load } = useFetched(() => users.show({ id }), [users, id]);
  return (
    <article>
      <a class="up" href={adminPath("users")}>
        {texts.users.all}
      </a>
      <Trouble failure={failure} onAgain={load} />
      {user === null && failure === null && <p class="quiet">{texts.loading}</p>}
      {user !== null && (
        <>
          <Head user={user} onUser={setValue} />
          <div class="cards-grid">
            <Profile user={user} onUser={setValue} />
            <Quota userId={id} />
            <UserDevices userId={id} />
            <UserTokens userId={id} />
            <OneBot user={user} onUser={setValue} />
          </div>
          <RemoveUser user={user} />
        </>
      )}
    </article>
  );
}
