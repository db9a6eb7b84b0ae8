import { describe, expect, it } from "vitest";
import { createPinyin } from "./pinyin.ts";

const pinyin = createPinyin(100);

describe("pinyin of a message", () => {
  it.each([
    ["你好", "ni3 hao3"],
    ["妈妈", "ma1 ma0"],
    ["绿女略", "lü4 nü3 lüe4"],
    ["一心一意", "yi4 xin1 yi2 yi4"],
    ["你好,world!123", "ni3 hao3,world!123"],
    ["你好 world", "ni3 hao3 world"],
    ["\n你好\n世界", "\nni3 hao3\nshi4 jie4"],
    ["你好😀世界👨‍👩‍👧", "ni3 hao3😀shi4 jie4👨‍👩‍👧"],
    ["卡拉OK厅", "ka3 la1 OK ting1"],
    ["2019年度", "2019 nian2 du4"],
    ["hello", "hello"],
    ["", ""],
    ["銀行", "yin2 hang2"],
    ["長大", "zhang3 da4"],
    ["重慶", "chong2 qing4"],
    ["𠮷野家", "𠮷 ye3 jia1"],
    ["時間", "shi2 jian1"],
    ["車站", "che1 zhan4"],
    ["還是", "hai2 shi4"],
    ["什麼", "shen2 me0"],
    ["為什麼", "wei4 shen2 me0"],
    ["頭髮", "tou2 fa0"],
    ["發現", "fa1 xian4"],
    ["音樂", "yin1 yue4"],
    ["快樂", "kuai4 le4"],
    ["行長", "hang2 zhang3"],
    ["乾隆,乾淨!", "qian2 long2,gan1 jing4!"],
    ["瞭解OK", "liao3 jie3 OK"],
    ["宮商角徵羽", "gong1 shang1 jiao3 zhi3 yu3"],
    ["喎車𢋈😀", "wai1 che1 𢋈😀"],
  ])("reads %j as %j", (text, reading) => {
    expect(pinyin.text(text)).toBe(reading);
  });

  it("copies what is not Chinese byte for byte", () => {
    const text = "a  b\t\r\n café é 한국어 ひらがな __proto__ constructor ¼";
    expect(pinyin.text(text)).toBe(text);
  });

  it("reads a surname as a surname in nicknames only", () => {
    expect(pinyin.nickname("曾先生")).toBe("zeng1 xian1 sheng1");
    expect(pinyin.groupName("曾先生")).toBe(pinyin.text("曾先生"));
    expect(pinyin.text("曾先生")).toMatch(/^ceng2 /);
    expect(pinyin.nickname("單田芳")).toBe("shan4 tian2 fang1");
  });
});
