import type { TelexError } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import { describeError, type Locale } from "@telex/core/transport";
import type { FormAnswer, FormCall, PluginForm } from "@telex/http";
import { relyingPartyOf } from "../passkeys/relying-party.ts";
import { localPath } from "../requests/local-path.ts";
import { type OffReason, offReason } from "../requests/places.ts";
import type { Entering } from "../routes/entering.ts";
import type { RouteParts } from "../routes/parts.ts";
import type { AuthRules } from "../options.ts";
import { html, type Html } from "./html.ts";
import { heading, type Slip, writePage } from "./look/page.ts";
import { pageStatus } from "./problems.ts";
import { formTexts } from "./texts/texts.ts";
import type { FormTexts } from "./texts/type.ts";

export interface FormDeps extends Omit<RouteParts, "origins"> {
  readonly entering: Entering;
  readonly rules: AuthRules;
  readonly baseUrl: () => string;
  /** True if sessions are permitted over HTTP beyond this machine. */
  readonly insecureCookies: boolean;
}

/** A visit to a form. */
export interface Visit {
  readonly request: CallRequest;
  readonly locale: Locale;
  /** The query of the address, as it was sent. */
  readonly query: URLSearchParams;
  readonly texts: FormTexts;
  /** The server as people know it. */
  readonly host: string;
  /** The host name that passkeys belong to; null if browsers have none. */
  readonly rpId: string | null;
  /** Where the person goes afterwards. */
  readonly to: string;
  /** The address of a form in the language of the visit. */
  readonly address: (path: string) => string;
  readonly write: (
    slip: Pick<Slip, "title" | "content" | "status" | "targets" | "leadsTo" | "hasPasskeys">,
  ) => FormAnswer;
}

/** The address after signing in, unless the browser has asked for another one. */
const start = "/user/";

function visitOf({ baseUrl }: Pick<FormDeps, "baseUrl">, { request, locale, query, fields }: FormCall): Visit {
  const { host } = new URL(baseUrl());
  const rpId = relyingPartyOf(baseUrl())?.rpId ?? null;
  const to = localPath(fields?.get("to") ?? query.get("to"), start);
  const address = (path: string): string => {
    const params = new URLSearchParams({ ...(query.has("lang") && { lang: locale }), ...(to !== start && { to }) });
    return params.size === 0 ? path : `${path}?${params.toString()}`;
  };
  const write: Visit["write"] = ({ hasPasskeys = false, ...slip }) =>
    writePage({ ...slip, locale, query, host, hasPasskeys: hasPasskeys && rpId !== null });
  return { request, locale, query, texts: formTexts(locale), host, rpId, to, address, write };
}

/** A day in the language of a visit. */
export const dayOf = (time: number, { locale }: Visit): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(time);

const tokenLink = ({ texts }: Pick<Visit, "texts">): Html => html`<p><a href="/user/token">${texts.useToken}</a></p>`;

/** Explains why signing in is impossible here. */
function offPage({ texts, write }: Visit, reason: OffReason): FormAnswer {
  const { title, ask } = texts.off;
  const content = [
    heading(title),
    html`<p>${texts.off[reason]}</p>`,
    html`<div>
      <p class="hint">${ask}</p>
      ${tokenLink({ texts })}
    </div>`,
  ];
  return write({ title, content, status: 403 });
}

/** The page for a request that was refused as a whole. */
function refusal({ baseUrl }: FormDeps, path: string, error: TelexError, { texts, write, locale }: Visit): FormAnswer {
  const isForeign = error.code === "cross_origin";
  const text = isForeign ? texts.foreign : describeError(error, locale);
  const address = `${baseUrl()}${path}`;
  const link = isForeign
    ? html`<p><a href="${address}">${texts.openHere} ${address}</a></p>`
    : html`<p><a href="/user/sign-in">${texts.back}</a></p>`;
  const content = [heading(texts.refused), html`<p role="alert">${text}</p>`, link];
  const page = write({ title: texts.refused, content, status: pageStatus(error) });
  const after = error.retryAfter;
  return after === undefined
    ? page
    : { ...page, headers: { ...page.headers, "retry-after": String(Math.ceil(after)) } };
}

/** How a form is shown and what is done with its fields. Both may throw TelexErrors, which are shown on a page. */
interface FormDefinition {
  readonly path: string;
  readonly show: (visit: Visit) => FormAnswer | Promise<FormAnswer>;
  readonly take: (visit: Visit, fields: ReadonlyMap<string, string>) => Promise<FormAnswer>;
}

const nowhere = { header: () => null, address: () => null, setHeader: () => {} };

/** A form that is shown only if people can sign in. */
export const defineForm = (deps: FormDeps, { path, show, take }: FormDefinition): PluginForm => ({
  path,
  async answer(call) {
    const visit = visitOf(deps, call);
    const reason = deps.insecureCookies ? null : offReason(deps.baseUrl(), call.request.header("host"));
    if (reason !== null) return offPage(visit, reason);
    return await (call.fields === null ? show(visit) : take(visit, call.fields));
  },
  refuse: (error, locale, query) =>
    refusal(deps, path, error, visitOf(deps, { request: nowhere, locale, query, fields: null })),
});
