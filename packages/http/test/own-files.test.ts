import { expect, it } from "vitest";
import { createClient } from "../src/client/client.ts";
import { overBothTransports, type Setup } from "./setup.ts";

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

const upload = async (given: Setup, content: string | Buffer, who = given.alice): Promise<string> => {
  const form = new FormData();
  form.set("file", new File([typeof content === "string" ? content : new Uint8Array(content)], "a"));
  const path = "/external/api/v1/bucket/upload";
  const answer = await given.send(path, { method: "POST", body: form, token: who.token });
  return /"file_id":"(\w+)"/.exec(await answer.text())?.[1] ?? "";
};

overBothTransports("own files", (open) => {
  it("are listed in pages, with the addresses of pictures and files", async () => {
    const given = await open();
    const { bucket } = createClient({
      url: "http://telex.test",
      token: given.alice.token,
      fetch: (request) => given.send(request.url.replace("http://telex.test", ""), { token: given.alice.token }),
    });
    const ids = [await upload(given, gif), await upload(given, "one"), await upload(given, "two")];
    await upload(given, "of somebody else", given.bob);
    const first = await bucket.files({ pageSize: 2 });
    expect(first.list).toHaveLength(2);
    const rest = await bucket.files({ pageSize: 2, cursor: first.nextCursor ?? "" });
    expect(rest.nextCursor).toBeNull();
    const listed = [...first.list, ...rest.list];
    expect(listed.map(({ file_id }) => file_id).toSorted()).toEqual(ids.toSorted());
    const [image = "", text = ""] = ids;
    expect(listed.find(({ file_id }) => file_id === image)).toMatchObject({
      size: gif.length,
      mime: "image/gif",
      used: false,
      url: `/download/${image}.gif`,
      thumbnail: `/download/128_${image}.gif`,
    });
    expect(listed.find(({ file_id }) => file_id === text)).toMatchObject({ url: `/api/file/${text}`, thumbnail: null });
  });

  it("are downloaded by their owner, as attachments", async () => {
    const given = await open();
    const id = await upload(given, "mine");
    const own = await given.send(`/api/file/${id}`, { token: given.alice.token });
    expect(await own.text()).toBe("mine");
    expect(own.headers.get("content-disposition")).toMatch(/^attachment; filename="/);
  });

  it("are to others as files that do not exist", async () => {
    const given = await open();
    const id = await upload(given, "mine");
    for (const [path, token] of [
      [`/api/file/${id}`, given.bob.token],
      [`/api/file/${"0".repeat(32)}`, given.bob.token],
    ] as const) {
      const answer = await given.send(path, { token });
      expect([answer.status, await answer.json()]).toMatchObject([404, { data: { error: "file_not_found" } }]);
    }
    expect((await given.send(`/api/file/${id}`)).status).toBe(401);
  });

  it.each(["", "x", "1.x", `1.${"g".repeat(32)}`])("are not listed from the cursor %j", async (cursor) => {
    const { send, alice } = await open();
    const answer = await send(`/external/api/v1/bucket/files?cursor=${cursor}`, { token: alice.token });
    expect(await answer.json()).toMatchObject({ code: 400, data: { error: "invalid_request" } });
  });
});
