import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts about the person's own invitations. */
interface InvitationTexts {
  readonly title: string;
  readonly lead: string;
  readonly noRoom: string;
  readonly invite: string;
  readonly inviteLead: string;
  readonly room: string;
  readonly uses: string;
  readonly life: string;
  readonly lives: Readonly<Record<"day" | "week" | "month", string>>;
  readonly made: string;
  readonly madeLead: string;
  readonly madeOn: (day: string) => string;
  readonly used: (used: number, uses: number, ends: string) => string;
  readonly revoke: string;
  readonly revokeTitle: string;
  readonly revokeLead: string;
  readonly revoked: string;
}

const en: InvitationTexts = {
  title: "Invitations",
  lead: "Links that let people create an account and join a room that you run.",
  noRoom: "You do not run a room yet. Create one to invite people to it.",
  invite: "Invite",
  inviteLead: "People who open the link choose a username and a password, and join the room.",
  room: "Room",
  uses: "Number of people who can use it",
  life: "Expires after",
  lives: { day: "a day", week: "a week", month: "30 days" },
  made: "The invitation",
  madeLead: "It is shown only once. Send it to the people you invite.",
  madeOn: (day) => `Invitation of ${day}`,
  used: (used, uses, ends) => `used ${used} of ${uses}, until ${ends}`,
  revoke: "Revoke",
  revokeTitle: "Revoke the invitation?",
  revokeLead: "The link stops working. Accounts that were created with it stay.",
  revoked: "The invitation is revoked.",
};

const zh: InvitationTexts = {
  title: "邀请",
  lead: "别人可以用链接注册账号，并进入你管理的聊天室。",
  noRoom: "你还没有管理的聊天室。新建一个，就可以邀请别人进入。",
  invite: "邀请",
  inviteLead: "打开链接的人自己选择用户名和密码，然后就能进入聊天室。",
  room: "聊天室",
  uses: "可使用的人数",
  life: "有效期",
  lives: { day: "一天", week: "一周", month: "30 天" },
  made: "邀请链接",
  madeLead: "它只在此时显示一次。请把它发给你要邀请的人。",
  madeOn: (day) => `${day} 的邀请`,
  used: (used, uses, ends) => `已使用 ${used} / ${uses} 次，有效期至 ${ends}`,
  revoke: "撤销",
  revokeTitle: "撤销这个邀请？",
  revokeLead: "链接将失效。已经用它注册的账号不受影响。",
  revoked: "邀请已撤销。",
};

const texts: Readonly<Record<Language, InvitationTexts>> = { "zh-CN": zh, en };

/** The texts in the language in effect. */
export const useInvitationTexts = (): InvitationTexts => texts[useApp().preferences.spoken.value];
