import { useTexts } from "../app/context.ts";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { type FormEntries, optionsOf, type Read } from "../ui/actions/form.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import type { AdminTexts } from "./texts/type.ts";
import type { UserProps } from "./user-props.ts";

type OneBotEntry = "protocol" | "self";

/** The versions of OneBot. */
export const protocolOptions = optionsOf([11, 12], { 11: "OneBot 11", 12: "OneBot 12" });

const oneBotEntries = ({ users }: AdminTexts): FormEntries<OneBotEntry> => ({
  protocol: { kind: "select", label: users.oneBotProtocol, options: protocolOptions },
  self: { kind: "check", label: users.oneBotSelf },
});

function SetOneBot({ user, onUser, onClose }: UserProps & { readonly onClose: () => void }) {
  const { users } = useOperator();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { id, oneBot } = user;
  const initial = { protocol: String(oneBot?.protocol ?? 11), self: oneBot?.self ? "on" : "" };
  const save = async (read: Read<OneBotEntry>): Promise<string> => {
    const change = { protocol: read("protocol") === "12" ? 12 : 11, self: read("self") !== "" } as const;
    onUser(await users.amend({ id, oneBot: change }));
    return texts.saved;
  };
  const form = { title: texts.users.oneBotSet, lead: texts.users.oneBotLead, submit: shared.save, onClose };
  return <DialogForm entries={oneBotEntries(texts)} initial={initial} {...form} onSubmit={save} />;
}

function State({ oneBot }: Pick<UserProps["user"], "oneBot">) {
  const { users: texts } = useAdminTexts();
  if (oneBot === null) return <p>{texts.oneBotOff}</p>;
  return (
    <p>
      {texts.oneBotOn(oneBot.protocol)} {oneBot.connect !== null && texts.oneBotOut(oneBot.connect)}{" "}
      {texts.oneBotSecret(oneBot.hasSecret)}
    </p>
  );
}

function EndOneBot({ user, onUser }: UserProps) {
  const { users } = useOperator();
  const texts = useAdminTexts();
  const { oneBotEnd, oneBotEndTitle, oneBotEndLead } = texts.users;
  const end = async (): Promise<string> => {
    onUser(await users.amend({ id: user.id, oneBot: null }));
    return texts.saved;
  };
  return <Danger label={oneBotEnd} title={oneBotEndTitle} lead={oneBotEndLead} work={end} />;
}

/** Lets OneBot frameworks act as a user. Only the operator can set the URLs that Telex connects to. */
export function OneBot({ user, onUser }: UserProps) {
  const { users: texts } = useAdminTexts();
  const actions = (
    <>
      <Opens label={texts.oneBotSet}>{(close) => <SetOneBot user={user} onUser={onUser} onClose={close} />}</Opens>
      {user.oneBot !== null && <EndOneBot user={user} onUser={onUser} />}
    </>
  );
  return (
    <Card title={texts.oneBot} actions={actions}>
      <State oneBot={user.oneBot} />
    </Card>
  );
}
