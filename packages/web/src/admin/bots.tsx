import type { BotView } from "@telex/core";
import { useState } from "preact/hooks";
import { useApp, useTexts } from "../context.ts";
import { Tape } from "../ui/tape.tsx";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { DialogForm, type FormEntry, Opens, textOr } from "./form.tsx";
import { ListHead, Trouble, useFetched } from "./list.tsx";
import { type AdminTexts, useAdminTexts } from "./texts.ts";
import { Secret } from "./tokens.tsx";

type BotEntry = "account" | "network" | "official" | "connect" | "protocol" | "minInterval" | "secret" | "noSecret";
type Read = (name: BotEntry) => string;

/** What can be said of an account that is there. */
const settingEntries = ({ bots }: AdminTexts): readonly FormEntry<BotEntry>[] => [
  { kind: "text", name: "network", label: bots.network, input: { maxlength: 128 } },
  { kind: "check", name: "official", label: bots.official, hint: bots.officialHint },
  {
    kind: "text",
    name: "connect",
    label: bots.connect,
    hint: bots.connectHint,
    optional: true,
    input: { inputmode: "url" },
  },
  {
    kind: "select",
    name: "protocol",
    label: bots.protocol,
    options: [
      ["", bots.protocolAny],
      ["11", "OneBot 11"],
      ["12", "OneBot 12"],
    ],
  },
  {
    kind: "text",
    name: "minInterval",
    label: bots.interval,
    hint: bots.intervalHint,
    input: { inputmode: "numeric", pattern: "[0-9]{1,7}" },
  },
];

const addEntries = (texts: AdminTexts): readonly FormEntry<BotEntry>[] => {
  const { bots } = texts;
  const secret = { autocomplete: "new-password", maxlength: 512 } as const;
  return [
    { kind: "text", name: "account", label: bots.account, hint: bots.accountHint, input: { maxlength: 128 } },
    ...settingEntries(texts),
    {
      kind: "text",
      name: "secret",
      label: bots.secret,
      hint: bots.secretHint,
      optional: true,
      secret: true,
      input: secret,
    },
    { kind: "check", name: "noSecret", label: bots.noSecret, hint: bots.noSecretHint },
  ];
};

const settingsOf = (read: Read) => ({
  network: read("network").trim(),
  official: read("official") !== "",
  minInterval: Number(read("minInterval")),
});

const protocolOf = (read: Read): 11 | 12 | null =>
  read("protocol") === "" ? null : read("protocol") === "12" ? 12 : 11;

const secretOf = (read: Read) => {
  if (read("noSecret") !== "") return { secret: null };
  return read("secret") === "" ? {} : { secret: read("secret") };
};

interface ChangeProps {
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Adds an account, and shows its secret once. */
function AddBot({ onChange, onClose }: ChangeProps) {
  const { bots } = useOperator();
  const texts = useAdminTexts();
  const [secret, setSecret] = useState<string | null>(null);
  const add = async (read: Read): Promise<void> => {
    const [connect, protocol] = [textOr(read("connect"), null), protocolOf(read)];
    const given = { ...(connect !== null && { connect }), ...(protocol !== null && { protocol }), ...secretOf(read) };
    const { token } = await bots.add({ account: read("account").trim(), ...settingsOf(read), ...given });
    onChange();
    if (token === null) onClose();
    else setSecret(token);
  };
  if (secret !== null) {
    return <Secret title={texts.bots.added} lead={texts.bots.addedLead} secret={secret} onClose={onClose} />;
  }
  return (
    <DialogForm
      title={texts.bots.add}
      lead={texts.bots.addLead}
      entries={addEntries(texts)}
      initial={{ network: "qq", minInterval: "1200" }}
      submit={texts.bots.add}
      onSubmit={add}
      onClose={onClose}
    />
  );
}

/** True for the rooms of all users. */
const isOfficial = ({ groupTypes }: BotView): boolean => groupTypes.includes(0);

function ChangeBot({ bot, onChange, onClose }: ChangeProps & { readonly bot: BotView }) {
  const { bots } = useOperator();
  const { notices } = useApp();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { account, network, connect, protocol, minInterval } = bot;
  const change = async (read: Read): Promise<void> => {
    const places = { connect: textOr(read("connect"), null), protocol: protocolOf(read) };
    await bots.amend({ account, ...settingsOf(read), ...places });
    notices.say(texts.saved);
    onChange();
    onClose();
  };
  const initial = {
    network,
    official: isOfficial(bot) ? "on" : "",
    connect: connect ?? "",
    protocol: protocol === null ? "" : String(protocol),
    minInterval: String(minInterval ?? 0),
  };
  return (
    <DialogForm
      title={texts.bots.changeTitle(account)}
      entries={settingEntries(texts)}
      initial={initial}
      submit={shared.save}
      onSubmit={change}
      onClose={onClose}
    />
  );
}

function State({ bot }: { readonly bot: BotView }) {
  const { bots: texts } = useAdminTexts();
  const word = bot.online ? texts.online : bot.connected ? texts.connected : texts.away;
  return <span class={bot.online ? "presence on" : "presence"}>{word}</span>;
}

/** What is done with an account. Those of the server's own program do not change. */
function BotActions({ bot, onChange }: { readonly bot: BotView; readonly onChange: () => void }) {
  const { bots } = useOperator();
  const { notices } = useApp();
  const { bots: texts } = useAdminTexts();
  const { account } = bot;
  if (!bot.stored) return <p class="hint">{texts.fixed}</p>;
  const remove = async (): Promise<void> => {
    await bots.remove({ account });
    notices.say(texts.removed);
    onChange();
  };
  const title = texts.removeTitle(account);
  const question = { about: account, title, lead: texts.removeLead, confirm: texts.remove };
  return (
    <div class="actions links">
      <Opens look="link" label={texts.change} about={account}>
        {(close) => <ChangeBot bot={bot} onChange={onChange} onClose={close} />}
      </Opens>
      <Danger look="link" label={texts.remove} {...question} work={remove} />
    </div>
  );
}

function BotRow({ bot, onChange }: { readonly bot: BotView; readonly onChange: () => void }) {
  const texts = useAdminTexts();
  const { account, network, groupTypes } = bot;
  return (
    <li>
      <p class="first">
        <span class="name">{account}</span>
        <State bot={bot} />
      </p>
      <p class="hint">
        {network} · {groupTypes.map((type) => texts.rooms.types[type]).join(", ")}
      </p>
      <BotActions bot={bot} onChange={onChange} />
    </li>
  );
}

/** The accounts of external networks. */
export function BotList() {
  const { bots } = useOperator();
  const texts = useAdminTexts();
  const { value, failure, load } = useFetched(() => bots.list({}), [bots]);
  return (
    <section>
      <ListHead title={texts.sections.bots}>
        <Opens label={texts.bots.add} look="primary">
          {(close) => <AddBot onChange={load} onClose={close} />}
        </Opens>
      </ListHead>
      <Trouble failure={failure} onAgain={load} />
      {value === null && failure === null && <p class="quiet">{texts.loading}</p>}
      {value?.length === 0 && (
        <div class="none">
          <Tape>{"  BOTS  "}</Tape>
          <h3>{texts.bots.none}</h3>
          <p class="quiet">{texts.bots.noneLead}</p>
        </div>
      )}
      <ul class="held wide">
        {(value ?? []).map((bot) => (
          <BotRow key={`${bot.gateway} ${bot.account}`} bot={bot} onChange={load} />
        ))}
      </ul>
    </section>
  );
}
