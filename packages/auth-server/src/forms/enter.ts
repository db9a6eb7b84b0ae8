import type { PluginForm } from "@telex/http";
import { askForLink, secretIn } from "./links.ts";
import { goTo } from "./look/page.ts";
import { defineForm, type FormDeps } from "./visit.ts";

const path = "/user/enter";

/**
 * Signing in with a link of the demo. It needs no click, unless the browser is signed in, or comes from another site, which may want to
 * sign the person in to another account.
 */
export const enterForm = (deps: FormDeps): PluginForm =>
  defineForm(deps, {
    path,
    async show(visit) {
      const { request, texts } = visit;
      const { title, submit: button, lead, other } = texts.enter;
      const current = await deps.services.sessions.find(request.header);
      const submitsItself = current === null && request.header("sec-fetch-site") !== "cross-site";
      const why = current === null ? lead : other(current.account.username);
      return askForLink(visit, { path, title, lead: why, submitsItself, button });
    },
    async take({ request, to }, fields) {
      await deps.entering.enter({ secret: secretIn(fields.get("secret")) }, request);
      return goTo(to);
    },
  });
