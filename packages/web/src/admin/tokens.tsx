import type { TokenView } from "@telex/core";
import { useState } from "preact/hooks";
import { useApp, useFormat } from "../context.ts";
import { adminPath } from "../route.ts";
import { Command } from "../ui/command.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { DialogForm, type FormEntry, Opens, textOr } from "./form.tsx";
import { ListHead, Trouble, useFetched } from "./list.tsx";
import { type AdminTexts, useAdminTexts } from "./texts.ts";

const day = 86_400_000;
const lives = { default: undefined, day, month: 30 * day, year: 365 * day, endless: null } as const;
const lifeNames = ["default", "day", "month", "year", "endless"] as const;
type IssueEntry = "name" | "scope" | "device" | "life";

/** An admin issues tokens with `chat` to themselves only. */
const issueEntries = ({ tokens }: AdminTexts, isOwn: boolean): readonly FormEntry<IssueEntry>[] => {
  const scopes = isOwn ? (["profile", "device", "chat"] as const) : (["profile", "device"] as const);
  return [
    {
      kind: "text",
      name: "name",
      label: tokens.name,
      hint: tokens.nameHint,
      optional: true,
      input: { maxlength: 128 },
    },
    {
      kind: "select",
      name: "scope",
      label: tokens.scope,
      options: scopes.map((scope) => [scope, tokens.scopes[scope]]),
    },
    {
      kind: "text",
      name: "device",
      label: tokens.device,
      hint: tokens.deviceHint,
      optional: true,
      input: { maxlength: 64 },
    },
    { kind: "select", name: "life", label: tokens.life, options: lifeNames.map((life) => [life, tokens.lives[life]]) },
  ];
};

interface IssueProps {
  readonly userId: number;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Issues a token, and shows it once. */
function Issue({ userId, onChange, onClose }: IssueProps) {
  const { tokens } = useOperator();
  const { session } = useApp();
  const texts = useAdminTexts();
  const [secret, setSecret] = useState<string | null>(null);
  const issue = async (read: (name: IssueEntry) => string): Promise<void> => {
    const scope = read("scope") === "device" ? `device:${read("device").trim()}` : read("scope") || "profile";
    const name = textOr(read("name"), null);
    const life = lives[lifeNames.find((one) => one === read("life")) ?? "default"];
    const request = { userId, scopes: [scope], ...(name !== null && { name }), ...(life !== undefined && { life }) };
    setSecret((await tokens.issue(request)).token);
    onChange();
  };
  if (secret !== null)
    return <Secret title={texts.tokens.issued} lead={texts.tokens.issuedLead} secret={secret} onClose={onClose} />;
  return (
    <DialogForm
      title={texts.tokens.issue}
      lead={texts.tokens.issueLead}
      entries={issueEntries(texts, session.current.value?.person.userId === userId)}
      initial={{ scope: "profile", life: "default" }}
      submit={texts.tokens.issue}
      onSubmit={issue}
      onClose={onClose}
    />
  );
}

interface SecretProps {
  readonly title: string;
  readonly lead: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Something that is shown once. */
export function Secret({ title, lead, secret, onClose }: SecretProps) {
  return (
    <Dialog title={title} onClose={onClose} isKept>
      <p>{lead}</p>
      <Command>{secret}</Command>
    </Dialog>
  );
}

/** What a token is not valid for any more; null while it is. */
const endOf = ({ revoked, expiresAt }: TokenView, now: number): "revoked" | "expired" | null => {
  if (revoked) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : null;
};

interface TokenProps {
  readonly token: TokenView;
  /** True where the list has tokens of several users. */
  readonly namesUser: boolean;
  readonly onChange: () => void;
}

/** When a token was last used, and when it ends or why it has ended. */
function Life({ token }: Pick<TokenProps, "token">) {
  const { now } = useApp();
  const format = useFormat();
  const { tokens: texts } = useAdminTexts();
  const { lastUsedAt, expiresAt } = token;
  const end = endOf(token, now.value);
  const used = texts.used(lastUsedAt === null ? null : format.ago(Date.parse(lastUsedAt), now.value));
  const ends = texts.ends(expiresAt === null ? null : format.day(Date.parse(expiresAt)));
  return <p class="hint">{`${used} · ${end === null ? ends : texts.state(end)}`}</p>;
}

function TokenRow({ token, namesUser, onChange }: TokenProps) {
  const { tokens } = useOperator();
  const { notices, now } = useApp();
  const admin = useAdminTexts();
  const { tokens: texts } = admin;
  const { id, userId, scopes } = token;
  const name = token.name ?? admin.number(id);
  const isValid = endOf(token, now.value) === null;
  const revoke = async (): Promise<void> => {
    await tokens.revoke({ token: String(id) });
    notices.say(texts.revoked);
    onChange();
  };
  const title = texts.revokeTitle(name);
  const question = { about: name, title, lead: texts.revokeLead, confirm: texts.revoke };
  return (
    <li class={isValid ? "" : "ended"}>
      <p class="first">
        <span class="name" dir="auto">
          {name}
        </span>
        <span class="scopes">{scopes.join(" ")}</span>
      </p>
      <Life token={token} />
      <div class="actions links">
        {namesUser && <a href={adminPath("users", userId)}>{texts.of(userId)}</a>}
        {isValid && <Danger look="link" label={texts.revoke} {...question} work={revoke} />}
      </div>
    </li>
  );
}

/** Rows that are drawn at first, and with each press. */
const drawnRows = 100;

interface TokenRowsProps extends Omit<TokenProps, "token"> {
  readonly list: readonly TokenView[];
}

function TokenRows({ list, ...row }: TokenRowsProps) {
  const texts = useAdminTexts();
  const [shown, setShown] = useState(drawnRows);
  if (list.length === 0) return <p class="hint">{texts.tokens.nobody}</p>;
  return (
    <>
      <ul class="held">
        {list.slice(0, shown).map((token) => (
          <TokenRow key={token.id} token={token} {...row} />
        ))}
      </ul>
      {list.length > shown && <LinkButton onClick={() => setShown(shown + drawnRows)}>{texts.more}</LinkButton>}
    </>
  );
}

/** The tokens that can be used, newest first; with the others where `withEnded`. */
const listed = (list: readonly TokenView[], now: number, withEnded: boolean): readonly TokenView[] =>
  list.filter((token) => withEnded || endOf(token, now) === null).toSorted((a, b) => b.id - a.id);

/** The tokens of a user. */
export function UserTokens({ userId }: { readonly userId: number }) {
  const { tokens } = useOperator();
  const { now } = useApp();
  const texts = useAdminTexts();
  const { value, failure, load } = useFetched(() => tokens.list({ userId }), [tokens, userId]);
  return (
    <section class="card" aria-labelledby="tokens">
      <h3 id="tokens">{texts.sections.tokens}</h3>
      <Trouble failure={failure} onAgain={load} />
      {value !== null && <TokenRows list={listed(value, now.value, false)} namesUser={false} onChange={load} />}
      <div class="actions">
        <Opens label={texts.tokens.issue}>{(close) => <Issue userId={userId} onChange={load} onClose={close} />}</Opens>
      </div>
    </section>
  );
}

/** The tokens of all users. They are issued on the page of their user. */
export function TokenList() {
  const { tokens } = useOperator();
  const { now } = useApp();
  const texts = useAdminTexts();
  const [withEnded, setWithEnded] = useState(false);
  const { value, failure, load } = useFetched(() => tokens.list({}), [tokens]);
  return (
    <section>
      <ListHead title={texts.tokens.everyone}>
        <select
          aria-label={texts.tokens.show}
          value={withEnded ? "ended" : "valid"}
          onChange={({ currentTarget }) => setWithEnded(currentTarget.value === "ended")}
        >
          <option value="valid">{texts.tokens.valid}</option>
          <option value="ended">{texts.tokens.ended}</option>
        </select>
      </ListHead>
      <Trouble failure={failure} onAgain={load} />
      {value === null && failure === null && <p class="quiet">{texts.loading}</p>}
      {value !== null && <TokenRows list={listed(value, now.value, withEnded)} namesUser onChange={load} />}
    </section>
  );
}
