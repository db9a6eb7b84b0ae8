import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { ExternalAvatar } from "@telex/core";
import { templateAvatarSource } from "./avatars.ts";

async function setUp(listener: RequestListener, path: string, group?: string) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const groups = group === undefined ? {} : { group: `http://${host}${group}` };
  return templateAvatarSource({ personal: `http://${host}${path}`, ...groups, allow: [host] });
}

const echo: RequestListener = (request, response) => void response.end(request.url);

const person = (id: string, size: number = 512): ExternalAvatar => ({ kind: "personal", id, size });

test("id and size go into the template, the id percent-encoded", async () => {
  const seen: (string | undefined)[] = [];
  const source = await setUp((request, response) => {
    seen.push(request.url);
    response.end("image");
  }, "/u/{id}/a?s={size}&again={id}");
  for (const id of ["42", "a/../b", "a?b#c&d", "%2e%2e", "名 字", "$&", "..a", "\\..\\a"]) {
    expect(Buffer.from((await source.fetch(person(id, 64))) ?? []).toString()).toBe("image");
  }
  await source.fetch(person("7"));
  const ids = [
    "42",
    "a%2F..%2Fb",
    "a%3Fb%23c%26d",
    "%252e%252e",
    "%E5%90%8D%20%E5%AD%97",
    "%24%26",
    "..a",
    "%5C..%5Ca",
  ];
  expect(seen).toEqual([...ids.map((id) => `/u/${id}/a?s=64&again=${id}`), "/u/7/a?s=512&again=7"]);
});

test.each([".", "..", "..."])("an id of dots alone (%s) is nobody's, and nothing is asked", async (id) => {
  let asked = 0;
  const source = await setUp((_request, response) => {
    asked += 1;
    response.end();
  }, "/u/{id}/a");
  expect(await source.fetch(person(id))).toBeNull();
  expect(asked).toBe(0);
});

test("groups have a template of their own, or none", async () => {
  const group: ExternalAvatar = { kind: "group", id: "9", size: 512 };
  expect(await (await setUp(echo, "/u/{id}")).fetch(group)).toBeNull();
  const groups = templateAvatarSource({ group: "http://127.0.0.1:9/{id}" });
  expect(await groups.fetch(person("1"))).toBeNull();
  const both = await setUp(echo, "/u/{id}", "/g/{id}");
  expect(Buffer.from((await both.fetch(group)) ?? []).toString()).toBe("/g/9");
});

test("404, 410 and 204 mean that there is no avatar; anything else is a failure", async () => {
  const source = await setUp(
    (request, response) => void response.writeHead(Number(request.url?.slice(1))).end(),
    "/{id}",
  );
  for (const status of ["404", "410", "204"]) expect(await source.fetch(person(status))).toBeNull();
  for (const status of ["403", "429", "500", "503"]) {
    await expect(source.fetch(person(status))).rejects.toThrow(`answers ${status}`);
  }
});

test("a source inside the network must be allowed", async () => {
  const source = templateAvatarSource({ personal: "http://127.0.0.1:9/{id}" });
  await expect(source.fetch(person("1"))).rejects.toThrow("Allow it as host:port");
});

test.each([
  "https://avatars.example/{size}",
  "https://{id}.example/",
  "https://{id}@avatars.example/{id}",
  "https://avatars.example:{id}/{id}",
  "ftp://avatars.example/{id}",
  "/u/{id}",
  "{id}",
  "https://avatars.example/#{id}",
])("%s is no template", (personal) => {
  expect(() => templateAvatarSource({ personal })).toThrow(TypeError);
  expect(() => templateAvatarSource({ personal: "https://avatars.example/{id}", group: personal })).toThrow(TypeError);
});
