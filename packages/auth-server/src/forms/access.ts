import type { FormAnswer } from "@telex/http";
import type { OAuth } from "../oauth/oauth.ts";
import type { OAuthScope } from "../oauth/scopes.ts";
import { html, type Html } from "./html.ts";
import { goTo } from "./look/page.ts";
import type { FormDeps, Visit } from "./visit.ts";

/** The dependencies of the forms that give access to applications. */
export interface AccessFormDeps extends FormDeps {
  readonly oauth: OAuth;
  readonly origins: () => ReadonlySet<string>;
}

/** A list that explains each scope. */
export const scopeList = ({ texts: { consent } }: Visit, scopes: readonly OAuthScope[]): Html =>
  html`<ul>
    ${scopes.map((scope) => html`<li>${consent.scopes[scope]}</li>`)}
  </ul>`;

/** The two buttons. */
export const allowOrDeny = ({ texts: { consent } }: Visit): Html =>
  html`<button class="primary" name="answer" value="allow">${consent.allow}</button
    ><button name="answer" value="deny">${consent.deny}</button>`;

/** Sends a person who is not signed in to do so, and back. */
export const toSignIn = (back: string): FormAnswer => goTo(`/user/sign-in?to=${encodeURIComponent(back)}`);
