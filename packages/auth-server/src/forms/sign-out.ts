import type { PluginForm } from "@telex/http";
import { html } from "./html.ts";
import { form, submit } from "./look/fields.ts";
import { goTo, heading } from "./look/page.ts";
import { defineForm, type FormDeps } from "./visit.ts";

const path = "/user/sign-out";

/** Signing out, after a question: a link alone must not sign a user out. */
export const signOutForm = (deps: FormDeps): PluginForm =>
  defineForm(deps, {
    path,
    async show({ request, texts, address, write }) {
      const current = await deps.services.sessions.find(request.header);
      const { title, lead, none } = texts.signOut;
      const content =
        current === null
          ? [heading(title, none), html`<p><a href="${address("/user/sign-in")}">${texts.signIn}</a></p>`]
          : [
              heading(title, lead(current.account.username)),
              form({ action: address(path) }, submit(title)),
              html`<p><a href="/user/">${texts.stayHere}</a></p>`,
            ];
      return write({ title, content });
    },
    async take({ request, address }) {
      await deps.entering.signOut(request);
      return goTo(address("/user/sign-in"));
    },
  });
