import type { FormAnswer, PluginForm } from "@telex/http";
import { TelexError } from "@telex/core";
import { parseInput } from "@telex/core/transport";
import { z } from "zod";
import { fields as inputs } from "../contract/fields.ts";
import { html, type Html } from "./html.ts";
import { alert, checkbox, field, form, hidden, submit } from "./look/fields.ts";
import { goTo, heading } from "./look/page.ts";
import { usedPasskey } from "../passkeys/responses.ts";
import { passkeyOffer } from "./passkeys/offer.ts";
import { readPasskey } from "./passkeys/submitted.ts";
import { noProblems, type Problems, problemsOf } from "./problems.ts";
import { providerButtons } from "./provider-buttons.ts";
import { defineForm, type FormDeps, type Visit } from "./visit.ts";

const path = "/user/sign-in";
const credentials = { input: z.object({ username: inputs.username, password: inputs.password }) };
const hour = 3_600_000;

/** Links for people without an account or a password. */
function help({ rules: { registration } }: FormDeps, { texts, address }: Visit): Html {
  const register = registration === "open" && html` <a href="${address("/user/register")}">${texts.register}</a>`;
  return html`<div class="stack small">
    <p class="hint">${texts.noAccount[registration]}${register}<br />${texts.lost}</p>
    <p><a href="/user/token">${texts.useToken}</a></p>
  </div>`;
}

/** The parts of the form that are shown again after a mistake. */
interface Shown {
  readonly username?: string;
  readonly stay?: boolean;
  /** The id of a passkey that no account here has. */
  readonly forget?: string | null;
}

function page(
  deps: FormDeps,
  visit: Visit,
  { lines, whole, status }: Problems,
  { username = "", stay = false, forget = null }: Shown = {},
): FormAnswer {
  const { texts, to, address, write } = visit;
  const hours = Math.max(1, Math.round(deps.rules.sessionLife / hour));
  const name = { name: "username", label: texts.username, autocomplete: "username webauthn", value: username } as const;
  const password = { name: "password", label: texts.password, autocomplete: "current-password" } as const;
  const content = form(
    { action: address(path) },
    alert(whole),
    hidden("to", to),
    field({ ...name, error: lines["username"], isFirst: username === "" }),
    field({ ...password, error: lines["password"], show: texts.show, isFirst: username !== "" }),
    checkbox("stay", texts.stay, texts.stayHint(hours), stay),
    submit(texts.signIn),
    passkeyOffer(visit, {
      way: "get",
      options: "signIn/options",
      label: texts.passkey.use,
      isListed: true,
      forget,
    }),
    providerButtons(deps.providers, visit, "enter"),
  );
  const parts = [heading(texts.signIn), content, help(deps, visit)];
  return write({ title: texts.signIn, content: parts, status, hasPasskeys: true });
}

/** Signs in with the passkey that the script has put into the form. Null without one. */
async function takePasskey(deps: FormDeps, visit: Visit, fields: ReadonlyMap<string, string>) {
  let forget: string | null = null;
  try {
    const passkey = readPasskey(usedPasskey, fields);
    if (passkey === undefined) return null;
    forget = passkey.id;
    await deps.entering.signInWithPasskey({ passkey, stay: fields.has("stay") }, visit.request);
    return goTo(visit.to);
  } catch (error) {
    const isUnknown = TelexError.is(error) && error.reason === "passkey_unknown";
    const shown = { stay: fields.has("stay"), ...(isUnknown && { forget }) };
    return page(deps, visit, problemsOf(error, visit.locale), shown);
  }
}

/** Signing in with a password or a passkey. A person who is signed in already is redirected. */
export const signInForm = (deps: FormDeps): PluginForm =>
  defineForm(deps, {
    path,
    async show(visit) {
      const current = await deps.services.sessions.find(visit.request.header);
      if (current !== null) return goTo(visit.to);
      deps.services.seen.mark(visit.request);
      return page(deps, visit, noProblems);
    },
    async take(visit, fields) {
      const byPasskey = await takePasskey(deps, visit, fields);
      if (byPasskey !== null) return byPasskey;
      const username = (fields.get("username") ?? "").trim();
      const stay = fields.has("stay");
      try {
        const input = parseInput(credentials, { username, password: fields.get("password") });
        await deps.entering.signIn({ ...input, stay }, visit.request);
        return goTo(visit.to);
      } catch (error) {
        return page(deps, visit, problemsOf(error, visit.locale), { username, stay });
      }
    },
  });
