import type { BotView } from "@telex/core";
import { useTexts } from "../app/context.ts";
import { Tape } from "../ui/panes/tape.tsx";
import { useOperator } from "./parts/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { Fetched, useFetched } from "./parts/fetched.tsx";
import { type Read, textOrNull } from "../ui/actions/form.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { ItemList, ItemRow } from "./parts/item-list.tsx";
import { ListHead } from "./parts/list.tsx";
import { SecretForm } from "../ui/actions/secret.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import {
  type SettingEntry,
  type BotEntry,
  settingEntries,
  addEntries,
  settingsOf,
  protocolOf,
  requestOf,
  initialOf,
} from "./bot-form.ts";

interface ChangeProps {
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Adds an account, and shows its secret once. */
function AddBot({ onChange, onClose }: ChangeProps) {
  const { bots } = useOperator();
  const texts = useAdminTexts();
  const { add, addLead: lead, added, addedLead } = texts.bots;
  const issue = async (read: Read<BotEntry>): Promise<string | null> => {
    const { token } = await bots.add(requestOf(read));
    onChange();
    return token;
  };
  const form = { title: add, lead, submit: add, shown: { title: added, lead: addedLead }, issue, onClose };
  return <SecretForm entries={addEntries(texts)} initial={{ network: "qq", minInterval: "1200" }} {...form} />;
}

interface BotProps {
  readonly bot: BotView;
  readonly onChange: () => void;
}

function ChangeBot({ bot, onChange, onClose }: ChangeProps & BotProps) {
  const { bots } = useOperator();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { account } = bot;
  const change = async (read: Read<SettingEntry>): Promise<string> => {
    const fields = { name: textOrNull(read("name")), connect: textOrNull(read("connect")) };
    await bots.amend({ account, ...settingsOf(read), ...fields, protocol: protocolOf(read) });
    onChange();
    return texts.saved;
  };
  const form = { title: texts.bots.changeTitle(account), submit: shared.save, onSubmit: change, onClose };
  return <DialogForm entries={settingEntries(texts)} initial={initialOf(bot)} {...form} />;
}

function RemoveBot({ bot, onChange }: BotProps) {
  const { bots } = useOperator();
  const { bots: texts } = useAdminTexts();
  const { account } = bot;
  const remove = async (): Promise<string> => {
    await bots.remove({ account });
    onChange();
    return texts.removed;
  };
  const question = { label: texts.remove, title: texts.removeTitle(account), lead: texts.removeLead };
  return <Danger look="link" about={account} {...question} work={remove} />;
}

/** The actions for an account. Accounts of the server program cannot be changed. */
function BotActions({ bot, onChange }: BotProps) {
  const { bots: texts } = useAdminTexts();
  if (!bot.stored) return <span class="hint">{texts.fixed}</span>;
  return (
    <>
      <Opens look="link" label={texts.change} about={bot.account}>
        {(close) => <ChangeBot bot={bot} onChange={onChange} onClose={close} />}
      </Opens>
      <RemoveBot bot={bot} onChange={onChange} />
    </>
  );
}

function State({ bot }: { readonly bot: BotView }) {
  const { bots: texts } = useAdminTexts();
  const word = bot.online ? texts.online : bot.connected ? texts.connected : texts.away;
  return <span class={bot.online ? "presence on" : "presence"}>{word}</span>;
}

function BotRow({ bot, onChange }: BotProps) {
  const { rooms: texts } = useAdminTexts();
  const { account, name, network, groupTypes } = bot;
  const about = [
    ...(name === null ? [] : [account]),
    network,
    groupTypes.map((type) => texts.types[type]).join(", "),
  ].join(" · ");
  return (
    <ItemRow name={name ?? account} side={<State bot={bot} />} about={about}>
      <BotActions bot={bot} onChange={onChange} />
    </ItemRow>
  );
}

function NoBots() {
  const { bots: texts } = useAdminTexts();
  return (
    <div class="none">
      <Tape>{"  BOTS  "}</Tape>
      <h3>{texts.none}</h3>
      <p class="quiet">{texts.noneLead}</p>
    </div>
  );
}

export function BotList() {
  const { bots } = useOperator();
  const texts = useAdminTexts();
  const fetched = useFetched(() => bots.list({}), [bots]);
  const row = (bot: BotView) => <BotRow key={`${bot.gateway} ${bot.account}`} bot={bot} onChange={fetched.load} />;
  return (
    <section>
      <ListHead title={texts.sections.bots}>
        <Opens label={texts.bots.add} look="primary">
          {(close) => <AddBot onChange={fetched.load} onClose={close} />}
        </Opens>
      </ListHead>
      <Fetched from={fetched}>{(items) => <ItemList items={items} none={<NoBots />} row={row} look="wide" />}</Fetched>
    </section>
  );
}
