import type { AccountClient, PasskeyView } from "@telex/auth-server/client";
import { useAccount } from "../../app/account.ts";
import { useAgo, useFormat } from "../../app/context.ts";
import { forgetPasskey, hasPasskeys, makePasskey } from "../../server/passkeys.ts";
import { DialogForm, Opens } from "../../ui/actions/dialog-form.tsx";
import { Danger } from "../../ui/actions/danger.tsx";
import type { Read } from "../../ui/actions/form.tsx";
import { useAction } from "../../ui/actions/use-action.ts";
import { useLoaded } from "../../ui/actions/use-loaded.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { useKeptFocus } from "../../ui/lists/use-kept-focus.ts";
import { Section } from "../../ui/panes/sections.tsx";
import { useAccountTexts } from "../texts/texts.ts";

const none: Awaited<ReturnType<AccountClient["passkeys"]>> = { list: [], available: true };

interface RowProps {
  readonly passkey: PasskeyView;
  /** Called after the list has changed. */
  readonly onChange: () => Promise<void>;
}

function RenameForm({ passkey, onChange, onClose }: RowProps & { readonly onClose: () => void }) {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const rename = async (read: Read<"name">): Promise<string> => {
    await accounts.renamePasskey({ id: passkey.id, name: read("name").trim() });
    await onChange();
    return texts.saved;
  };
  const entries = { name: { label: texts.passkeyName, input: { maxlength: 64 } } } as const;
  const words = { title: texts.rename, submit: texts.save, initial: { name: passkey.name } };
  return <DialogForm {...words} entries={entries} onSubmit={rename} onClose={onClose} />;
}

/** Removes a passkey, and asks the browser to forget it. */
function Remove({ passkey, onChange }: RowProps) {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const remove = async (): Promise<string> => {
    await accounts.removePasskey({ id: passkey.id });
    forgetPasskey(location.hostname, passkey.id);
    await onChange();
    return texts.passkeyRemoved;
  };
  const words = { label: texts.removePasskey, about: passkey.name, title: texts.removePasskeyTitle(passkey.name) };
  return <Danger {...words} lead={texts.removePasskeyLead} work={remove} />;
}

function Row(props: RowProps) {
  const { name, createdAt, lastUsed } = props.passkey;
  const texts = useAccountTexts();
  const ago = useAgo();
  const { day } = useFormat();
  const used = lastUsed === null ? texts.passkeyUnused : texts.passkeyUsed(ago(Date.parse(lastUsed)));
  return (
    <li>
      <p>
        <strong dir="auto">{name}</strong>
      </p>
      <p class="hint">{`${texts.passkeyAdded(day(Date.parse(createdAt)))} · ${used}`}</p>
      <div class="actions">
        <Opens label={texts.rename} about={name}>
          {(close) => <RenameForm {...props} onClose={close} />}
        </Opens>
        <Remove {...props} />
      </div>
    </li>
  );
}

/** Creates a passkey in this browser. */
function Add({ onChange }: Pick<RowProps, "onChange">) {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const action = useAction();
  const add = async (): Promise<string> => {
    const passkey = await makePasskey(await accounts.passkeyOptions({}));
    if (passkey === null) return texts.passkeyNotMade;
    await accounts.addPasskey({ passkey });
    await onChange();
    return texts.passkeyMade;
  };
  return (
    <div class="actions">
      <Button disabled={action.busy} onClick={() => action.run(add)}>
        {texts.addPasskey}
      </Button>
      <ErrorText text={action.text} />
    </div>
  );
}

/** The passkeys of the person, which replace the password. */
export function Passkeys() {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const keptFocus = useKeptFocus();
  const { value, error, reload } = useLoaded(() => accounts.passkeys({}), [accounts]);
  const { list, available } = value ?? none;
  return (
    <Section title={texts.passkeys} count={list.length}>
      <p>{available ? texts.passkeysLead : texts.passkeysOff}</p>
      <ErrorText text={error} />
      <ul {...keptFocus} class="tokens passkeys">
        {list.map((passkey) => (
          <Row key={passkey.id} passkey={passkey} onChange={reload} />
        ))}
      </ul>
      {available && hasPasskeys() && <Add onChange={reload} />}
    </Section>
  );
}
