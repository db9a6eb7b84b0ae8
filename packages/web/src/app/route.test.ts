import { expect, test } from "vitest";
import { readRoute } from "./route.ts";

const read = (address: string) => readRoute(new URL(address, "http://localhost"));

const notFound = {
  page: "notFound",
  deviceId: null,
  conversationId: null,
  groupId: null,
  messageId: null,
  admin: null,
  dialog: null,
  roomDialog: null,
} as const;
const teleprinter = { ...notFound, page: "teleprinter" } as const;
const chat = { ...notFound, page: "chat" } as const;

test.each([
  ["/user/teleprinter/", { ...teleprinter, deviceId: null, dialog: null }],
  ["/user/teleprinter", { ...teleprinter, deviceId: null, dialog: null }],
  ["/user/teleprinter/device/kitchen-1", { ...teleprinter, deviceId: "kitchen-1", dialog: null }],
  ["/user/teleprinter/device/a/", { ...teleprinter, deviceId: "a", dialog: null }],
  ["/user/teleprinter/device/no%20id", notFound],
  ["/user/teleprinter/other", notFound],
  ["/user/teleprinterother", notFound],
  ["/user/anything#pair", notFound],
  ["/user/teleprinter/#pair", { ...teleprinter, deviceId: null, dialog: "pair" }],
  ["/user/teleprinter/#pair=bcdf-ghjk", { ...teleprinter, deviceId: null, dialog: null }],
  ["/user/teleprinter/#pair=<script>", { ...teleprinter, deviceId: null, dialog: null }],
  ["/user/teleprinter/device/a#register", { ...teleprinter, deviceId: "a", dialog: "register" }],
  ["/user/chat/", { ...chat, conversationId: null }],
  ["/user/chat", { ...chat, conversationId: null }],
  ["/user/chat/new", { ...chat, conversationId: "new" }],
  ["/user/chat/12/", { ...chat, conversationId: "12" }],
  ["/user/chat/12/34", { ...chat, conversationId: "12", messageId: 34 }],
  ["/user/chat/12/x", notFound],
  ["/user/chat/012", notFound],
  ["/user/rooms/", { ...notFound, page: "rooms" }],
  ["/user/rooms/12", { ...notFound, page: "rooms", groupId: 12 }],
  ["/user/rooms/12/1795000000000000/", { ...notFound, page: "rooms", groupId: 12, messageId: 1795000000000000 }],
  ["/user/rooms/#new", { ...notFound, page: "rooms", roomDialog: "new" }],
  ["/user/rooms/12#chat", { ...notFound, page: "rooms", groupId: 12, roomDialog: "chat" }],
  ["/user/rooms/#pair", { ...notFound, page: "rooms" }],
  ["/user/rooms/x", notFound],
  ["/user/pictures/", { ...notFound, page: "pictures" }],
  ["/user/pictures", { ...notFound, page: "pictures" }],
  ["/user/pictures/cat", notFound],
  ["/user/files/", { ...notFound, page: "files" }],
  ["/user/account/", { ...notFound, page: "account" }],
  ["/user/account/other", notFound],
  ["/user/admin", { ...notFound, page: "admin", admin: { section: null, id: null } }],
  ["/user/admin/users/", { ...notFound, page: "admin", admin: { section: "users", id: null } }],
  ["/user/admin/users/7", { ...notFound, page: "admin", admin: { section: "users", id: 7 } }],
  ["/user/admin/rooms/12/", { ...notFound, page: "admin", admin: { section: "rooms", id: 12 } }],
  ["/user/admin/tokens/7", notFound],
  ["/user/admin/quotas", notFound],
])("%s is a place", (address, place) => {
  expect(read(address)).toEqual(place);
});
