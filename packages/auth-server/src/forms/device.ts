import { TelexError } from "@telex/core";
import type { FormAnswer, PluginForm } from "@telex/http";
import type { DeviceRequest } from "../oauth/devices.ts";
import { assertSamePage } from "../routes/request.ts";
import type { Current } from "../sessions/sessions.ts";
import { html } from "./html.ts";
import { alert, field, form, hidden, submit } from "./look/fields.ts";
import { heading } from "./look/page.ts";
import { noProblems, type Problems, problemsOf } from "./problems.ts";
import { type AccessFormDeps, allowOrDeny, scopeList, toSignIn } from "./access.ts";
import { defineForm, type Visit } from "./visit.ts";

const path = "/user/device";

/** Asks for the code. A code in the address is filled in, and still needs a click. */
function codePage({ texts: { device, goOn }, write }: Visit, code: string, problems: Problems): FormAnswer {
  const line = { name: "code", label: device.code, hint: device.codeHint, autocomplete: "off", value: code } as const;
  const content = form(
    { action: path },
    alert(problems.whole),
    field({ ...line, error: problems.lines["code"], isFirst: true }),
    submit(goOn),
  );
  const { title, lead } = device;
  return write({ title, content: [heading(title, lead), content], status: problems.status });
}

/** Shows which program asks for what. */
async function askPage(
  deps: AccessFormDeps,
  visit: Visit,
  { code, client, scopes }: DeviceRequest & { readonly code: string },
  { account }: Current,
): Promise<FormAnswer> {
  const { texts, write } = visit;
  const title = texts.consent.title(client.name);
  const content = form(
    { action: path },
    hidden("code", code),
    await scopeList(deps, visit, { scopes, userId: account.userId }),
    html`<p class="alert">${texts.device.warning}</p>`,
    allowOrDeny(visit),
  );
  return write({ title, content: [heading(title, texts.consent.asks(account.username)), content] });
}

function donePage({ texts: { device }, write }: Visit, { client }: DeviceRequest, isAllowed: boolean): FormAnswer {
  const [title, lead] = isAllowed ? [device.done, device.doneLead(client.name)] : [device.denied, device.deniedLead];
  return write({ title, content: [heading(title, lead)] });
}

/** The problems to show for a code that was refused. */
function problemsWith(error: unknown, { texts, locale }: Visit): Problems {
  if (TelexError.is(error) && error.code === "not_found") return { status: 404, lines: { code: texts.device.wrong } };
  return problemsOf(error, locale);
}

/** Connects a program that shows a code. */
export function deviceForm(deps: AccessFormDeps): PluginForm {
  const { services, oauth, origins } = deps;
  const { devices } = oauth;
  const take = async (visit: Visit, current: Current, fields: ReadonlyMap<string, string>): Promise<FormAnswer> => {
    const code = fields.get("code") ?? "";
    const answer = fields.get("answer");
    if (answer === undefined)
      return await askPage(deps, visit, { code, ...(await devices.look(code, current)) }, current);
    const isAllowed = answer === "allow";
    return donePage(visit, await devices.answer(code, current, isAllowed), isAllowed);
  };
  return defineForm(deps, {
    path,
    async show(visit) {
      const code = visit.query.get("user_code") ?? "";
      const back = code === "" ? path : `${path}?user_code=${encodeURIComponent(code)}`;
      if ((await services.sessions.find(visit.request.header)) === null) return toSignIn(back);
      return codePage(visit, code, noProblems);
    },
    async take(visit, fields) {
      assertSamePage(visit.request, origins);
      const current = await services.sessions.find(visit.request.header);
      if (current === null) return toSignIn(path);
      try {
        return await take(visit, current, fields);
      } catch (error) {
        return codePage(visit, fields.get("code") ?? "", problemsWith(error, visit));
      }
    },
  });
}
