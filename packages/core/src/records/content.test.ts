import { expect, it } from "vitest";
import { plainText, readContent } from "./content.ts";

const textOf = (...segments: readonly object[]): string => plainText(readContent(JSON.stringify(segments)));

it("a message is read as a person would say it", () => {
  expect(
    textOf(
      { reply: { id: "", messageId: "7" } },
      { at: { ext: "1", name: "Ada" } },
      { text: { text: "see " } },
      { image: { file: "a.png", summary: "", sub_type: "0", file_size: "1" } },
      { text: { text: " and " } },
      { file: { relativePath: "secret/a.zip", isEXT: "0" } },
    ),
  ).toBe("@Ada see [image] and [file]");
});

it("a mention without a name is read by its ID, and what is not known by nothing", () => {
  expect(textOf({ at: { ext: "10001", name: "" } }, { face: { id: "14" } }, { text: { text: "!" } })).toBe("@10001 !");
});
