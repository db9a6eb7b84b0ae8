/** The texts for creating and managing rooms. */
export interface RunTexts {
  readonly newOne: string;
  readonly newRoom: string;
  readonly roomName: string;
  readonly topic: string;
  readonly topicHint: string;
  readonly people: string;
  readonly person: string;
  readonly personHint: string;
  readonly peopleHint: string;
  readonly chosen: (count: number) => string;
  readonly makeRoom: (count: number) => string;
  readonly newRoomHint: string;
  readonly privateChat: string;
  readonly chatWith: (name: string) => string;
  readonly nobodyHere: string;
  readonly nobodyFound: (typed: string) => string;

  readonly startTitle: string;
  readonly startLead: string;
  readonly startRoom: string;
  readonly startChat: string;
  readonly findPerson: string;
  readonly otherWays: string;
  readonly toDevices: string;
  readonly listEmpty: string;

  readonly about: string;
  readonly showAbout: string;
  readonly editRoom: string;
  readonly roomSaved: string;
  readonly noTopic: string;
  readonly membersOnline: (count: number, online: number) => string;
  readonly addPeople: string;
  readonly addChosen: (count: number) => string;
  readonly added: (count: number) => string;
  readonly member: (name: string) => string;
  readonly role: string;
  readonly roles: { readonly owner: string; readonly moderator: string; readonly member: string };
  readonly roleGiven: (name: string) => string;
  readonly takeOut: string;
  readonly takeOutTitle: (name: string) => string;
  readonly takeOutLead: string;
  readonly tookOut: (name: string) => string;
  readonly archive: string;
  readonly archiveLead: string;
  readonly unarchive: string;
  readonly archived: string;
  readonly archivedHere: string;
  readonly archivedRooms: (count: number) => string;
  readonly leave: string;
  readonly leaveTitle: (room: string) => string;
  readonly leaveLead: string;
  readonly left: string;
  readonly remove: string;
  readonly removeTitle: (room: string) => string;
  readonly removeLead: string;
  readonly removed: string;
  readonly edit: string;
  readonly editLabel: string;
  readonly edited: string;
  readonly react: string;
  readonly reactWith: (emoji: string) => string;
  readonly moreEmoji: string;
  readonly reactions: (emoji: string, count: number, names: string) => string;
  readonly pin: string;
  readonly unpin: string;
  readonly pinned: string;
  readonly unpinned: string;
  readonly isPinned: string;
  readonly pinnedMessages: string;
  readonly noPins: string;
  readonly readBy: string;
  readonly readByNobody: string;
  readonly copyLink: string;
  readonly messageOf: (name: string) => string;
  readonly notifyMe: string;
  readonly levels: { readonly default: string; readonly all: string; readonly mentions: string; readonly none: string };
  readonly mutedRoom: string;
  readonly invite: string;
  readonly inviteTitle: string;
  readonly inviteLead: string;
  readonly linkEnds: (when: string) => string;
  readonly haveLink: string;
  readonly haveLinkLead: string;
  readonly join: string;
  readonly link: string;
  readonly linkHint: string;
  readonly noLink: string;
  readonly typing: (names: readonly string[]) => string;
  readonly offlineHere: string;
  readonly allOfThem: string;
  readonly onlyUnread: (count: number) => string;
  readonly noneUnread: string;
  readonly onlyMentions: (count: number) => string;
  readonly noneMentions: string;
}

const people = (count: number): string => (count === 1 ? "1 person" : `${count.toLocaleString("en")} people`);

export const runEn: RunTexts = {
  newOne: "New",
  newRoom: "New room",
  roomName: "Name",
  topic: "Topic",
  topicHint: "What is it about?",
  people: "People",
  person: "Person",
  personHint: "Name, username or pinyin",
  peopleHint: "Names or pinyin, comma-separated",
  chosen: (count) => `${count} chosen`,
  makeRoom: (count) => (count === 0 ? "Create room" : `Create room with ${people(count)}`),
  newRoomHint: "You become the owner. Only members see the room.",
  privateChat: "Private chat",
  chatWith: (name) => `Private chat with ${name}`,
  nobodyHere: "There are no people to choose from yet.",
  nobodyFound: (typed) => `No person matches "${typed}".`,
  startTitle: "Start a conversation",
  startLead: "People, devices, bots and models can all be in a room.",
  startRoom: "For several people. You become its owner.",
  startChat: "You and one other person.",
  findPerson: "Find a person",
  otherWays: "Or ",
  toDevices: "write to a device",
  listEmpty: "No rooms yet. Rooms and private chats appear here, newest first.",
  about: "Room",
  showAbout: "Members and settings",
  editRoom: "Name and topic",
  roomSaved: "Saved.",
  noTopic: "No topic yet.",
  membersOnline: (count, online) =>
    `${count.toLocaleString("en")} ${count === 1 ? "member" : "members"}, ${online.toLocaleString("en")} online`,
  addPeople: "Add people",
  addChosen: (count) => `Add ${people(count)}`,
  added: (count) => `${people(count)} added.`,
  member: (name) => `About ${name}`,
  role: "Role",
  roles: { owner: "owner", moderator: "moderator", member: "member" },
  roleGiven: (name) => `The role of ${name} has changed.`,
  takeOut: "Remove from the room",
  takeOutTitle: (name) => `Remove ${name}?`,
  takeOutLead: "They can no longer read the room. They can be added again.",
  tookOut: (name) => `${name} is no longer in the room.`,
  archive: "Archive",
  archiveLead: "The room is read-only until an owner unarchives it.",
  unarchive: "Unarchive",
  archived: "archived",
  archivedHere: "This room is archived and read-only.",
  archivedRooms: (count) => `Archived ${count.toLocaleString("en")}`,
  leave: "Leave",
  leaveTitle: (room) => `Leave ${room}?`,
  leaveLead: "You can no longer read the room. An owner or moderator can add you again.",
  left: "You have left the room.",
  remove: "Delete the room",
  removeTitle: (room) => `Delete ${room}?`,
  removeLead: "The room and all its messages are deleted for all members. This cannot be undone.",
  removed: "The room is deleted.",
  edit: "Edit",
  editLabel: "Edited message",
  edited: "edited",
  react: "React",
  reactWith: (emoji) => `React with ${emoji}`,
  moreEmoji: "More emoji",
  reactions: (emoji, count, names) => `${emoji} ${count}: ${names}`,
  pin: "Pin in this room",
  unpin: "Unpin",
  pinned: "The message is pinned.",
  unpinned: "The message is no longer pinned.",
  isPinned: "pinned",
  pinnedMessages: "Pinned",
  noPins: "No pinned messages.",
  readBy: "Read by",
  readByNobody: "No read receipts yet.",
  copyLink: "Copy the link to the message",
  messageOf: (name) => `Message from ${name}`,
  notifyMe: "Notify me about",
  levels: { default: "My default", all: "All messages", mentions: "Mentions", none: "Nothing" },
  mutedRoom: "no notifications",
  invite: "Invitation link",
  inviteTitle: "Invite with a link",
  inviteLead: "Up to 100 people with an account here can join the room with this link. It is shown only once.",
  linkEnds: (when) => `It is valid until ${when}.`,
  haveLink: "Join with a link",
  haveLinkLead: "Paste it to join the room.",
  join: "Join",
  link: "Link",
  linkHint: "Such as https://…/user/join#…",
  noLink: "This is not a link to a room: the part after the # is missing.",
  typing: (names) =>
    names.length > 2
      ? `${names.length} people are typing`
      : `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} typing`,
  offlineHere: "Offline, sending later",
  allOfThem: "All",
  onlyUnread: (count) => `Unread ${count.toLocaleString("en")}`,
  noneUnread: "You have read everything.",
  onlyMentions: (count) => `Mentions ${count.toLocaleString("en")}`,
  noneMentions: "You have no unread mentions.",
};

export const runZh: RunTexts = {
  newOne: "新建",
  newRoom: "新聊天室",
  roomName: "名称",
  topic: "主题",
  topicHint: "聊些什么？",
  people: "成员",
  person: "联系人",
  personHint: "姓名、用户名或拼音",
  peopleHint: "姓名或拼音，用逗号分隔",
  chosen: (count) => `已选 ${count} 人`,
  makeRoom: (count) => (count === 0 ? "创建聊天室" : `和 ${count.toLocaleString("zh-CN")} 人创建聊天室`),
  newRoomHint: "你将成为群主。只有成员能看到这个聊天室。",
  privateChat: "私聊",
  chatWith: (name) => `和${name}私聊`,
  nobodyHere: "还没有可选的人。",
  nobodyFound: (typed) => `没有叫“${typed}”的人。`,
  startTitle: "开始聊天",
  startLead: "人、设备、机器人和 AI 模型都可以在聊天室里。",
  startRoom: "多人聊天，你是群主。",
  startChat: "你和另一个人。",
  findPerson: "找人",
  otherWays: "也可以",
  toDevices: "给设备发消息",
  listEmpty: "还没有聊天室。聊天室和私聊会出现在这里，最新的在最前面。",
  about: "聊天室",
  showAbout: "成员和设置",
  editRoom: "名称和主题",
  roomSaved: "已保存。",
  noTopic: "还没有主题。",
  membersOnline: (count, online) => `${count.toLocaleString("zh-CN")} 名成员，${online.toLocaleString("zh-CN")} 人在线`,
  addPeople: "添加成员",
  addChosen: (count) => `添加 ${count.toLocaleString("zh-CN")} 人`,
  added: (count) => `已添加 ${count.toLocaleString("zh-CN")} 人。`,
  member: (name) => `关于${name}`,
  role: "角色",
  roles: { owner: "群主", moderator: "管理员", member: "成员" },
  roleGiven: (name) => `${name}的角色已更改。`,
  takeOut: "移出聊天室",
  takeOutTitle: (name) => `移出${name}？`,
  takeOutLead: "对方将不能再阅读这个聊天室，之后可以重新添加。",
  tookOut: (name) => `${name}已不在聊天室中。`,
  archive: "归档",
  archiveLead: "归档后只能阅读，不能发言，直到群主恢复它。",
  unarchive: "恢复",
  archived: "已归档",
  archivedHere: "这个聊天室已归档：只能阅读，不能发言。",
  archivedRooms: (count) => `已归档 ${count.toLocaleString("zh-CN")}`,
  leave: "离开",
  leaveTitle: (room) => `离开${room}？`,
  leaveLead: "你将不能再阅读这个聊天室。管理它的人可以重新添加你。",
  left: "你已离开聊天室。",
  remove: "删除聊天室",
  removeTitle: (room) => `删除${room}？`,
  removeLead: "所有成员都会失去它和其中的全部消息。此操作无法撤销。",
  removed: "聊天室已删除。",
  edit: "编辑",
  editLabel: "消息的新内容",
  edited: "已编辑",
  react: "回应",
  reactWith: (emoji) => `用 ${emoji} 回应`,
  moreEmoji: "更多表情",
  reactions: (emoji, count, names) => `${emoji} ${count}：${names}`,
  pin: "在聊天室中置顶",
  unpin: "取消置顶",
  pinned: "消息已置顶。",
  unpinned: "消息已取消置顶。",
  isPinned: "已置顶",
  pinnedMessages: "置顶消息",
  noPins: "没有置顶消息。",
  readBy: "已读成员",
  readByNobody: "还没有已知的已读成员。",
  copyLink: "复制消息链接",
  messageOf: (name) => `${name}的消息`,
  notifyMe: "通知我",
  levels: { default: "我的默认设置", all: "所有消息", mentions: "提到我的消息", none: "不通知" },
  mutedRoom: "不通知",
  invite: "邀请链接",
  inviteTitle: "用链接邀请",
  inviteLead: "在此有账号的人可用它加入聊天室，最多 100 人。链接只显示一次。",
  linkEnds: (when) => `有效期至 ${when}。`,
  haveLink: "你有链接",
  haveLinkLead: "粘贴链接即可加入聊天室。",
  join: "加入",
  link: "链接",
  linkHint: "例如 https://…/user/join#…",
  noLink: "这不是聊天室链接：缺少 # 之后的部分。",
  typing: (names) => (names.length > 2 ? `${names.length} 人正在输入` : `${names.join("和")}正在输入`),
  offlineHere: "离线，等待发送",
  allOfThem: "全部",
  onlyUnread: (count) => `未读 ${count.toLocaleString("zh-CN")}`,
  noneUnread: "没有未读消息。",
  onlyMentions: (count) => `提到我 ${count.toLocaleString("zh-CN")}`,
  noneMentions: "没有提到你的未读消息。",
};
