import { parseInput } from "@telex/core/transport";
import type { FormAnswer, PluginForm } from "@telex/http";
import { z } from "zod";
import { fields as inputs } from "../contract/fields.ts";
import { html } from "./html.ts";
import { askForLink, secretIn } from "./links.ts";
import { alert, field, form, hidden, submit } from "./look/fields.ts";
import { goTo, heading } from "./look/page.ts";
import { noProblems, type Problems, problemsOf } from "./problems.ts";
import { defineForm, type FormDeps, type Visit } from "./visit.ts";

const path = "/user/recover";
const given = { input: z.object({ password: inputs.password }) };

/** The username stands in a line of its own, so that the browser keeps the new password for it. */
function page(visit: Visit, username: string, secret: string, problems: Problems): FormAnswer {
  const { texts, address, write } = visit;
  const { title, lead, warning, submit: button } = texts.recover;
  const content = form(
    { action: address(path) },
    alert(problems.whole),
    hidden("secret", secret),
    field({ name: "username", label: texts.username, autocomplete: "username", value: username, isFixed: true }),
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
  );
  return write({ title, content: [heading(title, lead), content], status: problems.status });
}

/** Setting a new password with a link of an admin. Looking at the link uses nothing. */
export const recoverForm = (deps: FormDeps): PluginForm =>
  defineForm(deps, {
    path,
    show: (visit) => askForLink(visit, { path, title: visit.texts.recover.title, submitsItself: true }),
    async take(visit, fields) {
      const secret = secretIn(fields.get("secret"));
      const { username } = await deps.services.recovery.find(secret);
      if (!fields.has("password")) return page(visit, username, secret, noProblems);
      try {
        const { password } = parseInput(given, { password: fields.get("password") });
        await deps.entering.recover({ secret, password }, visit.request);
        return goTo(visit.to);
      } catch (error) {
        return page(visit, username, secret, problemsOf(error, visit.locale));
      }
    },
  });
