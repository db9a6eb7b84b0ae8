import { parseInput } from "@telex/core/transport";
import type { FormAnswer, PluginForm } from "@telex/http";
import { z } from "zod";
import type { Invited } from "../links/invitations.ts";
import { fields as inputs } from "../contract/fields.ts";
import { html, type Html, type Part } from "./html.ts";
import { face } from "./look/face.ts";
import { askForLink, secretIn } from "./links.ts";
import { alert, field, form, hidden, submit } from "./look/fields.ts";
import { goTo, heading } from "./look/page.ts";
import { createdPasskey } from "../passkeys/responses.ts";
import { passkeyOffer } from "./passkeys/offer.ts";
import { readPasskey, submittedId } from "./passkeys/submitted.ts";
import { noProblems, type Problems, problemsOf } from "./problems.ts";
import { providerButtons } from "./provider-buttons.ts";
import { takeRoomLink } from "./room-link.ts";
import { dayOf, defineForm, type FormDeps, type Visit } from "./visit.ts";

const { username, nickname, password } = inputs;
const names = { username, nickname: nickname.optional() };
const person = { input: z.object({ ...names, password }) };
const personWithPasskey = { input: z.object(names) };

type Fields = ReadonlyMap<string, string>;

/** A page on which a person opens an account. */
interface OpeningPage {
  readonly path: string;
  readonly title: string;
  /** Shown above the lines. */
  readonly top: Html;
  readonly button: string;
  /** Hidden fields, which the form sends with the others. */
  readonly carried: Html;
  /** Buttons for people who have an account elsewhere. */
  readonly others: Html | null;
  readonly values: Fields;
}

const lines = ({ texts }: Visit, values: Fields, problems: Problems): readonly Part[] => [
  field({
    name: "nickname",
    label: texts.nickname,
    autocomplete: "nickname",
    value: values.get("nickname"),
    hint: texts.nicknameHint,
    error: problems.lines["nickname"],
    isFirst: problems.status === 200,
    isOptional: true,
  }),
  field({
    name: "username",
    label: texts.username,
    autocomplete: "username",
    value: values.get("username"),
    hint: texts.usernameHint,
    error: problems.lines["username"],
  }),
  field({
    name: "password",
    label: texts.newPassword,
    autocomplete: "new-password",
    hint: texts.newPasswordHint,
    error: problems.lines["password"],
    show: texts.show,
  }),
];

function page(visit: Visit, { path, title, top, button, carried, others, values }: OpeningPage, problems: Problems) {
  const { texts, address, write } = visit;
  const content = form(
    { action: address(path) },
    alert(problems.whole),
    carried,
    ...lines(visit, values, problems),
    submit(button),
    passkeyOffer(visit, {
      way: "create",
      options: "open/options",
      sends: ["secret", "username"],
      label: texts.passkey.make,
      forget: submittedId(values),
    }),
    others,
  );
  const other = html`<p class="hint">
    ${texts.haveAccount} <a href="${address("/user/sign-in")}">${texts.signIn}</a>
  </p>`;
  return write({ title, content: [top, content, other], status: problems.status, hasPasskeys: true });
}

const readPerson = (values: Fields) => {
  const typed = values.get("nickname")?.trim() ?? "";
  const named = { username: values.get("username")?.trim(), ...(typed !== "" && { nickname: typed }) };
  const passkey = readPasskey(createdPasskey, values);
  return passkey === undefined
    ? parseInput(person, { ...named, password: values.get("password") })
    : { ...parseInput(personWithPasskey, named), passkey };
};

/** Opens an account, or shows the page again with the problem. */
async function open(
  visit: Visit,
  shown: OpeningPage,
  make: (input: ReturnType<typeof readPerson>) => Promise<unknown>,
): Promise<FormAnswer> {
  try {
    await make(readPerson(shown.values));
    return goTo(visit.to);
  } catch (error) {
    return page(visit, shown, problemsOf(error, visit.locale));
  }
}

const registerPath = "/user/register";

const registerPage = ({ providers }: FormDeps, { texts, to }: Visit, values: Fields): OpeningPage => ({
  path: registerPath,
  title: texts.register,
  top: heading(texts.register, texts.registerLead),
  button: texts.register,
  carried: hidden("to", to),
  others: providerButtons(providers, { texts }, "enter"),
  values,
});

/** Opening an account without a link. */
export function registerForm(deps: FormDeps): PluginForm {
  return defineForm(deps, {
    path: registerPath,
    show(visit) {
      deps.services.open.assertOpen();
      return page(visit, registerPage(deps, visit, new Map()), noProblems);
    },
    take: (visit, fields) =>
      open(visit, registerPage(deps, visit, fields), (input) => deps.entering.register(input, visit.request)),
  });
}

/** The maker of an invitation, and its rooms. */
function invitationTop(visit: Visit, { by, groups, until }: Invited): Html {
  const { texts, host } = visit;
  const title = heading(
    by === null ? texts.join.title : texts.join.by(by.nickname),
    texts.until(host, dayOf(until, visit)),
  );
  const from =
    by === null
      ? title
      : html`<div class="by">${face(`/api/avatar/get/personal?id=${by.userId}&size=128`)}${title}</div>`;
  const rooms = groups.map(
    ({ groupId, name }) => html`<li>${face(`/api/avatar/get/group?id=${groupId}&size=64`)}<span>${name}</span></li>`,
  );
  return rooms.length === 0
    ? from
    : html`${from}
        <div class="into">
          <p class="hint">${texts.rooms}</p>
          <ul class="stack">
            ${rooms}
          </ul>
        </div>`;
}

/** The visit of an invited person ends in the first room that they enter. */
const invitedTo = (visit: Visit, { groups: [room] }: Invited): Visit =>
  room === undefined ? visit : { ...visit, to: `/user/rooms/${room.groupId}` };

/** Opening an account with an invitation, or joining a room with its link: what the link opens is shown first. */
export function joinForm(deps: FormDeps): PluginForm {
  const path = "/user/join";
  const { services, entering } = deps;
  const shown = (visit: Visit, secret: string, invited: Invited, values: Fields): OpeningPage => ({
    path,
    title: visit.texts.join.title,
    top: invitationTop(visit, invited),
    button: visit.texts.join.submit,
    carried: hidden("secret", secret),
    others: providerButtons(deps.providers, visit, "join"),
    values: new Map([["nickname", invited.nickname ?? ""], ...values]),
  });
  return defineForm(deps, {
    path,
    show: (visit) => askForLink(visit, { path, title: visit.texts.join.title, submitsItself: true }),
    async take(visit, fields) {
      const secret = secretIn(fields.get("secret"));
      const joined = await takeRoomLink(deps, visit, fields, secret);
      if (joined !== null) return joined;
      const invited = await services.open.look(secret);
      const opening = shown(visit, secret, invited, fields);
      if (!fields.has("username")) return page(visit, opening, noProblems);
      return await open(invitedTo(visit, invited), opening, (input) =>
        entering.join({ ...input, secret }, visit.request),
      );
    },
  });
}

/** Opening the account of the first admin. */
export function setupForm(deps: FormDeps): PluginForm {
  const path = "/user/setup";
  const { services, entering } = deps;
  const shown = ({ texts }: Visit, secret: string, values: Fields): OpeningPage => ({
    path,
    title: texts.setup.title,
    top: heading(texts.setup.title, texts.setup.lead),
    button: texts.setup.submit,
    carried: hidden("secret", secret),
    others: providerButtons(deps.providers, { texts }, "setup"),
    values,
  });
  return defineForm(deps, {
    path,
    show: (visit) => askForLink(visit, { path, title: visit.texts.setup.title, submitsItself: true }),
    async take(visit, fields) {
      const secret = secretIn(fields.get("secret"));
      await services.open.assertSetup(secret);
      const opening = shown(visit, secret, fields);
      if (!fields.has("username")) return page(visit, opening, noProblems);
      return await open(visit, opening, (input) => entering.setup({ ...input, secret }, visit.request));
    },
  });
}
