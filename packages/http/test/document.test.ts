import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { buildDocument } from "../scripts/document.ts";
import { summarizeOperations } from "../scripts/operations.ts";
import written from "../src/openapi.json" with { type: "json" };
import { routedOperations } from "../src/endpoints/operations.ts";
import { createHttp } from "../src/server/app.ts";
import { closeAfterTest, overBothTransports, setup } from "./setup.ts";

describe("the OpenAPI document", () => {
  it("is what the contracts say; if not, run `npm run build`", () => {
    expect(written).toEqual(JSON.parse(JSON.stringify(buildDocument())));
  });

  it("has a committed summary of its operations and shapes; if it is not current, run `npm run reference`", async () => {
    const committed = await readFile(new URL("../operations.txt", import.meta.url), "utf8");
    expect(committed).toBe(summarizeOperations());
    expect(committed.split("\n").length).toBeLessThanOrEqual(200);
  });

  it("is valid", async () => {
    const result = await new Validator().validate(structuredClone(written));
    expect(result).toMatchObject({ valid: true });
  });

  it("names every operation", () => {
    const text = JSON.stringify(written);
    const missing = routedOperations()
      .map(({ name }) => name)
      .filter((name) => !text.includes(`"${name}"`));
    expect(missing).toEqual([]);
  });
});

overBothTransports("the pages of the server", (open) => {
  it("are the document, for the path under which it is served", async () => {
    const { send } = await open({ basePath: "/telex" });
    const answer = await send("/telex/openapi.json");
    expect(await answer.json()).toMatchObject({ openapi: "3.2.0", servers: [{ url: "/telex" }] });
  });

  it("are what else the host gives, below the base path, made once for all who ask", async () => {
    let made = 0;
    const documents = { "/asyncapi.json": () => ({ asyncapi: "3.1.0", made: (made += 1) }) };
    const { send } = await open({ basePath: "/telex", documents });
    const [answer, ...others] = await Promise.all([1, 2, 3].map(() => send("/telex/asyncapi.json")));
    expect(answer?.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await answer?.json()).toEqual({ asyncapi: "3.1.0", made: 1 });
    for (const other of others) expect(await other.json()).toEqual({ asyncapi: "3.1.0", made: 1 });
    expect((await send("/telex/other.json")).status).toBe(404);
  });

  it("are made again after one that could not be made", async () => {
    let calls = 0;
    const make = () => {
      calls += 1;
      if (calls === 1) throw new Error("not now");
      return { calls };
    };
    const { send } = await open({ documents: { "/asyncapi.json": make } });
    expect((await send("/asyncapi.json")).status).toBe(500);
    expect(await (await send("/asyncapi.json")).json()).toEqual({ calls: 2 });
  });

  it.each(["/openapi.json", "/asyncapi.json", "/reference"])("are sent once to who keeps them: %s", async (path) => {
    const { send } = await open({ documents: { "/asyncapi.json": () => ({ asyncapi: "3.1.0" }) } });
    const plain = await send(path, { headers: { "accept-encoding": "identity" } });
    const etag = plain.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(await plain.text()).not.toBe("");
    const known = await send(path, { headers: { "if-none-match": `"other", ${etag}` } });
    expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", etag]);
    const changed = await send(path, { headers: { "if-none-match": '"other"' } });
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, etag]);
    const head = await send(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("are a reference that runs no script and loads nothing", async () => {
    const { send } = await open();
    const answer = await send("/reference");
    const html = await answer.text();
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
    expect(html).not.toMatch(/<script|https?:|\ssrc=|\son\w+=/);
    for (const { name } of routedOperations()) expect(html).toContain(`id="${name}"`);
  });

  it("are an interactive reference where one is given, and the plain one beside it", async () => {
    const read = async () => Buffer.from("let started;".repeat(100));
    const reference = {
      files: { "start.js": { type: "text/javascript", read } },
      render: (place: object) => JSON.stringify(place),
      contentSecurityPolicy: "script-src 'self'",
    };
    const options = { basePath: "/telex", reference, documents: { "/asyncapi.json": () => ({}) } };
    const { send } = await open(options);
    const page = await send("/telex/reference");
    expect(await page.json()).toEqual({ basePath: "/telex", documents: ["/openapi.json", "/asyncapi.json"] });
    expect(page.headers.get("content-security-policy")).toBe("script-src 'self'");
    const file = await send("/telex/reference/start.js", { headers: { "accept-encoding": "gzip" } });
    expect([file.status, file.headers.get("content-type"), file.headers.get("x-content-type-options")]).toEqual([
      200,
      "text/javascript",
      "nosniff",
    ]);
    expect(await (await send("/telex/reference/plain")).text()).toContain('id="teleprinter.poll"');
    expect((await send("/telex/reference/other.js")).status).toBe(404);
  });

  it("lead from the root: a browser to the reference, a program to the document and the reference", async () => {
    for (const basePath of ["", "/telex"]) {
      const { send } = await open({ basePath });
      const person = await send(`${basePath}/?access_token=secret`, {
        headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
        redirect: "manual",
      });
      expect([person.status, person.headers.get("location"), person.headers.get("vary")]).toEqual([
        302,
        `${basePath}/reference`,
        "accept",
      ]);
      for (const accept of ["application/json", "*/*", "text/html;q=0, */*"]) {
        const program = await send(`${basePath}/`, { headers: { accept } });
        expect(await program.json()).toEqual({
          code: 200,
          msg: "success",
          data: { name: "Telex", openapi: `${basePath}/openapi.json`, reference: `${basePath}/reference` },
        });
      }
      expect((await send(`${basePath}/`, { method: "POST" })).status).toBe(405);
    }
  });

  it("lead from the root to the pages of a person, where there are some, and show their icon", async () => {
    const directory = await mkdtemp(join(tmpdir(), "telex-pages-"));
    closeAfterTest(async () => await rm(directory, { recursive: true }));
    await writeFile(join(directory, "index.html"), "<!doctype html><title>pages</title>");
    await writeFile(join(directory, "icon.svg"), "<svg/>");
    const pages = {
      directory,
      fallback: "index.html",
      immutable: "a/",
      contentSecurityPolicy: "",
      icon: "icon.svg",
      isPage: () => true,
    };
    const { send } = await open({ pages });
    const page = await send("/", { headers: { accept: "text/html" }, redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([302, "/user/"]);
    expect(await (await send("/")).json()).toMatchObject({ data: { pages: "/user/" } });
    const icon = await send("/favicon.ico", { redirect: "manual" });
    expect([icon.status, icon.headers.get("location")]).toEqual([302, "/user/icon.svg"]);
    expect((await send("/user/icon.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });
});

describe("the options of HTTP", () => {
  it("are refused by name when they are unknown or of the wrong type", async () => {
    const { telex } = await setup("in process");
    const create = (options: object) => () => createHttp(telex, options);
    expect(create({ basepath: "/x" })).toThrow('createHttp has no option "basepath". Did you mean "basePath"?');
    expect(create({ trustProxy: "yes" })).toThrow(
      'The option "trustProxy" of createHttp must be true or false or a number, 0 or more.',
    );
    expect(create({ rateLimits: false })).toThrow('createHttp has no option "rateLimits". Did you mean "rateLimiter"?');
    expect(create({ limits: { bodysize: 1 } })).toThrow(
      'createHttp has no option "limits.bodysize". Did you mean "bodySize"?',
    );
    expect(create({ limits: { bodySize: -1 } })).toThrow(
      'The option "limits.bodySize" of createHttp must be a number, 0 or more.',
    );
    expect(create({ rateLimiter: undefined, pages: undefined })).not.toThrow();
  });
});
