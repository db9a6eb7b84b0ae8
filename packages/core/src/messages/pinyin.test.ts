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
  });
});
