import type { PluginForm } from "@telex/http";
import { askForLink, secretIn } from "./links.ts";
import { goTo } from "./look/page.ts";
import { defineForm, type FormDeps } from "./visit.ts";

const path = "/user/enter";

/** Signing in with a link of the demo. Opening the page uses nothing; its script submits the secret. */
export const enterForm = (deps: FormDeps): PluginForm =>
  defineForm(deps, {
    path,
    show(visit) {
      const { title, lead, submit: button } = visit.texts.enter;
      return askForLink(visit, { path, title, lead, submitsItself: true, button });
    },
    async take(visit, fields) {
      await deps.entering.enter({ secret: secretIn(fields.get("secret")) }, visit.request);
      return goTo(visit.to);
    },
  });
