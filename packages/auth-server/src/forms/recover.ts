import type { Account } from "@telex/core/storage";
import { parseInput } from "@telex/core/transport";
import type { FormAnswer, PluginForm } from "@telex/http";
import { z } from "zod";
import { fields as inputs } from "../contract/fields.ts";
import { createdPasskey } from "../passkeys/responses.ts";
import { html, type Html } from "./html.ts";
import { askForLink, secretIn } from "./links.ts";
import { alert, checkbox, field, form, hidden, submit } from "./look/fields.ts";
import { goTo, heading } from "./look/page.ts";
import { passkeyOffer } from "./passkeys/offer.ts";
import { readPasskey, submittedId } from "./passkeys/submitted.ts";
import { noProblems, type Problems, problemsOf } from "./problems.ts";
import { dayOf, defineForm, type FormDeps, type Visit } from "./visit.ts";

const path = "/user/recover";
const given = { input: z.object({ password: inputs.password }) };

type Fields = ReadonlyMap<string, string>;

/** The name of the box that keeps a way to sign in. A way without a tick is removed, even if it was added after the page was shown. */
const boxOf = (kind: "passkey" | "identity", id: string): string => `keep-${kind}-${id}`;

/** The ways to sign in that the account has, each with a box that keeps it. */
function others(visit: Visit, { passkeys, identities }: Account, values: Fields): Html | null {
  const { recover: texts } = visit.texts;
  if (passkeys.length + identities.length === 0) return null;
  const box = (name: string, label: string, createdAt: number): Html =>
    checkbox(name, label, texts.added(dayOf(createdAt, visit)), values.has(name));
  return html`<fieldset class="stack">
    <legend>${texts.keep}</legend>
    <p class="hint">${texts.keepLead}</p>
    ${passkeys.map(({ credentialId, name, createdAt }) =>
      box(boxOf("passkey", credentialId), texts.passkey(name), createdAt),
    )}${identities.map(({ issuer, name, createdAt }) => box(boxOf("identity", issuer), `${issuer}: ${name}`, createdAt))}
  </fieldset>`;
}

/** The username stands in a line of its own, so that the browser keeps the new password for it. */
function page(visit: Visit, account: Account, values: Fields, problems: Problems): FormAnswer {
  const { texts, address, write } = visit;
  const { title, lead, warning, submit: button } = texts.recover;
  const content = form(
    { action: address(path) },
    alert(problems.whole),
    hidden("secret", secretIn(values.get("secret"))),
    field({
      name: "username",
      label: texts.username,
      autocomplete: "username",
      value: account.username,
      isFixed: true,
    }),
    others(visit, account, values),
    field({
      name: "password",
      label: texts.newPassword,
      autocomplete: "new-password",
      hint: texts.newPasswordHint,
      error: problems.lines["password"],
      show: texts.show,
      isFirst: true,
    }),
    html`<p class="hint">${warning}</p>`,
    submit(button),
    passkeyOffer(visit, {
      way: "create",
      options: "recover/options",
      sends: ["secret"],
      label: texts.passkey.make,
      forget: submittedId(values),
    }),
  );
  return write({ title, content: [heading(title, lead), content], status: problems.status, hasPasskeys: true });
}

const readWay = (values: Fields) => {
  const passkey = readPasskey(createdPasskey, values);
  return passkey === undefined ? parseInput(given, { password: values.get("password") }) : { passkey };
};

const remaining = ({ passkeys, identities }: Account, values: Fields) => ({
  keepPasskeys: passkeys
    .map(({ credentialId }) => credentialId)
    .filter((credentialId) => values.has(boxOf("passkey", credentialId))),
  keepIdentities: identities.map(({ issuer }) => issuer).filter((issuer) => values.has(boxOf("identity", issuer))),
});

/** Setting a new password or passkey with a link of an admin. Looking at the link does not use it. */
export const recoverForm = (deps: FormDeps): PluginForm =>
  defineForm(deps, {
    path,
    show: (visit) => askForLink(visit, { path, title: visit.texts.recover.title, submitsItself: true }),
    async take(visit, values) {
      const secret = secretIn(values.get("secret"));
      const account = await deps.services.recovery.find(secret);
      if (!values.has("password")) return page(visit, account, values, noProblems);
      try {
        await deps.entering.recover({ secret, ...readWay(values), ...remaining(account, values) }, visit.request);
        return goTo(visit.to);
      } catch (error) {
        return page(visit, account, values, problemsOf(error, visit.locale));
      }
    },
  });
