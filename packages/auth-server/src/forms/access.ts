import type { FormAnswer } from "@telex/http";
import type { OAuth } from "../oauth/oauth.ts";
import { deviceOf, isDeviceScope, type OAuthScope } from "../oauth/scopes.ts";
import { html, type Html } from "./html.ts";
import { goTo } from "./look/page.ts";
import type { FormDeps, Visit } from "./visit.ts";

export interface AccessFormDeps extends FormDeps {
  readonly oauth: OAuth;
  readonly origins: () => ReadonlySet<string>;
}

/** The access that is asked for, and its user. */
interface AccessAsked {
  readonly scopes: readonly OAuthScope[];
  readonly userId: number;
}

type Told = Pick<Visit, "texts">;

/** Explains a scope. It names only the user's own devices. */
async function explain({ storage }: AccessFormDeps, { texts: { consent } }: Told, scope: OAuthScope, userId: number) {
  if (!isDeviceScope(scope)) return consent.scopes[scope];
  const id = deviceOf(scope);
  const device = await storage.teleprinter.findDevice(id);
  return consent.oneDevice(id, device?.owner === userId ? device.name : null);
}

/** A list that explains each scope. */
export async function scopeList(deps: AccessFormDeps, visit: Told, { scopes, userId }: AccessAsked): Promise<Html> {
  const lines = await Promise.all(scopes.map(async (scope) => await explain(deps, visit, scope, userId)));
  return html`<ul>
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

/** The two buttons. */
export const allowOrDeny = ({ texts: { consent } }: Visit): Html =>
  html`<button class="primary" name="answer" value="allow">${consent.allow}</button
    ><button name="answer" value="deny">${consent.deny}</button>`;

/** Sends a person who is not signed in to the sign-in page, and back afterwards. */
export const toSignIn = (back: string): FormAnswer => goTo(`/user/sign-in?to=${encodeURIComponent(back)}`);
