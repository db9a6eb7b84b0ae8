import { useApp } from "../app/context.ts";
import { useOperator } from "./parts/context.ts";
import { type FormEntries, optionsOf, type Read, textOrNull } from "../ui/actions/form.tsx";
import { SecretForm } from "../ui/actions/secret.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import type { AdminTexts } from "./texts/type.ts";

const day = 86_400_000;

const lives = { default: undefined, day, month: 30 * day, year: 365 * day, endless: null } as const;

const lifeNames = ["default", "day", "month", "year", "endless"] as const;

type IssueEntry = "name" | "scope" | "device" | "life";

const commonScopes = ["profile", "device"] as const;

/** Admins can issue tokens with `chat` only to themselves. */
const ownScopes = [...commonScopes, "chat"] as const;

const issueEntries = ({ tokens }: AdminTexts, isOwn: boolean): FormEntries<IssueEntry> => ({
  name: { label: tokens.name, hint: tokens.nameHint, optional: true, input: { maxlength: 128 } },
  scope: { kind: "select", label: tokens.scope, options: optionsOf(isOwn ? ownScopes : commonScopes, tokens.scopes) },
  device: { label: tokens.device, hint: tokens.deviceHint, optional: true, input: { maxlength: 64 } },
  life: { kind: "select", label: tokens.life, options: optionsOf(lifeNames, tokens.lives) },
});

/** The token from the form. */
function requestOf(read: Read<IssueEntry>) {
  const scope = read("scope") === "device" ? `device:${read("device").trim()}` : read("scope");
  const name = textOrNull(read("name"));
  const life = lives[lifeNames.find((one) => one === read("life")) ?? "default"];
  return { scopes: [scope], ...(name !== null && { name }), ...(life !== undefined && { life }) };
}

interface IssueProps {
  readonly userId: number;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Issues a token, and shows it once. */
export function Issue({ userId, onChange, onClose }: IssueProps) {
  const { tokens } = useOperator();
  const { session } = useApp();
  const texts = useAdminTexts();
  const { issue: label, issueLead: lead, issued, issuedLead } = texts.tokens;
  const isOwn = session.current.value?.person.userId === userId;
  const issue = async (read: Read<IssueEntry>): Promise<string> => {
    const { token } = await tokens.issue({ userId, ...requestOf(read) });
    onChange();
    return token;
  };
  const form = { title: label, lead, submit: label, shown: { title: issued, lead: issuedLead }, issue, onClose };
  return <SecretForm entries={issueEntries(texts, isOwn)} initial={{ scope: "profile", life: "default" }} {...form} />;
}
