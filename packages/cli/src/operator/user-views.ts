import type { UserView } from "@telex/core";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { printFields, printRows } from "../terminal/output.ts";
import { modelNamesOf } from "../server/ai.ts";
import type { Talk } from "../terminal/talk.ts";
import type { OperatorTarget } from "./operate.ts";

function shownOneBot({ oneBot }: UserView): string | null {
  if (oneBot === null) return null;
  const { connect, protocol, self } = oneBot;
  return `on${connect === null ? "" : `, connects to ${connect} (OneBot ${protocol})`}${self ? ", with own messages" : ""}`;
}

export const show = (user: UserView): void => {
  const { id, nickname, ext, phone, avatar, ai, state, createdAt } = user;
  const onebot = shownOneBot(user);
  const more = { ...(onebot !== null && { onebot }), ...(state !== "active" && { state }) };
  printFields({ id, nickname, ext, phone, avatar, ai, ...more, createdAt });
};

/** The server may have another configuration, and know a model that is unknown here. */
export function warnOfModel(command: Command, { config, isRemote }: OperatorTarget, { ai }: UserView): void {
  const modelNames = modelNamesOf(config);
  if (isRemote || ai === null || modelNames.includes(ai)) return;
  talkOf(command).warn(`No model "${ai}" is configured here, only ${modelNames.join(", ")}. The server must know it.`);
}

export type Added = UserView & { readonly token?: string };

export function showAdded(added: Added, talk: Talk): void {
  show(added);
  if (added.token !== undefined) {
    printFields({ token: added.token });
    talk.done("The token is not shown again.");
  } else if (added.ai === null)
    talk.note(`Give ${added.nickname} a token: telex token issue --user ${added.id} --scope chat`);
}

export const showList = (users: readonly UserView[]): void =>
  printRows(users, {
    id: ({ id }) => id,
    nickname: ({ nickname }) => nickname,
    ext: ({ ext }) => ext,
    phone: ({ phone }) => phone,
    ai: ({ ai }) => ai,
    ...(users.some(({ state }) => state !== "active") && { state: ({ state }: UserView) => state }),
    created: ({ createdAt }) => createdAt,
  });
