import type { ListedProblem } from "@telex/auth-server/client";
import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The outcomes of a line. */
export type LineOutcome = ListedProblem | "new" | "waiting" | "known" | "username" | "twice" | "gone";

/** The texts of the import. */
interface ImportTexts {
  readonly title: string;
  readonly lead: string;
  readonly choose: string;
  readonly paste: string;
  readonly check: string;
  readonly other: string;
  readonly empty: string;
  readonly tooBig: string;
  readonly line: string;
  readonly username: string;
  readonly state: string;
  readonly outcomes: Readonly<Record<LineOutcome, string>>;
  readonly summary: (fresh: number, waiting: number, known: number) => string;
  readonly refused: (count: number) => string;
  readonly importAll: (count: number) => string;
  readonly importGood: (count: number) => string;
  readonly done: (count: number) => string;
  readonly links: string;
  readonly linksLead: string;
  readonly save: string;
}

const en: ImportTexts = {
  title: "Import",
  lead: "A table with the columns username and nickname, as CSV: at most 1,000 people. Each person gets a link to choose a password.",
  choose: "Choose a file",
  paste: "Or paste the table here",
  check: "Preview",
  other: "Another list",
  empty: "There are no people in this list.",
  tooBig: "The file is larger than 1 MB.",
  line: "Line",
  username: "Username",
  state: "Result",
  outcomes: {
    new: "new account",
    waiting: "new link; has not signed in yet",
    known: "already exists",
    username: "not a username",
    twice: "twice in this list",
    gone: "belonged to a removed account",
    no_username: "no username",
    too_long: "name too long",
    too_many: "over 1,000 people",
  },
  summary: (fresh, waiting, existing) => `${fresh} new, ${waiting} waiting, ${existing} already exist.`,
  refused: (count) => (count === 1 ? "1 line cannot be imported." : `${count} lines cannot be imported.`),
  importAll: (count) => `Import ${count}`,
  importGood: (count) => `Import the other ${count}`,
  done: (count) => (count === 1 ? "1 account is ready." : `${count} accounts are ready.`),
  links: "The links",
  linksLead: "They are shown only once and are valid for a week. To get new ones, import the same list again.",
  save: "Save as CSV",
};

const zh: ImportTexts = {
  title: "批量导入",
  lead: "CSV 表格，列为 username 和 nickname，最多 1,000 人。每人得到一个用来设置密码的链接。",
  choose: "选择文件",
  paste: "或把表格粘贴到这里",
  check: "预览",
  other: "换一份名单",
  empty: "名单里没有人。",
  tooBig: "文件超过 1 MB。",
  line: "行",
  username: "用户名",
  state: "结果",
  outcomes: {
    new: "新账号",
    waiting: "新链接；还没有登录过",
    known: "已经存在",
    username: "不能作用户名",
    twice: "在名单里重复",
    gone: "已删除账号的用户名",
    no_username: "没有用户名",
    too_long: "名字太长",
    too_many: "超过 1,000 人",
  },
  summary: (fresh, waiting, existing) => `新增 ${fresh}，待登录 ${waiting}，已存在 ${existing}。`,
  refused: (count) => `${count} 行不能导入。`,
  importAll: (count) => `导入 ${count} 人`,
  importGood: (count) => `导入其余 ${count} 人`,
  done: (count) => `已开通 ${count} 个账号。`,
  links: "链接",
  linksLead: "链接只显示这一次，一周内有效。再次导入同一份名单会得到新链接。",
  save: "保存为 CSV",
};

const all: Readonly<Record<Language, ImportTexts>> = { "zh-CN": zh, en };

/** The texts of the import in the language in effect. */
export const useImportTexts = (): ImportTexts => all[useApp().preferences.spoken.value];
