import type { UserProps } from "./user-props.ts";
import { useTexts } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { UserDevices } from "./devices.tsx";
import { useFetched } from "./parts/fetched.tsx";
import { Danger } from "../ui/actions/danger.tsx";
import { Form, type Read, textOrNull } from "../ui/actions/form.tsx";
import { useAction } from "../ui/actions/use-action.ts";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { OneBot } from "./one-bot.tsx";
import { Quota } from "./quota.tsx";
import { RemoveSubject, SubjectHead, SubjectPage } from "./subject.tsx";
import { UserAccount } from "./user-account.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import { UserTokens } from "./tokens.tsx";
import { aboutWithState, type UserEntry, userEntries } from "./users.tsx";

function Head({ user, onUser }: UserProps) {
  const { users } = useOperator();
  const texts = useAdminTexts();
  const { id, nickname, avatar, createdAt } = user;
  const subject = {
    kind: "personal",
    id,
    avatar,
    name: nickname,
    about: aboutWithState(user, texts),
    createdAt,
  } as const;
  return (
    <SubjectHead
      {...subject}
      onFile={async (file) => onUser(await users.putAvatar({ id, file }))}
      onRemove={async () => onUser(await users.amend({ id, avatar: null }))}
    />
  );
}

const changeOf = (read: Read<UserEntry>) => ({
  nickname: read("nickname").trim(),
  ext: textOrNull(read("ext")),
  phone: textOrNull(read("phone")),
  ai: textOrNull(read("ai")),
});

function Profile({ user, onUser }: UserProps) {
  const { users } = useOperator();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { id, nickname, ext, phone, ai } = user;
  const initial = { nickname, ext: ext ?? "", phone: phone ?? "", ai: ai ?? "" };
  const save = async (read: Read<UserEntry>): Promise<string> => {
    onUser(await users.amend({ id, ...changeOf(read) }));
    return texts.saved;
  };
  return (
    <Card title={texts.users.profile}>
      <Form entries={userEntries(texts)} initial={initial} submit={shared.save} onSubmit={save} />
    </Card>
  );
}

/** Suspends a user after a confirmation, or resumes one. */
function Suspension({ user: { id, nickname, state }, onUser }: UserProps) {
  const { users } = useOperator();
  const texts = useAdminTexts().users;
  const { busy, text, run } = useAction();
  const suspend = async (): Promise<string> => {
    onUser(await users.amend({ id, state: "suspended" }));
    return texts.suspended(nickname);
  };
  const resume = async (): Promise<string> => {
    onUser(await users.amend({ id, state: "active" }));
    return texts.resumed(nickname);
  };
  const question = { label: texts.suspend, title: texts.suspendTitle(nickname), lead: texts.suspendLead };
  if (state === "active") return <Danger look="" {...question} work={suspend} />;
  return (
    <>
      <Button disabled={busy} onClick={() => run(resume)}>
        {texts.resume}
      </Button>
      <ErrorText text={text} />
    </>
  );
}

/** The actions that end something. */
function Endings({ user, onUser }: UserProps) {
  const { users } = useOperator();
  const { id, nickname } = user;
  return (
    <RemoveSubject section="users" name={nickname} onRemove={() => users.remove({ id })}>
      <Suspension user={user} onUser={onUser} />
    </RemoveSubject>
  );
}

const UserCards = ({ user, onUser }: UserProps) => (
  <div class="cards">
    <div>
      <Profile user={user} onUser={onUser} />
      <Quota userId={user.id} />
      <OneBot user={user} onUser={onUser} />
    </div>
    <div>
      <UserAccount key={user.state} userId={user.id} />
      <UserDevices userId={user.id} />
      <UserTokens userId={user.id} />
    </div>
  </div>
);

export function UserPage({ id }: { readonly id: number }) {
  const { users } = useOperator();
  const texts = useAdminTexts();
  const fetched = useFetched(() => users.show({ id }), [users, id]);
  return (
    <SubjectPage up={{ href: adminPath("users"), name: texts.users.all }} from={fetched}>
      {(user) => (
        <>
          <Head user={user} onUser={fetched.setValue} />
          <UserCards user={user} onUser={fetched.setValue} />
          <Endings user={user} onUser={fetched.setValue} />
        </>
      )}
    </SubjectPage>
  );
}
