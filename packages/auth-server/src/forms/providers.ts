import { TelexError } from "@telex/core";
import type { FormAnswer, PluginForm } from "@telex/http";
import { ProviderFailure, type ProviderFailureReason } from "../providers/failure.ts";
import type { Flow } from "../providers/flows.ts";
import type { Providers } from "../providers/providers.ts";
import { assertNotForeign, assertSamePage } from "../routes/request.ts";
import { html } from "./html.ts";
import { secretIn } from "./links.ts";
import { goTo, heading } from "./look/page.ts";
import { defineForm, type FormDeps, type Visit } from "./visit.ts";

interface ProviderFormDeps extends FormDeps {
  readonly origins: () => ReadonlySet<string>;
}

const path = "/user/providers";

const statuses: Readonly<Record<ProviderFailureReason, number>> = {
  unavailable: 503,
  refused: 400,
  denied: 403,
  ended: 400,
  forbidden: 403,
  unknown: 403,
  taken: 409,
  linked: 409,
  changed: 409,
};

/** Shows the reason of a failed sign-in. Rethrows other errors. */
function failurePage({ texts, address, write }: Visit, error: unknown, name: string): FormAnswer {
  if (!(error instanceof ProviderFailure)) throw error;
  const text = texts.provider.failures[error.reason](name);
  const content = [
    heading(texts.refused),
    html`<p role="alert">${text}</p>`,
    html`<p><a href="${address("/user/sign-in")}">${texts.back}</a></p>`,
  ];
  return write({ title: texts.refused, content, status: statuses[error.reason] });
}

/** Browsers would not follow a redirect to another site after a form, because of `form-action`; so a page sends them on. */
function leavingPage({ texts, write }: Visit, name: string, url: URL): FormAnswer {
  const title = texts.provider.leaving(name);
  const link = html`<p><a class="button primary" href="${url.href}">${texts.goOn}</a></p>`;
  const content = [heading(title, texts.provider.leavingLead(url.host)), link];
  return write({ title, content, leadsTo: url.href });
}

const nameOf = ({ list }: Providers, id: string): string => list.find((one) => one.id === id)?.name ?? id;

/** The purpose that a button has; `link` has its own route, which asks for the password. */
const readPurpose = (purpose: string | null): Exclude<Flow["purpose"], "link"> =>
  purpose === "join" || purpose === "setup" || purpose === "confirm" ? purpose : "enter";

/** Sends a person to a provider. */
function startForm(deps: ProviderFormDeps): PluginForm {
  const { providers, services, origins } = deps;
  const { open, sessions } = services;
  const depart = async (visit: Visit, fields: ReadonlyMap<string, string>, provider: string): Promise<URL> => {
    const { request, query, to } = visit;
    const purpose = readPurpose(query.get("for"));
    const departure = { provider, purpose, to, stay: fields.has("stay") };
    if (purpose === "enter") return await providers.begin({ ...departure, current: null }, request);
    if (purpose === "confirm") {
      assertSamePage(request, origins);
      const current = await sessions.find(request.header);
      if (current === null) throw new ProviderFailure("changed");
      return await providers.begin({ ...departure, current }, request);
    }
    const secret = secretIn(fields.get("secret"));
    await (purpose === "join" ? open.look(secret) : open.assertSetup(secret));
    return await providers.begin({ ...departure, secret, current: null }, request);
  };
  return defineForm(deps, {
    path,
    show: ({ address }) => goTo(address("/user/sign-in")),
    async take(visit, fields) {
      assertNotForeign(visit.request, origins);
      const id = fields.get("provider") ?? "";
      const name = nameOf(providers, id);
      try {
        return leavingPage(visit, name, await depart(visit, fields, id));
      } catch (error) {
        return failurePage(visit, error, name);
      }
    },
  });
}

/** Where a provider sends the browser back to. */
const returnForm = (deps: ProviderFormDeps, { id, name }: Providers["list"][number]): PluginForm =>
  defineForm(deps, {
    path: `${path}/${id}`,
    async show(visit) {
      const { request, query } = visit;
      try {
        return goTo(
          await deps.providers.end(id, query, request, (account, stay) => deps.entering.admit(account, stay, request)),
        );
      } catch (error) {
        const address = request.address();
        deps.telex.security.noteOnce("account.refused", `${id} ${address}`, { userId: null, address });
        return failurePage(visit, error, name);
      }
    },
    take: () => Promise.reject(new TelexError("not_found")),
  });

/** The forms of other providers; empty without providers. */
export function providerForms(deps: ProviderFormDeps): readonly PluginForm[] {
  const { list } = deps.providers;
  return list.length === 0 ? [] : [startForm(deps), ...list.map((one) => returnForm(deps, one))];
}
