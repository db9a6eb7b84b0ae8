import { type BusEvent, busTopicOf } from "@telex/core";
import { newDevice } from "@telex/core/storage";
import { now } from "../support/fixtures.ts";

export const wake = (deviceId: string): BusEvent => ({ kind: "device_wake", deviceId });

/** Every kind of event, and texts that are hard to carry. */
export const samples: readonly BusEvent[] = [
  wake("printer-1"),
  { kind: "token_ended", tokenId: Number.MAX_SAFE_INTEGER },
  {
    kind: "message",
    record: {
      id: 9_007_199_254_740_991,
      groupId: 3,
      seq: 12,
      userId: "7",
      external: false,
      type: 3,
      content: `[{"type":"text","data":{"text":"👩‍👩‍👧‍👦 \\u0000 \\"quoted\\" ${"长".repeat(50_000)}"}}]`,
      pinyin: "",
      nickname: "Ada\u2028",
      nicknamePinyin: "",
      createTime: now,
      receiveTime: now + 1,
      botMessageId: null,
      notice: null,
      mentions: null,
      extras: null,
      changed: 0,
    },
    sent: "b1a7e0a4-2f0e-4d35-8a52-3b1e5b0f7a11",
  },
  {
    kind: "device_presence",
    device: {
      deviceId: "printer-1",
      name: "Printer",
      owner: 7,
      createdAt: now,
      lastSeen: now,
      away: true,
      ...newDevice,
      roomId: 12,
      roomMentions: true,
    },
  },
  { kind: "room_presence", server: "server-1", version: 2, userId: 7, online: false },
  { kind: "room_presence_state", server: "server-1", version: 2, userIds: [7, Number.MAX_SAFE_INTEGER] },
  { kind: "room_presence_ask", server: "server-1" },
  { kind: "changes_ask", from: "server-1", key: "q83vEjRWeJASNFZ4" },
  { kind: "changes_seen", to: "server-1", server: "server-2", key: "q83vEjRWeJASNFZ4" },
  {
    kind: "room_told",
    groupId: 12,
    event: { kind: "group_changed", data: { groupId: 12, groupType: 1, change: "removed" } },
    except: 7,
  },
  { kind: "reply_ask", reply: "q83vEjRWeJASNFZ4", userId: 7, after: 0, asker: "reader-1", number: 12 },
  {
    kind: "reply_part",
    reply: "q83vEjRWeJASNFZ4",
    asker: "reader-1",
    number: 12,
    texts: ["id: q83vEjRWeJASNFZ4:1\nevent: ChatDelta\ndata: {}\n\n", ""],
    isOver: true,
  },
  {
    kind: "account_ask",
    server: "server-1/a",
    asker: "server-2/b",
    key: "k-1",
    question: { name: "members", account: "机器人", room: { kind: "group", ext: "500" } },
  },
  {
    kind: "account_answer",
    server: "server-2/b",
    key: "k-1",
    answer: '[{"ext":"1001","nickname":"\u0000","card":null}]',
  },
  { kind: "send_wake", server: "server-2/b", account: "机器人", groupId: 11 },
  { kind: "send_done", server: "server-2/b", id: "s-1" },
  {
    kind: "device_text",
    owner: 7,
    event: { kind: "device_delivered", data: { deviceId: "printer-1", ids: [1, 2, 3] } },
  },
];

/** The topics of the samples. */
export const sampleTopics = new Set(samples.map((sample) => busTopicOf(sample)).filter((topic) => topic !== null));
