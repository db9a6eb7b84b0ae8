/** Texts of people in a chat room, the same in each run. */

const common =
  "今天 明天 天气 大家 我们 一起 公园 散步 开会 资料 时间 地方 东西 问题 觉得 可以 没有 知道 现在 怎么 谢谢 不客气 早上好 晚安 吃饭 电影 周末 项目 代码 测试";
const latin = "ok hello update release meeting today server client test fix";

const words = [...common.split(" "), ...latin.split(" ")];

/** One in this many texts contains the rare words. */
const rareEvery = 9973;

/** The text of the message with this number. */
export function chatText(number: number): string {
  let seed = Math.imul((number % 4000) + 1, 0x9e3779b1) >>> 0;
  const next = (below: number): number => {
    seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0;
    seed = (seed + 0x6d2b79f5) >>> 0;
    return seed % below;
  };
  const said = Array.from({ length: 4 + next(8) }, () => words[next(words.length)] ?? "").join(
    next(3) === 0 ? " " : "",
  );
  return number % rareEvery === 5 ? `${said} 琥珀色的灯 amberlight` : said;
}

/** Queries by their property. Each has three characters or more, unless its name says otherwise. */
export const queries = {
  common: "大家我们",
  rare: "琥珀色",
  "rare, 2 characters": "琥珀",
  "rare, Latin": "amberlight",
  "no hit": "琥珀天",
  "rare, pinyin": "hupose",
  "no hit, initials": "qzjxwy",
  "1 letter": "m",
} as const;
