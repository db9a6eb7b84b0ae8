import type { ToolTexts } from "../ui/panes/tool-calls.tsx";
import { toolsEn } from "../ui/panes/tool-texts.ts";

/** Every text of the page of conversations, loaded with it. A language that lacks one does not compile. */
export interface ChatTexts {
  readonly tools: ToolTexts;
  readonly conversations: string;
  readonly newConversation: string;
  /** On the button, where there is little room. */
  readonly begin: string;
  readonly newLead: string;
  readonly noConversations: string;
  readonly loadingConversations: string;
  readonly archived: (count: number) => string;
  readonly moreConversations: string;
  readonly findConversation: string;
  readonly noneFound: string;
  readonly inMessages: string;
  readonly searchingMessages: string;
  readonly foundMessages: (count: number) => string;
  readonly foundSoFar: (count: number) => string;
  readonly searchFurther: string;
  readonly backToList: string;
  readonly answering: string;

  readonly menu: (title: string) => string;
  readonly title: string;
  readonly archive: string;
  readonly takeBack: string;
  readonly delete: string;
  readonly saveAsMarkdown: string;
  readonly saveAsJson: string;
  readonly archivedNow: (title: string) => string;
  readonly takenBack: (title: string) => string;
  readonly deleteQuestion: (title: string) => string;
  readonly deleteWarning: string;
  readonly deleted: (title: string) => string;

  readonly prompts: string;
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
  readonly regenerate: string;
  readonly editOf: (question: string) => string;
  readonly editLabel: string;
  /** The number of entries after the question. */
  readonly editRemoves: (count: number) => string;
  readonly stoppedEmpty: string;
  readonly gone: string;
  readonly goneLead: string;

  readonly write: string;
  readonly ask: string;
  readonly attach: string;
  readonly attached: string;
  readonly takesNoPictures: (model: string) => string;
  readonly textTooLong: (name: string) => string;
  readonly tooManyFiles: (most: number) => string;

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

export const en: ChatTexts = {
  conversations: "Conversations",
  newConversation: "New conversation",
  begin: "New",
  newLead: "Ask something. The answer appears while it is being written.",
  noConversations: "No conversations yet. Ask a question to start one.",
  loadingConversations: "Loading your conversations...",
  archived: (count) => `Archived (${count})`,
  moreConversations: "More conversations",
  findConversation: "Search conversations",
  noneFound: "No title contains this.",
  inMessages: "In questions and answers",
  searchingMessages: "Searching your questions and answers...",
  foundMessages: (count) => (count === 0 ? "No question or answer contains all these words." : `${count} found.`),
  foundSoFar: (count) => `${count} found so far. Older conversations are not searched yet.`,
  searchFurther: "Search further back",
  backToList: "All conversations",
  answering: "answering",

  menu: (title) => `More about ${title}`,
  title: "Title",
  archive: "Archive",
  takeBack: "Unarchive",
  delete: "Delete",
  saveAsMarkdown: "Save as Markdown",
  saveAsJson: "Save as JSON",
  archivedNow: (title) => `"${title}" is archived.`,
  takenBack: (title) => `"${title}" is unarchived.`,
  deleteQuestion: (title) => `Delete "${title}"?`,
  deleteWarning: "All its questions and answers are deleted. This cannot be undone.",
  deleted: (title) => `"${title}" is deleted.`,

  prompts: "Prompts",
  messages: "Questions and answers",
  older: "Older messages",
  loading: "Loading...",
  you: "You",
  model: "Model",
  thinking: "Waiting for the model...",
  stop: "Stop",
  stopping: "Stopping...",
  toEnd: "Jump to the end",
  replied: (answer) => `The answer is complete: ${answer}`,
  ended: "The answer has ended.",
  finish: {
    length: "The answer ends here: it has reached its maximum length.",
    content_filter: "The provider of the model withheld the rest.",
    stopped: "Stopped here.",
    failed: "The answer was interrupted here.",
  },
  askAgain: "Ask again",
  regenerate: "Regenerate",
  editOf: (question) => `Edit: ${question}`,
  editLabel: "Your changed question",
  editRemoves: (count) =>
    count === 1
      ? "The new answer replaces the entry after this question."
      : `The new answer replaces the ${count} entries after this question.`,
  stoppedEmpty: "Stopped before an answer arrived.",
  gone: "Not one of your conversations",
  goneLead: "It does not exist, or it was deleted.",

  write: "Your question",
  ask: "Ask",
  attach: "Pictures and text files",
  attached: "Files of the question",
  takesNoPictures: (model) => `${model} does not accept pictures. Remove them, or choose another model.`,
  textTooLong: (name) => `${name} is too long: a text has at most 256 KiB.`,
  tooManyFiles: (most) => `A question has at most ${most} files.`,

  left: (left, max, unit, period) =>
    `${left} of ${max} ${unit === "count" ? "answers" : "tokens"} left ${{ daily: "today", weekly: "this week", monthly: "this month" }[period]}`,
  nextReset: "Next reset:",
  usedUp: "Your quota is used up.",

  setting: "Model and length",
  settingLead: "Applies to the answers on this page until you close it. It is not stored.",
  standard: (model) => `${model} (default)`,
  systemPrompt: "What the model should know or do",
  maxLength: "Maximum length, in tokens",
  maxLengthHint: (max) => `If empty, the limit of the model: ${max}`,
  use: "Use",
  settingUsed: "Your next questions use this.",

  tools: toolsEn,
  trouble: {
    quotaUsedUp: "Not answered: your quota is used up.",
    cutOff: "The connection was lost before an answer arrived.",
    refused: (words) => `Not answered. The server says: ${words}`,
  },
};
