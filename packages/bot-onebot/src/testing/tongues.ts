/** A frame, before it is written as JSON. */
export type Frame = Readonly<Record<string, unknown>>;

/** The differences between the versions in an implementation. */
interface Tongue {
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  readonly first: Frame;
  readonly sends: ReadonlySet<string>;
  state(isOnline: boolean): Frame;
  said(message: { id: string; text: string; room: string; user: string }): Frame;
  sent(id: string): unknown;
  answer(action: string, isOnline: boolean): unknown;
}

/** The ID of the account in the network. */
export const account = "9000";
const now = () => Math.floor(Date.now() / 1000);

/** How implementations of the versions speak. */
export const tongues: Readonly<Record<11 | 12, Tongue>> = {
  11: {
    // As NapCat sends them.
    headers: { "x-self-id": account, "x-client-role": "Universal", "user-agent": "OneBot/11" },
    protocols: [],
    first: { post_type: "meta_event", meta_event_type: "lifecycle", sub_type: "connect", self_id: 9000, time: now() },
    sends: new Set(["send_group_msg", "send_private_msg", "upload_group_file", "upload_private_file"]),
    state: (online) => ({
      post_type: "meta_event",
      meta_event_type: "heartbeat",
      interval: 30_000,
      status: { online, good: true },
      self_id: 9000,
      time: now(),
    }),
    said: ({ id, text, room, user }) => ({
      post_type: user === account ? "message_sent" : "message",
      message_type: "group",
      sub_type: "normal",
      message_id: Number(id),
      group_id: Number(room),
      user_id: Number(user),
      self_id: 9000,
      time: now(),
      message: [{ type: "text", data: { text } }],
      sender: { nickname: `n${user}`, card: "" },
    }),
    sent: (id) => ({ message_id: Number(id) }),
    answer: (action, online) =>
      ({
        get_status: { online, good: true },
        get_login_info: { user_id: 9000, nickname: "bot" },
        get_version_info: { app_name: "Simulated", app_version: "1", protocol_version: "v11" },
        get_group_list: [],
        get_group_member_info: { card: "Card", nickname: "nick" },
      })[action],
  },
  12: {
    headers: { "user-agent": "OneBot/12 (qq) Test/1.0" },
    protocols: ["12.test"],
    first: { id: "e0", type: "meta", detail_type: "connect", sub_type: "", time: now(), version: { impl: "test" } },
    sends: new Set(["send_message"]),
    state: (online) => ({
      id: "e1",
      type: "meta",
      detail_type: "status_update",
      time: now(),
      status: { good: true, bots: [{ self: { platform: "qq", user_id: account }, online }] },
    }),
    said: ({ id, text, room, user }) => ({
      id: `e-${id}`,
      type: "message",
      detail_type: "group",
      sub_type: "",
      message_id: id,
      group_id: room,
      user_id: user,
      self: { platform: "qq", user_id: account },
      time: Date.now() / 1000,
      message: [{ type: "text", data: { text } }],
      alt_message: text,
    }),
    sent: (id) => ({ message_id: id, time: now() }),
    answer: (action, online) =>
      ({
        get_status: { good: true, bots: [{ self: { platform: "qq", user_id: account }, online }] },
        get_self_info: { user_id: account, user_name: "bot", user_displayname: "" },
        get_version: { impl: "Simulated", version: "1", onebot_version: "12" },
        get_group_list: [],
        get_group_member_info: { user_name: "nick", user_displayname: "Card" },
        upload_file: { file_id: "f-1" },
      })[action],
  },
};
