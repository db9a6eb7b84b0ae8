import { useApp, useTexts } from "../app/context.ts";
import type { Language } from "../i18n/language.ts";
import type { Trouble } from "./trouble.ts";

/** Every text of the page of conversations, loaded with it. A language that lacks one does not compile. */
interface ChatTexts {
  readonly conversations: string;
  readonly newConversation: string;
  /** On the button, where there is little room. */
  readonly begin: string;
  readonly newLead: string;
  readonly noConversations: string;
  readonly loadingConversations: string;
  readonly archived: (count: number) => string;
  readonly moreConversations: string;
  readonly backToList: string;
  readonly answering: string;

  readonly menu: (title: string) => string;
  readonly title: string;
  readonly archive: string;
  readonly takeBack: string;
  readonly delete: string;
  readonly archivedNow: (title: string) => string;
  readonly takenBack: (title: string) => string;
  readonly deleteQuestion: (title: string) => string;
  readonly deleteWarning: string;
  readonly deleted: (title: string) => string;

  readonly messages: string;
  readonly older: string;
  readonly loading: string;
  readonly you: string;
  readonly model: string;
  readonly thinking: string;
  readonly stop: string;
  readonly stopping: string;
  readonly toEnd: string;
  readonly replied: (answer: string) => string;
  readonly ended: string;
  readonly finish: Readonly<Record<"length" | "content_filter" | "stopped" | "failed", string>>;
  readonly askAgain: string;
  readonly stoppedEmpty: string;
  readonly gone: string;
  readonly goneLead: string;

  readonly write: string;
  readonly ask: string;

  readonly left: (left: string, max: string, unit: "count" | "token", period: "daily" | "weekly" | "monthly") => string;
  readonly nextReset: string;
  readonly usedUp: string;

  readonly setting: string;
  readonly settingLead: string;
  readonly standard: (model: string) => string;
  readonly systemPrompt: string;
  readonly maxLength: string;
  readonly maxLengthHint: (max: string) => string;
  readonly use: string;
  readonly settingUsed: string;

  readonly trouble: {
    readonly quotaUsedUp: string;
    readonly cutOff: string;
    readonly refused: (words: string) => string;
  };
}

const en: ChatTexts = {
  conversations: "Conversations",
  newConversation: "New conversation",
  begin: "New",
  newLead: "Ask something. The answer appears while it is being written.",
  noConversations: "No conversation yet. What you ask begins one.",
  loadingConversations: "Looking for your conversations...",
  archived: (count) => `Archived (${count})`,
  moreConversations: "More conversations",
  backToList: "All conversations",
  answering: "answering",

  menu: (title) => `More about ${title}`,
  title: "Title",
  archive: "Archive",
  takeBack: "Take out of the archive",
  delete: "Delete",
  archivedNow: (title) => `"${title}" is archived.`,
  takenBack: (title) => `"${title}" is out of the archive.`,
  deleteQuestion: (title) => `Delete "${title}"?`,
  deleteWarning: "All its questions and answers are deleted. This cannot be undone.",
  deleted: (title) => `"${title}" is deleted.`,

  messages: "Questions and answers",
  older: "Older messages",
  loading: "Loading...",
  you: "You",
  model: "Model",
  thinking: "The model has been asked...",
  stop: "Stop",
  stopping: "Stopping...",
  toEnd: "To the end",
  replied: (answer) => `The answer is complete: ${answer}`,
  ended: "The answer has ended.",
  finish: {
    length: "The answer ends here: it has reached its maximum length.",
    content_filter: "The provider of the model held back the rest.",
    stopped: "Stopped here.",
    failed: "The answer broke off here.",
  },
  askAgain: "Ask again",
  stoppedEmpty: "Stopped before an answer came.",
  gone: "Not one of your conversations",
  goneLead: "There is none at this address, or it was deleted.",

  write: "Your question",
  ask: "Ask",

  left: (left, max, unit, period) =>
    `${left} of ${max} ${unit === "count" ? "answers" : "tokens"} left ${{ daily: "today", weekly: "this week", monthly: "this month" }[period]}`,
  nextReset: "Next reset:",
  usedUp: "Your quota is used up.",

  setting: "Model and length",
  settingLead: "For the answers on this page, until it is closed. It is not stored anywhere.",
  standard: (model) => `${model} (standard)`,
  systemPrompt: "What the model should know or do",
  maxLength: "Maximum length, in tokens",
  maxLengthHint: (max) => `Empty: what the model allows, ${max}`,
  use: "Use",
  settingUsed: "Your next questions use this.",

  trouble: {
    quotaUsedUp: "Not answered: your quota is used up.",
    cutOff: "The connection was lost before an answer came.",
    refused: (words) => `Not answered. The server says: ${words}`,
  },
};

const zh: ChatTexts = {
  conversations: "对话列表",
  newConversation: "新对话",
  begin: "新对话",
  newLead: "问点什么吧，回答会边写边显示。",
  noConversations: "还没有对话。提一个问题就会开始一个。",
  loadingConversations: "正在查找你的对话…",
  archived: (count) => `已归档（${count}）`,
  moreConversations: "更多对话",
  backToList: "所有对话",
  answering: "正在回答",

  menu: (title) => `${title}的更多操作`,
  title: "标题",
  archive: "归档",
  takeBack: "取消归档",
  delete: "删除",
  archivedNow: (title) => `“${title}”已归档。`,
  takenBack: (title) => `“${title}”已取消归档。`,
  deleteQuestion: (title) => `删除“${title}”？`,
  deleteWarning: "其中的所有问题和回答都会删除。此操作无法撤销。",
  deleted: (title) => `“${title}”已删除。`,

  messages: "问题与回答",
  older: "更早的消息",
  loading: "正在加载…",
  you: "你",
  model: "模型",
  thinking: "已向模型提问…",
  stop: "停止",
  stopping: "正在停止…",
  toEnd: "到末尾",
  replied: (answer) => `回答完成：${answer}`,
  ended: "回答已结束。",
  finish: {
    length: "回答到此为止：已达到最大长度。",
    content_filter: "模型提供方保留了其余内容。",
    stopped: "在此停止。",
    failed: "回答在此中断。",
  },
  askAgain: "再问一次",
  stoppedEmpty: "在回答到来之前已停止。",
  gone: "不是你的对话",
  goneLead: "此地址没有对话，或对话已被删除。",

  write: "你的问题",
  ask: "提问",

  left: (left, max, unit, period) =>
    `${{ daily: "今日", weekly: "本周", monthly: "本月" }[period]}剩余 ${left} / ${max} ${unit === "count" ? "次回答" : "个令牌"}`,
  nextReset: "下次重置：",
  usedUp: "你的配额已用完。",

  setting: "模型与长度",
  settingLead: "用于此页面上的回答，关闭页面即失效，不会存储在任何地方。",
  standard: (model) => `${model}（默认）`,
  systemPrompt: "希望模型知道或遵守的内容",
  maxLength: "最大长度（令牌数）",
  maxLengthHint: (max) => `留空：模型允许的上限 ${max}`,
  use: "使用",
  settingUsed: "之后的问题将使用此设置。",

  trouble: {
    quotaUsedUp: "未得到回答：配额已用完。",
    cutOff: "在回答到来之前连接已断开。",
    refused: (words) => `未得到回答。服务器说：${words}`,
  },
};

const all: Readonly<Record<Language, ChatTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const useChatTexts = (): ChatTexts => all[useApp().preferences.spoken.value];

/** Says in a sentence which trouble it is. */
export function useTroubleText(): (trouble: Trouble) => string {
  const { goneLead, trouble: words } = useChatTexts();
  const { problem } = useTexts();
  return (trouble) => {
    if (trouble.kind === "problem") return problem[trouble.problem];
    if (trouble.kind === "refused") return words.refused(trouble.words);
    return trouble.kind === "gone" ? goneLead : words[trouble.kind];
  };
}
