import { useApp, useTexts } from "../context.ts";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { DialogForm, Opens } from "./form.tsx";
import { useAdminTexts } from "./texts.ts";
import type { UserProps } from "./user.tsx";

function SetOneBot({ user, onUser, onClose }: UserProps & { readonly onClose: () => void }) {
  const { users } = useOperator();
  const { notices } = useApp();
  const shared = useTexts();
  const admin = useAdminTexts();
  const { users: texts } = admin;
  const { protocol, self } = user.oneBot ?? { protocol: 11, self: false };
  return (
    <DialogForm
      title={texts.oneBotSet}
      lead={texts.oneBotLead}
      entries={[
        {
          kind: "select",
          name: "protocol",
          label: texts.oneBotProtocol,
          options: [
            ["11", "OneBot 11"],
            ["12", "OneBot 12"],
          ],
        },
        { kind: "check", name: "self", label: texts.oneBotSelf },
      ]}
      initial={{ protocol: String(protocol), self: self ? "on" : "" }}
      submit={shared.save}
      onSubmit={async (read) => {
        const change = { protocol: read("protocol") === "12" ? 12 : 11, self: read("self") !== "" } as const;
        onUser(await users.amend({ id: user.id, oneBot: change }));
        notices.say(admin.saved);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Whether frameworks that speak OneBot act as a user. Where Telex connects to is the operator's to say. */
export function OneBot({ user, onUser }: UserProps) {
  const { users } = useOperator();
  const { users: texts } = useAdminTexts();
  const { id, oneBot } = user;
  const end = async (): Promise<void> => onUser(await users.amend({ id, oneBot: null }));
  const question = { title: texts.oneBotEndTitle, lead: texts.oneBotEndLead, confirm: texts.oneBotEnd };
  return (
    <section class="card" aria-labelledby="onebot">
      <h3 id="onebot">{texts.oneBot}</h3>
      {oneBot === null ? (
        <p>{texts.oneBotOff}</p>
      ) : (
        <p>
          {texts.oneBotOn(oneBot.protocol)} {oneBot.connect !== null && texts.oneBotOut(oneBot.connect)}{" "}
          {texts.oneBotSecret(oneBot.hasSecret)}
        </p>
      )}
      <div class="actions">
        <Opens label={texts.oneBotSet}>{(close) => <SetOneBot user={user} onUser={onUser} onClose={close} />}</Opens>
        {oneBot !== null && <Danger label={texts.oneBotEnd} {...question} work={end} />}
      </div>
    </section>
  );
}
