import { describe, expect, it } from "vitest";
import { createPaths, type Handle } from "./paths.ts";

const names = new Map<Handle, string>();

/** A handler that the tests know by its name. */
function handlerOf(name: string): Handle {
  const handle: Handle = () => ({ status: 200, headers: {}, body: name });
  names.set(handle, name);
  return handle;
}

function pathsOf(...rows: readonly string[]) {
  const paths = createPaths();
  for (const row of rows) {
    paths.add(row, { byMethod: new Map([["GET", handlerOf(`GET ${row}`)]]), other: handlerOf(`other ${row}`) });
  }
  return paths;
}

/** The name of the handler, and the fields of the path. */
const show = (match: ReturnType<ReturnType<typeof createPaths>["find"]>): unknown =>
  match === null ? null : [names.get(match.handle), { ...match.params }];

describe("a router", () => {
  const paths = pathsOf("/users/me", "/users/:id", "/users/:id/files/:name", "/a.b/:c", "/");

  it("prefers an exact path to one with fields", () => {
    expect(show(paths.find("GET", "/users/me"))).toEqual(["GET /users/me", {}]);
    expect(show(paths.find("GET", "/users/you"))).toEqual(["GET /users/:id", { id: "you" }]);
    expect(show(paths.find("GET", "/users/7/files/x"))).toEqual(["GET /users/:id/files/:name", { id: "7", name: "x" }]);
    expect(show(paths.find("PUT", "/users/me"))).toEqual(["other /users/me", {}]);
  });

  it("matches whole paths, and no field without a value", () => {
    for (const path of ["/users/", "/users/1/", "/users/1/files/", "//", "/users//files/x", "/axb/c", "", "*"]) {
      expect([path, paths.find("GET", path)]).toEqual([path, null]);
    }
  });

  it("leaves targets that a URL parser would change to the framework", () => {
    for (const target of ["/users/%31", "/users/..", "/users/.a", "/users/a:b", "/users/me?x='", "/users/me?x#y"]) {
      expect([target, paths.findPlain("GET", target)]).toEqual([target, null]);
    }
    expect(paths.findPlain("GET", "/users/me?x=%31&y")).toMatchObject({ path: "/users/me", search: "?x=%31&y" });
    expect(paths.findPlain("GET", "/users/a.b?")).toMatchObject({ path: "/users/a.b", search: "?" });
    expect(paths.findPlain("GET", "/")).toMatchObject({ path: "/", search: "" });
  });
});
