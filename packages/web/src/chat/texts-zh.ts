import { toolsZh } from "../ui/panes/tool-texts.ts";
import type { ChatTexts } from "./texts-en.ts";

export const zh: ChatTexts = {
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

  tools: toolsZh,
  trouble: {
    quotaUsedUp: "未得到回答：配额已用完。",
    cutOff: "在回答到来之前连接已断开。",
    refused: (words) => `未得到回答。服务器说：${words}`,
  },
};
