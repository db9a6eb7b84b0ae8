import { expect, test } from "vitest";
import { decodeHTMLStrict } from "./entities.ts";

test.each([
  ["&lt;b&gt; &amp;amp;", "<b> &amp;"],
  ["&#65;&#x1F30C;&#X41;", "A\u{1f30c}A"],
  ["&#0; &#xD800; &#9999999;", "\ufffd \ufffd \ufffd"],
  ["&unknown; &constructor; &amp", "&unknown; &constructor; &amp"],
])("%s is read as %s", (text, read) => {
  expect(decodeHTMLStrict(text)).toBe(read);
});
