import type { AccountTexts } from "./type.ts";

/** The texts in Simplified Chinese. */
export const zh: AccountTexts = {
  saved: "已保存。",
  save: "保存",

  profile: "资料",
  nickname: "名字",
  nicknameHint: "其他人会看到。",
  username: "用户名",
  usernameHint: "用来登录。",

  changePicture: "更换头像",

  signingIn: "登录方式",
  newPassword: "新密码",
  newPasswordHint: "至少 8 个字符。其他浏览器都会退出登录，访问令牌不受影响。",
  changePassword: "修改密码",
  passwordChanged: "密码已修改。",
  recovered: (when) => `${when}有人使用了管理员的恢复链接。`,

  passkeys: "通行密钥",
  passkeysLead: "通行密钥是保存在你设备中的钥匙。用指纹、面容或设备的 PIN 登录，不需要密码。",
  passkeysOff: "浏览器在此地址不能使用通行密钥：它需要域名和 HTTPS。请运营者设置 baseUrl。",
  passkeyName: "名称",
  passkeyAdded: (day) => `添加于${day}`,
  passkeyUsed: (when) => `${when}使用过`,
  passkeyUnused: "从未使用",
  passkeyMade: "已添加通行密钥。",
  passkeyNotMade: "没有创建通行密钥。",
  passkeyRemoved: "已删除通行密钥。",
  addPasskey: "添加通行密钥",
  rename: "重命名",
  removePasskey: "删除",
  removePasskeyTitle: (name) => `删除通行密钥 ${name}？`,
  removePasskeyLead: "它将不能再用来登录。已登录的浏览器不受影响。",

  sessions: "会话",
  sessionsLead: "你已登录的浏览器。",
  thisOne: "当前",
  end: "结束",
  endOf: (browser) => `结束 ${browser} 的会话`,
  endOthers: "结束其他所有会话",
  ended: "已在那里退出登录。",

  newToken: "新令牌",
  newTokenLead: "持有令牌的程序可以在其权限内以你的名义操作，但不能修改你的登录方式，也不能以管理员身份操作。",
  tokenName: "名称",
  tokenNameHint: "例如使用它的程序。",
  scope: "权限",
  scopes: { chat: "chat：聊天室、设备、对话和文件", profile: "profile：仅你的身份" },
  life: "有效期",
  lives: { quarter: "90 天", day: "一天", month: "30 天", year: "一年" },
  issued: "新的令牌",
  issuedLead: "它只在此时显示一次。持有它的人可以以你的名义操作。",

  usage: "AI 回复",
  quotaLeft: (left, max) => `剩余 ${left} / ${max}`,

  appearance: "语言和外观",

  yourData: "你的数据",
  yourDataLead: "一个 JSON 文件，包含你的账号、聊天室、消息、设备、对话和文件地址。",
  exportData: "下载你的数据",

  remove: "删除账号",
  removeTitle: "删除你的账号？",
  removeLead:
    "你的设备、文件和令牌将被删除。你的消息会留在聊天室里，但不再显示你的名字。你的用户名不会再给任何人。此操作无法撤销。",
};
