import assert from "node:assert/strict";
import type { ByteStream } from "@telex/core/storage";
import { digitsOf } from "../support/fixtures.ts";
import { type BlobCase, blob, expectNothing, defineBlobCases } from "./blob-kit.ts";

const refusedNames = [
  "",
  ".",
  "..",
  `../${blob}`,
  `/${blob}`,
  `${blob}/`,
  `ab/${blob}`,
  blob.slice(1),
  `${blob}0`,
  digitsOf(0xabc, 32).toUpperCase(),
  `${blob}.`,
  `${blob}./x`,
  `${blob}.a.b`,
  `${blob}.jp g`,
  `${blob}\n`,
  `${blob}\u0000`,
  "z".repeat(32),
];

/** Promises about the names of blobs. */
export const nameCases: readonly BlobCase[] = defineBlobCases({
  "other names are refused by every verb": async ({ blobs }) => {
    let asked = false;
    async function* untouched(): ByteStream {
      asked = true;
      yield Buffer.from("bytes");
    }
    for (const name of refusedNames) {
      const calls = [() => blobs.put(name, untouched()), () => blobs.open(name), () => blobs.delete(name)];
      for (const call of calls)
        await assert.rejects(async () => call(), TypeError, `${JSON.stringify(name)} was taken for a name`);
    }
    assert.equal(asked, false, "bytes were read for a name that is refused");
    await expectNothing(blobs);
  },
});
