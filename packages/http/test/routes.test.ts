import { Validator } from "@seriousme/openapi-schema-validator";
import { TelexError } from "@telex/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { createHttp } from "../src/server/app.ts";
import { defineRoute } from "../src/endpoints/define-route.ts";
import { overBothTransports, setup } from "./setup.ts";

const named = z.object({ shelf: z.int(), title: z.string() }).meta({ id: "Book" });

const shelves = [
  defineRoute({
    name: "shelf.find",
    method: "GET",
    path: "/plugins/shelves/:shelf",
    summary: "The book on a shelf.",
    access: "none",
    input: z.object({ shelf: z.int(), title: z.string().optional() }),
    output: named,
    errors: ["not_found"],
    async run({ input: { shelf, title = "Untitled" } }) {
      if (shelf === 0) throw new TelexError("not_found");
      if (shelf === 1) throw new TelexError("busy");
      return { shelf, title };
    },
  }),
  defineRoute({
    name: "shelf.put",
    method: "POST",
    path: "/plugins/shelves/:shelf",
    summary: "Puts a book on a shelf.",
    access: "chat",
    input: z.object({ shelf: z.int(), title: z.string() }),
    output: z.object({ by: z.int() }),
    run: async ({ caller }) => ({ by: caller.userId }),
  }),
];

overBothTransports("a route of a plug-in", (open) => {
  it("reads path, query and body, and answers in the envelope, below the base path", async () => {
    const { send, post, alice } = await open({ routes: shelves, basePath: "/telex" });
    const found = await send("/telex/plugins/shelves/7?title=Emma");
    expect(await found.json()).toEqual({ code: 200, msg: "success", data: { shelf: 7, title: "Emma" } });
    const put = await post("/telex/plugins/shelves/7", { title: "Emma" }, alice.token);
    expect(await put.json()).toMatchObject({ code: 200, data: { by: alice.id } });
    expect((await send("/telex/plugins/shelves/7", { method: "HEAD" })).status).toBe(200);
    expect((await send("/plugins/shelves/7")).status).toBe(404);
  });

  it("fails as its contract says, and anything else is a fault of the plug-in", async () => {
    const { send, log } = await open({ routes: shelves });
    expect((await send("/plugins/shelves/0")).status).toBe(404);
    expect((await send("/plugins/shelves/x")).status).toBe(400);
    expect((await send("/plugins/shelves/1")).status).toBe(500);
    expect(log.join()).toContain("shelf.find failed with busy, which its contract does not list.");
  });

  it("needs the token that it asks for, and ends with the instance", async () => {
    const { telex, post, issue, alice } = await open({ routes: shelves });
    const title = { title: "Emma" };
    expect((await post("/plugins/shelves/7", title)).status).toBe(401);
    const printer = await issue(alice, ["device:printer"]);
    expect((await post("/plugins/shelves/7", title, printer)).status).toBe(403);
    await telex.close();
    expect((await post("/plugins/shelves/7", title, alice.token)).status).toBe(503);
  });

  it("is in a document that stays valid, with the shapes that it names", async () => {
    const { send } = await open({ routes: shelves });
    const document = z.record(z.string(), z.unknown()).parse(await (await send("/openapi.json")).json());
    expect(document).toMatchObject({
      paths: { "/plugins/shelves/{shelf}": { get: { operationId: "shelf.find" }, post: { operationId: "shelf.put" } } },
      components: { schemas: { Book: { type: "object" } } },
    });
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  });
});

const about = { method: "GET", summary: "x", access: "none", output: z.null(), run: async () => null } as const;

it("is described in a tick of its own, so that a document of hundreds of them delays nobody", async () => {
  const input = z.object({});
  const routes = Array.from({ length: 300 }, (_, at) =>
    defineRoute({ ...about, name: `a.r${at}`, path: `/${at}`, input }),
  );
  const { send } = await setup("in process", { routes });
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  expect(await (await send("/openapi.json")).text()).toContain('"a.r299"');
  clearImmediate(turn);
  expect(turns).toBeGreaterThanOrEqual(routes.length);
});

it("refuses a route whose name, path or fields cannot be", () => {
  const input = z.object({});
  expect(() => defineRoute({ ...about, name: "shelf", path: "/x", input })).toThrow("must look like votes.tally");
  expect(() => defineRoute({ ...about, name: "a.b", path: "x/", input })).toThrow("must look like /plugins/votes/:id");
  expect(() => defineRoute({ ...about, name: "a.b", path: "/x/:id", input })).toThrow("has no field id");
});

it("refuses routes in the place of others", async () => {
  const { telex } = await setup("in process");
  const at = (name: string, path: string) =>
    createHttp(telex, { routes: [defineRoute({ ...about, name, path, input: z.object({}) })] });
  expect(() => at("shelf.x", "/healthz")).toThrow("Two routes are at GET /healthz.");
  expect(() => at("shelf.x", "/v1/models")).toThrow("Two routes are at GET /v1/models.");
  expect(() => at("ai.models", "/x")).toThrow("Two routes have the name ai.models.");
});
