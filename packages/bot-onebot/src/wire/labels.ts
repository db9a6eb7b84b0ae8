/** How a part that a room of Telex does not have is shown as text. Both versions of OneBot, and what implementations add. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    face: "[表情]",
    mface: "[表情]",
    record: "[语音]",
    voice: "[语音]",
    audio: "[音频]",
    video: "[视频]",
    json: "[卡片]",
    xml: "[卡片]",
    forward: "[聊天记录]",
    poke: "[戳一戳]",
    location: "[位置]",
    share: "[分享]",
    music: "[音乐]",
    contact: "[名片]",
    dice: "[骰子]",
    rps: "[猜拳]",
    markdown: "[Markdown]",
  }),
);

/** The text that replaces a part of this type in a message. */
export const labelOf = (type: string): string => labels.get(type) ?? `[${type.slice(0, 32)}]`;
