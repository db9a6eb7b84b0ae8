import { describe, expect, it } from "vitest";
import { readToken } from "./token.ts";

const read = (header: string | null, query?: string, open = false): string | null => readToken({ header, query }, open);

describe("a token", () => {
  it("is read from the header or the query", () => {
    expect(read("Bearer abc")).toBe("abc");
    expect(read("bearer  a.b-c_d~e+f/g==")).toBe("a.b-c_d~e+f/g==");
    expect(read(null, "abc")).toBe("abc");
    expect(read("Bearer abc", "abc")).toBe("abc");
    expect(read(null)).toBeNull();
  });

  it("that differs between header and query is refused", () => {
    expect(() => read("Bearer abc", "abd")).toThrow("token_mismatch");
    expect(() => read("Bearer abc", "", true)).toThrow("token_mismatch");
  });

  it.each(["Bearer", "Bearer ", "Bearer a b", "Bearer a,b", "Bearer a, Bearer a", "Basic eDp5", "abc", ""])(
    "in the header %j is malformed",
    (header) => {
      expect(() => read(header)).toThrow("invalid_token");
      expect(read(header, undefined, true)).toBeNull();
    },
  );
});
