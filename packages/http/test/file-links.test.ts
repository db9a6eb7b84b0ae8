import { operator } from "@telex/core";
import { createManualClock } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { createClient } from "../src/client/client.ts";
import { overBothTransports, type Person, setup, type Setup } from "./setup.ts";

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const missing = [404, { data: { error: "file_not_found" } }];

/** The typed client of a person. */
function clientOf(given: Setup, { token }: Person) {
  const url = "http://telex.test";
  return createClient({
    url,
    token,
    async fetch(request) {
      const { method } = request;
      const body = method === "GET" || method === "DELETE" ? null : await request.text();
      const headers = { "content-type": "application/json" };
      return given.send(request.url.replace(url, ""), { method, token, ...(body !== null && { body, headers }) });
    },
  });
}

async function upload(given: Setup, name: string, content: string | Buffer = name, who = given.alice): Promise<string> {
  const form = new FormData();
  form.set("file", new File([typeof content === "string" ? content : new Uint8Array(content)], name));
  const answer = await given.send("/external/api/v1/bucket/upload", { method: "POST", body: form, token: who.token });
  return /"file_id":"(\w+)"/.exec(await answer.text())?.[1] ?? "";
}

const statusOf = async (given: Setup, path: string) => {
  const answer = await given.send(path);
  return [answer.status, answer.status === 200 ? await answer.text() : await answer.json()] as const;
};

overBothTransports("files of a person", (open) => {
  it("have the names under which they were uploaded, and are found by their words and kinds", async () => {
    const given = await open();
    const { bucket } = clientOf(given, given.alice);
    await upload(given, "Report of March.txt");
    await upload(given, "报告 三月.txt");
    await upload(given, "<img src=x onerror=alert(1)>.gif", gif);
    await upload(given, "../../etc/report.txt", "of another", given.bob);
    const names = async (input: Parameters<typeof bucket.files>[0]) =>
      (await bucket.files(input)).list.map(({ name, kind }) => `${kind} ${name}`).toSorted();
    expect(await names({})).toEqual([
      "picture _img src=x onerror=alert(1)_.gif",
      "text Report of March.txt",
      "text 报告 三月.txt",
    ]);
    expect(await names({ query: "march  REPORT" })).toEqual(["text Report of March.txt"]);
    expect(await names({ query: "三月" })).toEqual(["text 报告 三月.txt"]);
    expect(await names({ query: "report", kind: "picture" })).toEqual([]);
    expect(await names({ kind: "picture" })).toHaveLength(1);
  });

  it("with Chinese names are found by pinyin and initials, beside characters, parts of words and punctuation", async () => {
    const given = await open();
    const { bucket } = clientOf(given, given.alice);
    for (const name of ["银行报告2026.txt", "長城照片.txt", "annual-report.txt", "lvxing.txt", "旅行.txt"])
      await upload(given, name);
    const names = async (query: string) => (await bucket.files({ query })).list.map(({ name }) => name).toSorted();
    for (const query of ["yinhang", "yin2hang2 bao4", "yhbg", "yhbg2026", "2026 BaoGao", "行报 txt", "yinhangb"])
      expect.soft(await names(query), query).toEqual(["银行报告2026.txt"]);
    for (const query of ["长城", "長城", "changcheng", "cczp.t"])
      expect.soft(await names(query), query).toEqual(["長城照片.txt"]);
    for (const query of ["port", "l-rep", "ual"]) expect.soft(await names(query), query).toEqual(["annual-report.txt"]);
    expect(await names("lvxing")).toEqual(["lvxing.txt", "旅行.txt"]);
    for (const query of ["inhang", "yinhang -", "yinhang .pdf", "bgyh", "yinhang changcheng"])
      expect.soft(await names(query), query).toEqual([]);
  });

  it("are counted by their kinds, for their person alone", async () => {
    const given = await open();
    const { bucket } = clientOf(given, given.alice);
    const none = { picture: 0, text: 0, audio: 0, video: 0, archive: 0, other: 0 };
    expect(await bucket.countFiles({})).toEqual({ count: 0, size: 0, kinds: none, isWhole: true });
    // More than one round of the count reads.
    for (let number = 0; number < 501; number += 1) await upload(given, `${number}.txt`);
    await upload(given, "dot.gif", gif);
    await upload(given, "of another.txt", "of another", given.bob);
    const size = gif.length + Array.from({ length: 501 }, (_, number) => `${number}.txt`).join("").length;
    expect(await bucket.countFiles({})).toEqual({
      count: 502,
      size,
      kinds: { ...none, text: 501, picture: 1 },
      isWhole: true,
    });
  });

  it("that are deleted are gone for the person, and for everyone if nothing else uses them", async () => {
    const given = await open();
    const { telex, alice, bob } = given;
    const [mine, theirs] = [clientOf(given, alice), clientOf(given, bob)];
    const only = await upload(given, "a.gif", gif);
    const both = await upload(given, "b.txt", "same");
    await upload(given, "c.txt", "same", bob);
    await mine.bucket.deleteFile({ md5: only });
    expect((await statusOf(given, `/download/${only}.gif`))[0]).toBe(404);
    await mine.bucket.deleteFile({ md5: both });
    expect((await mine.bucket.files()).list).toEqual([]);
    expect((await theirs.bucket.files()).list).toMatchObject([{ file_id: both, name: "c.txt" }]);
    expect(await (await theirs.bucket.file({ md5: both })).text()).toBe("same");
    for (const md5 of [only, both, "0".repeat(32)])
      await expect(mine.bucket.deleteFile({ md5 })).rejects.toMatchObject({ code: "file_not_found" });
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [bob.id] });
    const message = [{ type: "file", data: { file_id: both } } as const];
    await theirs.messages.send({ groupId, groupType: 1, message });
    await theirs.bucket.deleteFile({ md5: both });
    const [sent] = (await theirs.messages.history({ groupId, groupType: 1 })).groupMessages;
    const [file] = await theirs.messages.files({ groupId, messageId: sent?.messageId ?? 0 });
    expect(await statusOf(given, file?.url ?? "")).toEqual([200, "same"]);
  });

  it("show the messages that use them, of the caller's rooms only", async () => {
    const given = await open();
    const { telex, alice, bob } = given;
    const [mine, theirs] = [clientOf(given, alice), clientOf(given, bob)];
    const md5 = await upload(given, "a.txt", "same");
    await upload(given, "b.txt", "same", bob);
    const rooms: { readonly groupId: number }[] = [];
    for (const [at, members] of [[alice.id, bob.id], [alice.id], [bob.id]].entries())
      rooms.push(await telex.operator.groups.add(operator, { groupType: 1, name: `Room ${at}`, members }));
    const send = (client: typeof mine, at: number) =>
      client.messages.send({
        groupId: rooms[at]?.groupId ?? 0,
        groupType: 1,
        message: [{ type: "file", data: { file_id: md5 } }],
      });
    for (const [client, at] of [
      [theirs, 2],
      [theirs, 0],
      [mine, 1],
      [mine, 0],
    ] as const)
      await send(client, at);
    const first = await mine.messages.uses({ md5, pageSize: 2 });
    const rest = await mine.messages.uses({ md5, cursor: first.nextCursor ?? "" });
    expect(first.list.map(({ groupName }) => groupName)).toEqual(["Room 0", "Room 0"]);
    expect([rest.list.map(({ groupName }) => groupName), rest.nextCursor]).toEqual([["Room 1"], null]);
    expect((await theirs.messages.uses({ md5 })).list.map(({ groupName }) => groupName).toSorted()).toEqual([
      "Room 0",
      "Room 0",
      "Room 2",
    ]);
    await telex.operator.groups.amendMembers(operator, { groupId: rooms[0]?.groupId ?? 0, remove: [alice.id] });
    expect((await mine.messages.uses({ md5 })).list).toHaveLength(1);
  });
});

overBothTransports("a link to a file", (open) => {
  it("opens the file for anyone, as an attachment that runs nothing, until it is revoked", async () => {
    const given = await open();
    const { bucket } = clientOf(given, given.alice);
    const md5 = await upload(given, "页面 <b>.html", "<script>alert(1)</script>");
    const { id, url, ...link } = await bucket.shareFile({ md5, life: 60 });
    expect(link).toMatchObject({ file_id: md5, name: "页面 _b_.html", public: true });
    const answer = await given.send(url);
    expect(await answer.text()).toBe("<script>alert(1)</script>");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; /);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect((await bucket.links()).map((one) => one.id)).toEqual([id]);
    await expect(clientOf(given, given.bob).bucket.revokeLink({ id })).rejects.toMatchObject({ code: "not_found" });
    expect((await statusOf(given, url))[0]).toBe(200);
    await bucket.revokeLink({ id });
    expect([await statusOf(given, url), await bucket.links()]).toMatchObject([missing, []]);
    const secret =
      Buffer.from(url.split("/")[2] ?? "", "base64url")
        .toString()
        .split("/")[1] ?? "-";
    expect(given.log.filter((line) => line.includes(secret) || line.includes(url))).toEqual([]);
  });

  it("ends with its time, and keeps a file that no message uses until then", async () => {
    const clock = createManualClock();
    const given = await open({ telex: { clock } });
    const { bucket } = clientOf(given, given.alice);
    const md5 = await upload(given, "a.txt");
    const [short, long] = [
      await bucket.shareFile({ md5, life: 60 }),
      await bucket.shareFile({ md5, life: 3 * 86_400 }),
    ];
    await clock.advance(60_000);
    expect(await statusOf(given, short.url)).toMatchObject(missing);
    await clock.advance(2 * 86_400_000);
    await given.telex.operator.files.sweep(operator, {});
    expect(await statusOf(given, long.url)).toEqual([200, "a.txt"]);
    await clock.advance(86_400_000);
    await given.telex.operator.files.sweep(operator, {});
    expect(await statusOf(given, long.url)).toMatchObject(missing);
    expect((await bucket.files()).list).toEqual([]);
  });

  it("ends with the upload, also if the same bytes come again", async () => {
    const clock = createManualClock();
    const given = await open({ telex: { clock } });
    const { bucket } = clientOf(given, given.alice);
    const md5 = await upload(given, "a.txt");
    await upload(given, "a.txt", "a.txt", given.bob);
    const { url } = await bucket.shareFile({ md5 });
    await bucket.deleteFile({ md5 });
    expect([await statusOf(given, url), await bucket.links()]).toMatchObject([missing, []]);
    await clock.advance(1);
    await upload(given, "a.txt");
    expect(await statusOf(given, url)).toMatchObject(missing);
  });

  it("is not made for a file of someone else, nor beyond the number that a person may have", async () => {
    const given = await open({ telex: { limits: { fileLinks: 2 } } });
    const { bucket } = clientOf(given, given.alice);
    const [mine, theirs] = [await upload(given, "a.txt"), await upload(given, "b.txt", "b", given.bob)];
    await expect(bucket.shareFile({ md5: theirs })).rejects.toMatchObject({ code: "file_not_found" });
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => bucket.shareFile({ md5: mine })));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await expect(bucket.shareFile({ md5: mine })).rejects.toMatchObject({ code: "limit_reached" });
    const [link] = await bucket.links();
    await bucket.revokeLink({ id: link?.id ?? "" });
    expect(await bucket.shareFile({ md5: mine })).toMatchObject({ file_id: mine });
  });

  it("needs a token if downloads do, and opens nothing while its maker is suspended", async () => {
    const given = await open({ telex: { access: { downloads: "token" } } });
    const { telex, alice, bob } = given;
    const { url, ...link } = await clientOf(given, alice).bucket.shareFile({ md5: await upload(given, "a.txt") });
    expect(link.public).toBe(false);
    const look = async (token?: string) => (await given.send(url, token === undefined ? {} : { token })).status;
    expect([await look(), await look(bob.token)]).toEqual([401, 200]);
    await telex.operator.users.amend(operator, { id: alice.id, state: "suspended" });
    expect(await look(bob.token)).toBe(404);
  });

  it("is not found by what only looks like one", async () => {
    const given = await open();
    const { url } = await clientOf(given, given.alice).bucket.shareFile({ md5: await upload(given, "a.txt") });
    const [, , path = "", , name = ""] = url.split("/");
    const relativePath = Buffer.from(path, "base64url").toString();
    const paths = ["shared/", "shared/../../etc/passwd", `shared/${"0".repeat(32)}/a.txt`, relativePath.toUpperCase()];
    const wrong = [
      ...paths.map((one) => `/downloadFile/${Buffer.from(one).toString("base64url")}/local/a`),
      `/downloadFile/${path}/ext/${name}`,
      `/downloadFile/${encodeURIComponent("../../")}${path}/local/${name}`,
      `/downloadFile/..%2f..%2fetc%2fpasswd/local/${name}`,
      "/downloadFile/shared/local/a.txt",
    ];
    const statuses = await Promise.all(wrong.map(async (one) => [one, (await given.send(one)).status]));
    expect(statuses).toEqual(wrong.map((one) => [one, 404]));
  });
});

it("ten thousand files of a person are listed and searched in pages that each look at a bounded number", async () => {
  const storage = createMemoryStorage();
  const given = await setup("in process", { telex: { storage } });
  const { bucket } = clientOf(given, given.alice);
  const count = 10_000;
  const all = Array.from({ length: count }, (_, at) => ({ md5: at.toString(16).padStart(32, "0"), createdAt: at + 1 }));
  const file = { sha256: "", size: 1, mime: "text/plain", ext: "", usedAt: null, unusedUntil: 0 };
  const { id: userId } = given.alice;
  await storage.records.put(
    "files",
    all.map((one) => ({ ...file, ...one, blobId: one.md5 })),
  );
  await storage.records.put(
    "uploads",
    all.map((one) => ({ ...one, userId, name: `n${one.createdAt}.txt`, kind: "text" })),
  );
  expect(await bucket.countFiles({})).toMatchObject({ count, size: count, isWhole: false });
  const newest = await bucket.files({ pageSize: 100 });
  expect([newest.list.length, newest.list[0]?.name]).toEqual([100, "n10000.txt"]);
  const found: string[] = [];
  let cursor: string | null = "9007199254740991.00000000000000000000000000000000";
  let pages = 0;
  for (; cursor !== null; pages += 1) {
    const page: Awaited<ReturnType<typeof bucket.files>> = await bucket.files({ query: "N77", pageSize: 100, cursor });
    found.push(...page.list.map(({ name }) => name));
    cursor = page.nextCursor;
  }
  expect([found.length, new Set(found).size, pages]).toEqual([111, 111, 6]);
});

it("of which none has the word end a page early, when it has cost enough, and every name is looked at once", async () => {
  const storage = createMemoryStorage();
  const given = await setup("in process", { telex: { storage } });
  const { bucket } = clientOf(given, given.alice);
  const { id: userId } = given.alice;
  const file = { sha256: "", size: 1, mime: "text/plain", ext: "", usedAt: null, unusedUntil: 0 };
  const all = Array.from({ length: 2000 }, (_, at) => ({ md5: at.toString(16).padStart(32, "0"), createdAt: at + 1 }));
  await storage.records.put(
    "files",
    all.map((one) => ({ ...file, ...one, blobId: one.md5 })),
  );
  const nameAt = (createdAt: number) => (createdAt === 1 ? "安全.txt" : "啊".repeat(200));
  await storage.records.put(
    "uploads",
    all.map((one) => ({ ...one, userId, name: nameAt(one.createdAt), kind: "text" })),
  );
  const found: string[] = [];
  let [cursor, pages]: [string | null, number] = ["9007199254740991.00000000000000000000000000000000", 0];
  for (; cursor !== null; pages += 1) {
    const page: Awaited<ReturnType<typeof bucket.files>> = await bucket.files({ query: "anquan", cursor });
    found.push(...page.list.map(({ name }) => name));
    cursor = page.nextCursor;
  }
  expect(found).toEqual(["安全.txt"]);
  expect(pages).toBeGreaterThan(2);
});
