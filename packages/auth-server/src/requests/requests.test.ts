import { describe, expect, it } from "vitest";
import { createSessionCookie } from "./cookies.ts";
import { relationOf } from "./origin.ts";

describe("the cookie of a session", () => {
  const secure = createSessionCookie(() => ({ isSecure: true, port: 443 }));
  const local = createSessionCookie(() => ({ isSecure: false, port: 7700 }));

  it("belongs to one host, is not seen by scripts, and goes to no other site", () => {
    expect(secure.write("s", null)).toBe("__Host-telex=s; Path=/; HttpOnly; SameSite=Lax; Secure");
    expect(secure.write("s", 60)).toBe("__Host-telex=s; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60");
    expect(local.write("s", null)).toBe("telex-7700=s; Path=/; HttpOnly; SameSite=Lax");
    expect(local.remove()).toBe("telex-7700=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
  });

  it("is found among others, and not believed if there are two", () => {
    expect(local.read("a=b; telex-7700=s; telex-7701=t")).toBe("s");
    expect([null, "a=b", "telex-7700=", "xtelex-7700=s"].map((header) => local.read(header))).toEqual(
      Array(4).fill(null),
    );
    expect(local.read("telex-7700=s; telex-7700=t")).toBeNull();
  });
});

describe("the relation of a request", () => {
  const origins = new Set(["https://telex.example"]);
  const relation = (headers: Readonly<Record<string, string>>) =>
    relationOf({ header: (name) => headers[name] ?? null }, origins);

  it.each([
    [{}, "none"],
    [{ origin: "https://telex.example" }, "same"],
    [{ "sec-fetch-site": "same-origin" }, "same"],
    [{ "sec-fetch-site": "same-origin", origin: "https://telex.example" }, "same"],
    [{ "sec-fetch-site": "same-origin", origin: "https://evil.example" }, "foreign"],
    [{ "sec-fetch-site": "same-site", origin: "https://telex.example" }, "foreign"],
    [{ "sec-fetch-site": "cross-site" }, "foreign"],
    [{ "sec-fetch-site": "none" }, "foreign"],
    [{ origin: "null" }, "foreign"],
    [{ origin: "https://telex.example.evil" }, "foreign"],
    [{ origin: "http://telex.example" }, "foreign"],
  ])("with %j is %s", (headers, expected) => {
    expect(relation(headers)).toBe(expected);
  });
});
