import sharp from "sharp";
import { expect, it } from "vitest";
import { terminalPicture } from "./terminal.ts";

const shown = "\u001B[1mid\u001B[22m  name\n1   \u001B[32m✔\u001B[39m 茶 <&>\n";

it("keeps colours and weights, and takes nothing that was printed for SVG", () => {
  const picture = terminalPicture(shown, 'A "list"');
  expect(picture).toContain('font-weight="bold">id</text>');
  expect(picture).toMatch(/<text x="48" [^>]*fill="#56d364">✔<\/text>/);
  expect(picture).toContain(">&lt;&amp;&gt;</text>");
  expect(picture).toContain('aria-label="A &quot;list&quot;"');
  expect(picture).not.toContain("\u001B");
});

it("gives Chinese characters two cells each, and is as wide as its longest line", async () => {
  const picture = terminalPicture(shown, "A list");
  expect(picture).toMatch(/<text x="64" [^>]*textLength="16"[^>]*>茶<\/text><text x="88" /);
  expect(await sharp(Buffer.from(picture)).metadata()).toMatchObject({ width: 2 * 16 + 12 * 8, format: "svg" });
});
