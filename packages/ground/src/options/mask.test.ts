import { describe, expect, it } from "vitest";
import { maskUrl } from "./mask.ts";

describe("an address that is shown", () => {
  it("has no password", () => {
    expect(maskUrl("mongodb://me:p%40ss@a.example,b.example/telex")).toBe(
      "mongodb://me:********@a.example,b.example/telex",
    );
    for (const user of ["token", "token:", "to@ken"])
      expect(maskUrl(`https://${user}@a.example`)).toBe("https://********@a.example");
  });

  it("has no keys in its query", () => {
    expect(maskUrl("https://a.example/{id}?key=1&size={size}&access_token=2&Signature=3")).toBe(
      "https://a.example/{id}?key=********&size={size}&access_token=********&Signature=********",
    );
  });

  it("has no password in a query of MongoDB, and no key whose name is one word", () => {
    const query =
      "tls=true&tlsCertificateKeyFilePassword=1&authMechanismProperties=AWS_SESSION_TOKEN:2&authSource=admin";
    expect(maskUrl(`mongodb://a.example/telex?${query}&proxyPassword=3&apikey=4`)).toBe(
      "mongodb://a.example/telex?tls=true&tlsCertificateKeyFilePassword=********&authMechanismProperties=********&authSource=admin&proxyPassword=********&apikey=********",
    );
  });

  it("is otherwise unchanged", () => {
    for (const text of ["sqlite:./telex-data/telex.db", "memory:", "https://a.example:8080/x@y?monkey=1", ""]) {
      expect(maskUrl(text)).toBe(text);
    }
  });
});
