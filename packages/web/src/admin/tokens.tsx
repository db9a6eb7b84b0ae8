import type { TokenView } from "@telex/core";
import { useCallback, useState } from "preact/hooks";
import { useApp, useFormat } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { Select } from "../ui/forms/select.tsx";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { optionsOf } from "../ui/actions/form.tsx";
import { Opens } from "../ui/actions/dialog-form.tsx";
import { ItemRow } from "./parts/item-list.tsx";
import { ListHead, PagedList } from "./parts/list.tsx";
import { type Pages, usePages } from "./parts/pages.ts";
import { useAdminTexts } from "./texts/texts.ts";
import { Issue } from "./issue-token.tsx";

/** The reason why a token is no longer valid, or null. */
const endOf = ({ revoked, expiresAt }: TokenView, now: number): "revoked" | "expired" | null => {
  if (revoked) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : null;
};

interface TokenProps {
  readonly token: TokenView;
  /** True if the list contains tokens of several users. */
  readonly namesUser: boolean;
  readonly onChange: () => void;
}

/** The last use of a token, and its expiry or the reason why it is no longer valid. */
function Life({ token }: Pick<TokenProps, "token">) {
  const { now } = useApp();
  const format = useFormat();
  const { tokens: texts } = useAdminTexts();
  const { lastUsedAt, expiresAt } = token;
  const end = endOf(token, now.value);
  const used = texts.used(lastUsedAt === null ? null : format.ago(Date.parse(lastUsedAt), now.value));
  const ends = texts.ends(expiresAt === null ? null : format.day(Date.parse(expiresAt)));
  return <>{`${used} · ${end === null ? ends : texts.state(end)}`}</>;
}

function Revoke({ id, name, onChange }: { readonly id: number; readonly name: string; readonly onChange: () => void }) {
  const { tokens } = useOperator();
  const { tokens: texts } = useAdminTexts();
  const revoke = async (): Promise<string> => {
    await tokens.revoke({ token: String(id) });
    onChange();
    return texts.revoked;
  };
  const question = { label: texts.revoke, title: texts.revokeTitle(name), lead: texts.revokeLead };
  return <Danger look="link" about={name} {...question} work={revoke} />;
}

function TokenRow({ token, namesUser, onChange }: TokenProps) {
  const { now } = useApp();
  const texts = useAdminTexts();
  const { id, userId, scopes } = token;
  const name = token.name ?? texts.number(id);
  const isEnded = endOf(token, now.value) !== null;
  const side = <span class="scopes">{scopes.join(" ")}</span>;
  return (
    <ItemRow name={name} side={side} about={<Life token={token} />} isEnded={isEnded}>
      {namesUser && <a href={adminPath("users", userId)}>{texts.tokens.of(userId)}</a>}
      {!isEnded && <Revoke id={id} name={name} onChange={onChange} />}
    </ItemRow>
  );
}

/** The number of tokens per page. It is high because tokens that are no longer valid are hidden. */
const pageSize = 1000;

const keyOf = ({ id }: TokenView): number => id;

interface TokenRowsProps {
  readonly pages: Pages<TokenView>;
  readonly withEnded: boolean;
  readonly namesUser: boolean;
}

/** The valid tokens in order of ID. With `withEnded`, all tokens. */
function TokenRows({ pages, withEnded, namesUser }: TokenRowsProps) {
  const { now } = useApp();
  const texts = useAdminTexts();
  const row = { namesUser, onChange: () => void pages.load() };
  return (
    <PagedList
      pages={pages}
      wordsOf={null}
      isListed={(token) => withEnded || endOf(token, now.value) === null}
      label={texts.sections.tokens}
      look="items"
      row={(token) => <TokenRow key={token.id} token={token} {...row} />}
    />
  );
}

interface Page {
  readonly limit: number;
  readonly after?: number;
}

export function UserTokens({ userId }: { readonly userId: number }) {
  const { tokens } = useOperator();
  const texts = useAdminTexts();
  const list = useCallback((page: Page) => tokens.list({ userId, ...page }), [tokens, userId]);
  const pages = usePages(list, pageSize, keyOf);
  const issue = (
    <Opens label={texts.tokens.issue}>
      {(close) => <Issue userId={userId} onChange={() => void pages.load()} onClose={close} />}
    </Opens>
  );
  return (
    <Card title={texts.sections.tokens} actions={issue}>
      <TokenRows pages={pages} withEnded={false} namesUser={false} />
    </Card>
  );
}

/** The tokens of all users. They are issued on the page of their user. */
export function TokenList() {
  const { tokens } = useOperator();
  const { tokens: texts } = useAdminTexts();
  const [show, setShow] = useState("valid");
  const pages = usePages(tokens.list, pageSize, keyOf);
  const options = optionsOf(["valid", "ended"], texts);
  return (
    <section>
      <ListHead title={texts.everyone}>
        <Select aria-label={texts.show} value={show} options={options} onValue={setShow} />
      </ListHead>
      <TokenRows pages={pages} withEnded={show === "ended"} namesUser />
    </section>
  );
}
