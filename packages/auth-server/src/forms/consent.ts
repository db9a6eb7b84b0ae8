import { TelexError } from "@telex/core";
import type { FormAnswer, PluginForm } from "@telex/http";
import type { Question } from "../oauth/interactions.ts";
import { hostOfClient } from "../oauth/clients/documents.ts";
import { assertSamePage } from "../routes/request.ts";
import type { Current } from "../sessions/sessions.ts";
import { html, type Html } from "./html.ts";
import { alert, field, form, hidden, submit } from "./look/fields.ts";
import { goTo, heading } from "./look/page.ts";
import { usedPasskey } from "../passkeys/responses.ts";
import { passkeyOffer } from "./passkeys/offer.ts";
import { readPasskey } from "./passkeys/submitted.ts";
import { noProblems, type Problems, problemsOf } from "./problems.ts";
import { type AccessFormDeps, allowOrDeny, scopeList, toSignIn } from "./access.ts";
import { providerButtons } from "./provider-buttons.ts";
import { defineForm, type Visit } from "./visit.ts";

const path = "/user/consent";

/** The question of an application, and the person who is asked. */
interface Asked {
  readonly uid: string;
  readonly current: Current;
  readonly question: Question;
}

const password = (visit: Visit, problems: Problems): Html => {
  const { texts } = visit;
  const line = { name: "password", label: texts.password, autocomplete: "current-password" } as const;
  return field({ ...line, error: problems.lines["password"], show: texts.show, isFirst: true });
};

/** Buttons to confirm at a provider where the person also has an account, and to return. */
const confirmElsewhere = ({ providers }: AccessFormDeps, visit: Visit, uid: string): Html =>
  html`${hidden("to", `${path}?uid=${encodeURIComponent(uid)}`)}${providerButtons(providers, visit, "confirm")}`;
/** The ways in which the person can confirm: those that the account has. */
const passkey = (visit: Visit, { account }: Current): Html | null =>
  account.passkeys.length === 0
    ? null
    : passkeyOffer(visit, { way: "get", options: "confirm/options", label: visit.texts.passkey.confirm });

/** The password or the passkey of a form. */
function readProof(fields: ReadonlyMap<string, string>) {
  const used = readPasskey(usedPasskey, fields);
  return used === undefined ? { password: fields.get("password") ?? "" } : { passkey: used };
}

/** The page that says what the application gets, with a button for each answer. */
async function page(
  deps: AccessFormDeps,
  visit: Visit,
  { uid, current, question }: Asked,
  problems: Problems,
): Promise<FormAnswer> {
  const { texts, write } = visit;
  const { client, consent, confirm, scopes, target } = question;
  const host = hostOfClient(client.id);
  const name = host === null ? client.name : `${client.name} (${host})`;
  const title = consent ? texts.consent.title(name) : texts.consent.signIn(name);
  const lead = consent ? texts.consent.asks(current.account.username) : texts.consent.confirm;
  const content = form(
    { action: path },
    alert(problems.whole),
    hidden("uid", uid),
    consent && (await scopeList(deps, visit, { scopes, userId: current.account.userId })),
    host !== null && html`<p class="hint">${texts.consent.from(host)}</p>`,
    target !== null && html`<p class="hint">${texts.consent.leads(target)}</p>`,
    confirm && current.account.passwordHash !== null && password(visit, problems),
    consent ? allowOrDeny(visit) : current.account.passwordHash !== null && submit(texts.signIn),
    confirm && passkey(visit, current),
    confirm && current.account.identities.length > 0 && confirmElsewhere(deps, visit, uid),
  );
  // Without the address of the application, browsers would not follow the redirect after the form.
  const targets = target === null ? [] : [target];
  return write({
    title,
    content: [heading(title, lead), content],
    status: problems.status,
    targets,
    hasPasskeys: confirm,
  });
}

/** Asks whether an application gets access. If only the sign-in was missing, the browser continues without a question. */
export function consentForm(deps: AccessFormDeps): PluginForm {
  const { services, oauth, origins } = deps;
  const { interactions } = oauth;
  const answer = async (uid: string, current: Current, isAllowed: boolean): Promise<FormAnswer> =>
    goTo(await interactions.answer(uid, current, isAllowed));
  const currentOf = async ({ request }: Visit): Promise<Current> => {
    const current = await services.sessions.find(request.header);
    if (current === null) throw new TelexError("invalid_token");
    return current;
  };
  return defineForm(deps, {
    path,
    async show(visit) {
      const uid = visit.query.get("uid") ?? "";
      const current = await services.sessions.find(visit.request.header);
      if (current === null) return toSignIn(`${path}?uid=${encodeURIComponent(uid)}`);
      const question = await interactions.look(uid, current);
      if (!question.consent && !question.confirm) return await answer(uid, current, true);
      return await page(deps, visit, { uid, current, question }, noProblems);
    },
    async take(visit, fields) {
      assertSamePage(visit.request, origins);
      const uid = fields.get("uid") ?? "";
      const current = await services.sessions.find(visit.request.header);
      if (current === null) return toSignIn(`${path}?uid=${encodeURIComponent(uid)}`);
      if (fields.get("answer") === "deny") return await answer(uid, current, false);
      const question = await interactions.look(uid, current);
      if (!question.confirm) return await answer(uid, current, true);
      try {
        await services.own.confirm(current, readProof(fields), visit.request);
      } catch (error) {
        return await page(deps, visit, { uid, current, question }, problemsOf(error, visit.locale));
      }
      return await answer(uid, await currentOf(visit), true);
    },
  });
}
