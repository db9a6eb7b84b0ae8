import type { SummaryWords } from "./content.ts";

/** Every text of the page of rooms, loaded with it. A language that lacks one does not compile. */
export interface RoomTexts {
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

export const en: RoomTexts = {
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
