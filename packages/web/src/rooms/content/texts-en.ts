import type { SummaryWords } from "./content.ts";
import { runEn, type RunTexts } from "./run-texts.ts";
import type { ToolTexts } from "../../ui/panes/tool-calls.tsx";
import { toolsEn } from "../../ui/panes/tool-texts.ts";
import { summaries } from "./summaries.ts";

/** Every text of the page of rooms, loaded with it. A language that lacks one does not compile. */
export interface RoomTexts extends RunTexts {
  readonly tools: ToolTexts;
  readonly summary: SummaryWords;
  readonly loadingRooms: string;
  readonly roomsOffline: string;
  readonly noRooms: string;
  readonly noRoomsLead: string;
  readonly moreRooms: string;
  readonly backToList: string;
  readonly unknownRoom: string;
  readonly unknownRoomLead: string;
  readonly unread: (count: number) => string;
  readonly botOnline: string;
  readonly botOffline: string;
  readonly members: (count: number) => string;
  readonly membersTitle: string;
  readonly online: string;
  readonly offline: string;

  readonly search: string;
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

  readonly messages: (room: string) => string;
  readonly older: string;
  readonly loading: string;
  readonly begins: string;
  readonly empty: string;
  readonly newHere: (count: number) => string;
  readonly since: (time: string) => string;
  readonly latest: string;
  readonly copyCode: string;
  readonly notices: Readonly<Partial<Record<string, (names: string) => string>>>;
  readonly newBelow: (count: number) => string;
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
  ...runEn,
  tools: toolsEn,
  summary: summaries.en,
  roomsOffline: "Your rooms appear here when the connection is back.",
  loadingRooms: "Loading your rooms...",
  noRooms: "No rooms yet",
  noRoomsLead: "The operator of this server adds rooms and their members:",
  moreRooms: "More rooms",
  backToList: "All rooms",
  unknownRoom: "Not one of your rooms",
  unknownRoomLead: "There is no such room, or you are not a member of it.",
  unread: (count) => `${count} unread`,
  botOnline: "bot online",
  botOffline: "bot offline",
  members: (count) => `${count.toLocaleString("en")} ${count === 1 ? "member" : "members"}`,
  membersTitle: "Members",
  online: "online",
  offline: "offline",
  search: "Search messages",
  searchIn: "Where to search",
  searchHere: "Search this room",
  allRooms: "All rooms",
  results: (query) => `Messages containing ${query}`,
  searching: (count) => (count === 0 ? "Searching..." : `${messagesFound(count)}. Still searching...`),
  found: (count) => (count === 0 ? "Nothing found. Try fewer or other words." : `${messagesFound(count)}.`),
  foundSoFar: (count) => (count === 0 ? "Nothing found so far." : `${messagesFound(count)} so far.`),
  searchIncomplete: "The server is still indexing older messages. They can be found, but it takes more steps.",
  searchFurther: "Search further back",
  endSearch: "Back to the rooms",
  messages: (room) => `Messages in ${room}`,
  older: "Older messages",
  loading: "Loading...",
  begins: "The room begins here.",
  empty: "No messages yet.",
  newHere: (count) => (count === 0 ? "New" : `${count.toLocaleString("en")} new`),
  since: (time) => `since ${time}`,
  latest: "Latest",
  copyCode: "Copy the code",
  notices: {
    created: () => "created the room",
    renamed: () => "changed the name of the room",
    topic_changed: () => "changed the topic",
    avatar_changed: () => "changed the picture of the room",
    members_added: (names) => `added ${names === "" ? "people" : names}`,
    members_removed: (names) => `removed ${names === "" ? "people" : names}`,
    roles_changed: (names) => (names === "" ? "changed roles" : `changed the role of ${names}`),
    joined: () => "joined the room",
    left: () => "left the room",
    archived: () => "archived the room",
    unarchived: () => "unarchived the room",
  },
  newBelow: (count) => `${count.toLocaleString("en")} new`,
  arrived: (count) => `${count.toLocaleString("en")} new messages`,
  arrivedIn: (room, who, text) => `${room}, ${who}: ${text}`,
  actions: "Actions",
  quote: "Quote",
  recall: "Recall",
  recalled: "The message was recalled.",
  quoteGone: "The quoted message no longer exists.",
  showQuoted: "Show the message",
  unsupportedFile: "This file is only available in the external network.",
  picture: (sender) => `Picture from ${sender}`,
  pictureTitle: "Picture",
  asText: "As text",
  asPicture: "As a picture",
  openOriginal: "Open the original",
  write: (room) => `Message to ${room}`,
  attach: "Files",
  attached: "Attached files",
  quoting: (who) => `Quoting ${who}`,
  dropQuote: "Remove the quote",
  mentionable: "Members to mention",
};
