import { expect, it } from "vitest";
import { networkRows } from "./networks.ts";

const unset = (): never => {
  throw new Error("The defaults follow from no other setting.");
};

it.each([networkRows.avatarAllow, networkRows.mediaAllow])("$name lists hosts with ports", ({ kind, fallback }) => {
  const allowed = ["10.0.0.7:80", "nas.local:8080", "[fd00::7]:443"];
  expect(kind.parse(allowed)).toEqual(allowed);
  for (const wrong of ["nas.local", "nas.local:", "nas.local:123456", "http://nas.local:80", "a b:80", "[fd00::7:443"])
    expect({ wrong, value: kind.parse([wrong]) }).toEqual({ wrong, value: undefined });
  expect(fallback(unset)).toEqual([]);
});

it.each([networkRows.avatarUrlExt, networkRows.avatarUrlExtGroup])(
  "$name may be absent, and hides what its URL has before the host",
  ({ kind, fallback, mask }) => {
    expect(fallback(unset)).toBeNull();
    expect(kind.parse("")).toBeNull();
    const url = "https://name:secret@example.org/{id}/{size}";
    expect(kind.parse(url)).toBe(url);
    expect(mask?.(url)).not.toContain("secret");
  },
);

it("lets frameworks act as users, ignores unknown rooms and answers with 404 unless it is told otherwise", () => {
  const { onebot, unknownRooms, missingImage } = networkRows;
  expect([onebot, unknownRooms, missingImage].map(({ fallback }) => fallback(unset))).toEqual([true, "ignore", "404"]);
  expect([onebot.kind.parse("off"), unknownRooms.kind.parse("create"), missingImage.kind.parse("placeholder")]).toEqual(
    [false, "create", "placeholder"],
  );
});

it.each(Object.entries(networkRows))("%s is a setting of its own name", (name, setting) => {
  expect(setting.name).toBe(name);
});
