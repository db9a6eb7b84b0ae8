import { expect, test } from "vitest";
import { cutFences } from "./fences.ts";

const words = (text: string) => ({ kind: "words", text });
const code = (text: string, language = "") => ({ kind: "code", text, language });

test.each([
  ["nothing", [words("nothing")]],
  ["before\n```sh\nls -l\n\npwd\n```\nafter", [words("before"), code("ls -l\n\npwd", "sh"), words("after")]],
  ["```\none\n```\n```\ntwo\n```", [code("one"), code("two")]],
  ["```\nwithout an end", [words("```\nwithout an end")]],
  ["a ``` b ``` c", [words("a ``` b ``` c")]],
  ["```a```\nb", [words("```a```\nb")]],
])("the code of %j is between fences", (text, parts) => {
  expect(cutFences(text)).toEqual(parts);
});
