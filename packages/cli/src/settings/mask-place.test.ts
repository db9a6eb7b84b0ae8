import { expect, it } from "vitest";
import { maskPlace } from "./mask-place.ts";

it("a place of files that is shown has no value of an unstorage driver, and is else as it was", () => {
  expect(maskPlace("unstorage:redis?url=redis://:p=1@a.example&base=b")).toBe(
    "unstorage:redis?url=********&base=********",
  );
  for (const place of ["unstorage:redis", "./telex-data/blobs", "s3:https://s3.example.org/bucket?region=eu"]) {
    expect(maskPlace(place)).toBe(place);
  }
});
