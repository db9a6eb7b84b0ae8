import { expect, test } from "vitest";
import { formatSize } from "./size.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [1_550_000, "1.6 MB"],
  [104_857_600, "104.9 MB"],
])("%i bytes are %s", (bytes, size) => {
  expect(formatSize(bytes, "en")).toBe(size);
});
