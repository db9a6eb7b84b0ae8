import type { Language } from "../../i18n/language.ts";

/** The texts of a change of a role. */
type RoleTexts = Readonly<Record<"label" | "title" | "lead" | "done", string>>;

/** The texts of an account on the page of its user. */
export interface AccountTexts {
  readonly title: string;
  readonly username: (name: string) => string;
  readonly sessions: (count: number) => string;
  readonly end: string;
  readonly endTitle: string;
  readonly endLead: string;
  readonly ended: string;
  readonly recovery: string;
  readonly recoveryLead: string;
  readonly recoveryMade: string;
  readonly recoveryMadeLead: string;
  readonly admin: string;
  readonly promotion: RoleTexts;
  readonly demotion: RoleTexts;
}

const en: AccountTexts = {
  title: "Account",
  username: (name) => `Username: ${name}`,
  sessions: (count) => `Signed in in ${["no browser", "one browser"][count] ?? `${count} browsers`}`,
  end: "Sign out everywhere",
  endTitle: "End all sessions?",
  endLead: "The person has to sign in again in each browser.",
  ended: "All sessions have ended.",
  recovery: "Recovery link",
  recoveryLead:
    "For a person who has lost their password. When they use it, all their browsers are signed out, and their tokens end. A notice in each of their rooms says that you created it.",
  recoveryMade: "The recovery link",
  recoveryMadeLead: "It works once, within 24 hours, and is shown only once. Give it directly to that person.",
  admin: "admin",
  promotion: {
    label: "Make an admin",
    title: "Make this person an admin?",
    lead: "Admins can see and change everything on this page: users, rooms, tokens and files.",
    done: "The person is an admin.",
  },
  demotion: {
    label: "Remove as admin",
    title: "Remove this person as admin?",
    lead: "The person keeps the account and its rooms. Invitations that they made end.",
    done: "The person is not an admin.",
  },
};

const zh: AccountTexts = {
  title: "账号",
  username: (name) => `用户名：${name}`,
  sessions: (count) => (count === 0 ? "没有在浏览器中登录" : `在 ${count} 个浏览器中登录`),
  end: "退出所有会话",
  endTitle: "结束所有会话？",
  endLead: "此人需要在每个浏览器中重新登录。",
  ended: "所有会话已结束。",
  recovery: "恢复链接",
  recoveryLead:
    "用于忘记密码的人。使用后，其所有浏览器都会退出登录，令牌失效，并且其所在的每个聊天室都会看到是你创建了链接。",
  recoveryMade: "恢复链接",
  recoveryMadeLead: "它在 24 小时内有效，只能使用一次，也只在此时显示。请交给本人。",
  admin: "管理员",
  promotion: {
    label: "设为管理员",
    title: "将此人设为管理员？",
    lead: "管理员可以查看和更改此页上的一切：用户、聊天室、令牌和文件。",
    done: "此人已是管理员。",
  },
  demotion: {
    label: "取消管理员",
    title: "取消此人的管理员身份？",
    lead: "账号和聊天室会保留，此人创建的邀请会失效。",
    done: "此人已不是管理员。",
  },
};

/** The texts of an account in each language. */
export const accountTexts: Readonly<Record<Language, AccountTexts>> = { "zh-CN": zh, en };
