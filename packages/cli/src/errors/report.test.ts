import { errorCodes, TelexError } from "@telex/core";
import { problemKeys, reasonKeys } from "@telex/core/transport";
import { describeError, describeIssue } from "@telex/core/transport";
import { describe, expect, it } from "vitest";
import { callsTo } from "../client/with-client.ts";
import { describeFailure } from "./report.ts";

/** A value for each placeholder of a text. A text without values shows the names of its placeholders. */
const valuesFor = (text: string): Record<string, number> =>
  Object.fromEntries([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""], index) => [name, 7000 + index]));

/** Every text of the catalogue, as an error with values. */
const catalogue: readonly TelexError[] = [
  ...errorCodes.map((code) => TelexError.of(code, { params: valuesFor(describeError(TelexError.of(code), "en")) })),
  ...reasonKeys.map((reason) => {
    const bare = TelexError.of("invalid_request", { reason });
    return TelexError.of("invalid_request", { reason, params: valuesFor(describeError(bare, "en")) });
  }),
  ...problemKeys.map((problem) => {
    const params = valuesFor(describeIssue({ path: "", problem, params: {} }, "en"));
    return new TelexError("invalid_request", { issues: [{ path: "field", problem, params }] });
  }),
];

/** The response of a server that rejects a call. */
function refusalOf(error: TelexError): Response {
  const issues = error.issues?.map((issue) => ({ path: issue.path, message: describeIssue(issue, "en") }));
  const body = { code: 400, msg: describeError(error, "en"), data: { error: error.code, ...(issues && { issues }) } };
  return Response.json(body, { status: 400 });
}

/** The error of a client command for this response. */
async function thrownAt(response: Response): Promise<unknown> {
  const call = callsTo({ url: "http://telex.test", token: "t" }, () => Promise.resolve(response));
  try {
    return await call(async ({ users }) => await users.userInfo());
  } catch (error) {
    return error;
  }
}

/** All texts that a person must see: those of the error and of its issues. */
const textsOf = (error: TelexError): string[] => [
  describeError(error, "en"),
  ...(error.issues ?? []).map((issue) => `field: ${describeIssue(issue, "en")}`),
];

describe("what the command line says of a failure", () => {
  it("is every message of the catalogue with its values, whether the server refused or the command did", async () => {
    for (const error of catalogue.filter(({ code }) => code !== "internal")) {
      for (const thrown of [error, await thrownAt(refusalOf(error))]) {
        const { text } = await describeFailure(thrown, { json: false, verbose: false });
        for (const expected of textsOf(error)) expect(text).toContain(expected);
        for (const value of Object.values(error.params)) expect(text).toContain(String(value));
        expect(text.replace("{type, data}", "")).not.toMatch(/\{\w+\}/);
      }
    }
  });

  it("has the reasons of a refusal as JSON too", async () => {
    const issue = { path: "content", problem: "too_long", params: { max: 2000 } } as const;
    const refusal = await thrownAt(refusalOf(new TelexError("invalid_request", { issues: [issue] })));
    const { exitCode, text } = await describeFailure(refusal, { json: true, verbose: false });
    expect({ exitCode, report: JSON.parse(text) as unknown }).toEqual({
      exitCode: 1,
      report: {
        error: "invalid_request",
        msg: "The request is not valid.",
        issues: [{ path: "content", message: "must have at most 2000 characters" }],
      },
    });
  });

  it("shows no control characters of a server to the terminal", async () => {
    const evil = Response.json({ code: 400, msg: "\u001B[2Jboo", data: { error: "x" } }, { status: 400 });
    expect((await describeFailure(await thrownAt(evil), { json: false, verbose: false })).text).toContain(
      "\\u{1b}[2Jboo",
    );
  });
});
