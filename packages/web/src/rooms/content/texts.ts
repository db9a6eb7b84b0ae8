import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";
import type { SummaryWords } from "./content.ts";

/** Every text of the page of rooms, loaded with it. A language that lacks one does not compile. */
interface RoomTexts {
  readonly summary: SummaryWords;
  readonly loadingRooms: string;
  readonly noRooms: string;
  readonly noRoomsLead: string;
  readonly moreRooms: string;
  readonly pickRoom: string;
  readonly backToList: string;
  readonly unknownRoom: string;
  readonly unknownRoomLead: string;
  readonly you: string;
  readonly unread: (count: number) => string;
  readonly botOnline: string;
  readonly botOffline: string;
  readonly members: (count: number) => string;
  readonly membersTitle: string;
  readonly online: string;

  readonly search: string;
  readonly searchNow: string;
  readonly searchIn: string;
  readonly searchHere: string;
  readonly allRooms: string;
  readonly results: (query: string) => string;
  readonly searching: (count: number) => string;
  readonly found: (count: number) => string;
  readonly foundSoFar: (count: number) => string;
  readonly searchIncomplete: string;
  readonly searchFurther: string;
  readonly endSearch: string;

  readonly notify: string;
  readonly notifyOff: string;
  readonly notifyOn: string;
  readonly notifyDenied: string;

  readonly messages: (room: string) => string;
  readonly older: string;
  readonly loading: string;
  readonly begins: string;
  readonly empty: string;
  readonly newHere: string;
  readonly newBelow: (count: number) => string;
  readonly toNewest: string;
  readonly arrived: (count: number) => string;
  readonly arrivedIn: (room: string, who: string, text: string) => string;
  readonly actions: string;
  readonly quote: string;
  readonly recall: string;
  readonly recalled: string;
  readonly quoteGone: string;
  readonly showQuoted: string;
  readonly unsupportedFile: string;
  readonly picture: (sender: string) => string;
  readonly pictureTitle: string;
  readonly asText: string;
  readonly asPicture: string;
  readonly openOriginal: string;

  readonly write: (room: string) => string;
  readonly attach: string;
  readonly attached: string;
  readonly quoting: (who: string) => string;
  readonly dropQuote: string;
  readonly mentionable: string;
}

const messagesFound = (count: number): string =>
  count === 1 ? "1 message found" : `${count.toLocaleString("en")} messages found`;

const en: RoomTexts = {
  summary: { image: "picture", file: "file", recalled: "This message was recalled." },
  loadingRooms: "Looking for your rooms...",
  noRooms: "No rooms yet",
  noRoomsLead: "The operator of this server adds rooms and their members:",
  moreRooms: "More rooms",
  pickRoom: "Choose a room to read it.",
  backToList: "All rooms",
  unknownRoom: "Not one of your rooms",
  unknownRoomLead: "There is no such room, or you are not a member of it.",
  you: "You",
  unread: (count) => `${count} unread`,
  botOnline: "bot online",
  botOffline: "bot offline",
  members: (count) => `${count.toLocaleString("en")} ${count === 1 ? "member" : "members"}`,
  membersTitle: "Members",
  online: "online",
  search: "Search messages",
  searchNow: "Search",
  searchIn: "Where to search",
  searchHere: "Search this room",
  allRooms: "All rooms",
  results: (query) => `Messages with ${query}`,
  searching: (count) => (count === 0 ? "Searching..." : `${messagesFound(count)}. Still searching...`),
  found: (count) => (count === 0 ? "Nothing found. Try fewer or other words." : `${messagesFound(count)}.`),
  foundSoFar: (count) => (count === 0 ? "Nothing found so far." : `${messagesFound(count)} so far.`),
  searchIncomplete: "The server is still preparing older messages. Everything is found, but it takes more steps.",
  searchFurther: "Search further back",
  endSearch: "Back to the rooms",
  notify: "Notifications of this browser",
  notifyOff: "Notifications are off.",
  notifyOn: "You get notifications of new messages while this page is in the background.",
  notifyDenied: "Your browser does not allow notifications of this page.",
  messages: (room) => `Messages of ${room}`,
  older: "Older messages",
  loading: "Loading...",
  begins: "The room begins here.",
  empty: "Nobody has said anything yet.",
  newHere: "New",
  newBelow: (count) => `${count.toLocaleString("en")} new`,
  toNewest: "To the newest",
  arrived: (count) => `${count.toLocaleString("en")} new messages`,
  arrivedIn: (room, who, text) => `${room}, ${who}: ${text}`,
  actions: "Actions",
  quote: "Quote",
  recall: "Recall",
  recalled: "The message is recalled.",
  quoteGone: "The quoted message is not there any more.",
  showQuoted: "Show the quoted message",
  unsupportedFile: "This file is in the other network only.",
  picture: (sender) => `Picture of ${sender}`,
  pictureTitle: "Picture",
  asText: "As text",
  asPicture: "As a picture",
  openOriginal: "Open the original",
  write: (room) => `Message to ${room}`,
  attach: "Files",
  attached: "Attached files",
  quoting: (who) => `Quotes ${who}`,
  dropQuote: "Without the quote",
  mentionable: "Members to mention",
};

const zh: RoomTexts = {
  summary: { image: "图片", file: "文件", recalled: "此消息已撤回。" },
  loadingRooms: "正在查找你的聊天室…",
  noRooms: "还没有聊天室",
  noRoomsLead: "由服务器的管理者添加聊天室和成员：",
  moreRooms: "更多聊天室",
  pickRoom: "选择一个聊天室来阅读。",
  backToList: "所有聊天室",
  unknownRoom: "不是你的聊天室",
  unknownRoomLead: "没有这个聊天室，或者你不是它的成员。",
  you: "你",
  unread: (count) => `${count} 条未读`,
  botOnline: "机器人在线",
  botOffline: "机器人离线",
  members: (count) => `${count.toLocaleString("zh-CN")} 名成员`,
  membersTitle: "成员",
  online: "在线",
  search: "搜索消息",
  searchNow: "搜索",
  searchIn: "搜索范围",
  searchHere: "在此聊天室中搜索",
  allRooms: "所有聊天室",
  results: (query) => `包含“${query}”的消息`,
  searching: (count) => (count === 0 ? "正在搜索…" : `已找到 ${count.toLocaleString("zh-CN")} 条消息，仍在搜索…`),
  found: (count) =>
    count === 0 ? "没有找到。请减少关键词或换一个。" : `找到 ${count.toLocaleString("zh-CN")} 条消息。`,
  foundSoFar: (count) => (count === 0 ? "目前没有找到。" : `目前找到 ${count.toLocaleString("zh-CN")} 条消息。`),
  searchIncomplete: "服务器仍在为更早的消息建立索引：都能搜到，只是需要多搜几次。",
  searchFurther: "继续往前搜索",
  endSearch: "返回聊天室列表",
  notify: "浏览器通知",
  notifyOff: "通知已关闭。",
  notifyOn: "页面在后台时，新消息会通知你。",
  notifyDenied: "浏览器不允许此页面发送通知。",
  messages: (room) => `${room}的消息`,
  older: "更早的消息",
  loading: "正在加载…",
  begins: "聊天室从这里开始。",
  empty: "还没有人说话。",
  newHere: "新消息",
  newBelow: (count) => `${count.toLocaleString("zh-CN")} 条新消息`,
  toNewest: "回到最新",
  arrived: (count) => `${count.toLocaleString("zh-CN")} 条新消息`,
  arrivedIn: (room, who, text) => `${room}，${who}：${text}`,
  actions: "操作",
  quote: "引用",
  recall: "撤回",
  recalled: "消息已撤回。",
  quoteGone: "被引用的消息已不存在。",
  showQuoted: "查看被引用的消息",
  unsupportedFile: "此文件只在对方网络中。",
  picture: (sender) => `${sender}的图片`,
  pictureTitle: "图片",
  asText: "显示为文字",
  asPicture: "显示为图片",
  openOriginal: "打开原图",
  write: (room) => `发到${room}的消息`,
  attach: "文件",
  attached: "已添加的文件",
  quoting: (who) => `引用${who}`,
  dropQuote: "取消引用",
  mentionable: "可提及的成员",
};

const all: Readonly<Record<Language, RoomTexts>> = { "zh-CN": zh, en };

/** The texts of this page in a language. */
export const textsIn = (language: Language): RoomTexts => all[language];

/** The texts of this page in the language in effect. */
export const useRoomTexts = (): RoomTexts => textsIn(useApp().preferences.spoken.value);
