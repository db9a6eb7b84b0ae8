import type { FormAnswer } from "@telex/http";
import type { Room } from "@telex/core/storage";
import { html } from "./html.ts";
import { form, hidden, submit } from "./look/fields.ts";
import { goTo, heading } from "./look/page.ts";
import { face } from "./look/face.ts";
import type { FormDeps, Visit } from "./visit.ts";

const path = "/user/join";

function page({ texts, address, write }: Visit, secret: string, { group, members }: Room, isSignedIn: boolean) {
  const top = html`<div class="by">
    ${face(`/api/avatar/get/group?id=${group.groupId}&size=128`)}${heading(group.name, texts.room.lead(members.size))}
  </div>`;
  const next = isSignedIn
    ? form({ action: address(path) }, hidden("secret", secret), hidden("enter", "1"), submit(texts.room.submit))
    : html`<div class="stack">
        <p>${texts.room.signIn}</p>
        <p><a href="${address("/user/sign-in")}">${texts.signIn}</a></p>
      </div>`;
  return write({ title: texts.room.title, content: [top, next] });
}

/**
 * Joining a room with a link, for a person who is signed in. Null if the secret is not of a link of a room.
 * @throws TelexError `link_ended`, `archived`
 */
export async function takeRoomLink(
  { services: { roomLinks, sessions } }: FormDeps,
  visit: Visit,
  fields: ReadonlyMap<string, string>,
  secret: string,
): Promise<FormAnswer | null> {
  const room = await roomLinks.look(secret);
  if (room === null) return null;
  const session = await sessions.find(visit.request.header);
  if (session === null || !fields.has("enter")) return page(visit, secret, room, session !== null);
  const groupId = await roomLinks.join(secret, session.account.userId);
  return goTo(`/user/rooms/${groupId}`);
}
