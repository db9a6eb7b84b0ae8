import type { Storage } from "@telex/core";
import { costShare, cpuTimeOf } from "@telex/conformance";
import { describe, expect, it } from "vitest";
import { createInbox } from "test-support/raw-socket";
import { type Client, messageOf, open, startTelex, type StartOptions, textOf, textTo } from "./harness.ts";

async function scene(options: StartOptions = {}) {
  const running = await startTelex(options);
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  const groupId = await running.group([alice, bob]);
  const sender = await open(running.url(alice.token));
  /** Sends these texts as Alice. */
  const send = async (...texts: readonly string[]) => {
    for (const text of texts) {
      sender.send(textTo(groupId, text));
      expect(await sender.next()).toMatchObject({ code: 200 });
    }
  };
  const connect = (query = "") => open(running.url(bob.token, query));
  return { ...running, alice, bob, groupId, sender, send, connect };
}

async function takeTexts(client: Client, count: number): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < count) texts.push(textOf(await client.next()));
  return texts;
}

/** Lets replays continue on request of the test. */
function heldReplays() {
  const asked = createInbox<() => void>();
  const wrap = (storage: Storage): Storage => ({
    ...storage,
    messages: {
      ...storage.messages,
      listSince: async (question) => {
        const answer = await storage.messages.listSince(question);
        await new Promise<void>((resolve) => asked.put(resolve));
        return answer;
      },
    },
  });
  return { asked, wrap };
}

describe("a connection with since", () => {
  it("receives first what was missed, in order, and then what is new", async () => {
    const { send, connect } = await scene();
    const first = await connect();
    await send("1");
    const { messageId } = messageOf(await first.next());
    await first.close();
    await send("2", "3", "4");
    const again = await connect(`?since=${messageId}`);
    expect(await takeTexts(again, 3)).toEqual(["2", "3", "4"]);
    await send("5");
    expect(await takeTexts(again, 1)).toEqual(["5"]);
  });

  it("receives its own messages only with echo, as in the live mirror", async () => {
    const { sender, groupId, connect, send } = await scene();
    const own = await connect();
    own.send(textTo(groupId, "mine"));
    await own.next();
    await sender.next();
    await send("theirs");
    expect(await takeTexts(await connect("?since=1&echo=1"), 1)).toEqual(["theirs"]);
    own.send(textTo(groupId, "mine again"));
    expect(textOf(await own.next())).toBe("theirs");
    expect(await own.next()).toMatchObject({ code: 200 });
    expect(await takeTexts(await connect("?since=1&echo=1"), 2)).toEqual(["theirs", "mine again"]);
    expect(await takeTexts(await connect("?since=1"), 1)).toEqual(["theirs"]);
  });

  it("gets no message twice and misses none that is sent while the replay runs", async () => {
    const { asked, wrap } = heldReplays();
    const { send, connect } = await scene({ wrap });
    await send("1", "2", "3");
    const client = await connect("?since=1");
    const goOn = await asked.take();
    await send("4", "5");
    goOn();
    expect(await takeTexts(client, 4)).toEqual(["2", "3", "4", "5"]);
    await send("6");
    expect(await takeTexts(client, 1)).toEqual(["6"]);
  });

  it("may be closed while its replay runs, and nothing is left of it", async () => {
    const { asked, wrap } = heldReplays();
    const { send, connect, ws, log } = await scene({ wrap });
    await send("1", "2");
    const client = await connect("?since=1");
    const goOn = await asked.take();
    await client.close();
    goOn();
    await send("3");
    expect(ws.size).toBe(1);
    expect(log.lines).toEqual([]);
  });

  it("takes commands while its replay runs", async () => {
    const { asked, wrap } = heldReplays();
    const { send, connect, groupId } = await scene({ wrap });
    await send("1", "2");
    const client = await connect("?since=1");
    const goOn = await asked.take();
    client.send(textTo(groupId, "meanwhile"));
    expect(await client.next()).toMatchObject({ type: "SendMessageResult", identifier: "meanwhile" });
    goOn();
    expect(await takeTexts(client, 1)).toEqual(["2"]);
  });

  it("is closed with 1013 when its replay fails, so that there is no hole", async () => {
    const { connect, log } = await scene({
      wrap: (storage) => ({
        ...storage,
        messages: { ...storage.messages, listSince: () => Promise.reject(new Error("broken")) },
      }),
    });
    const client = await connect("?since=1");
    expect(await client.closed).toBe(1013);
    expect(log.lines.join()).toContain("listen.replay_failed");
  });

  it("is told the gap of each room, where too many were missed", async () => {
    const { send, connect, user, group, bob, url } = await scene({ limits: { replayMessages: 3 } });
    const carol = await user("Carol");
    const quiet = await group([carol, bob], 2);
    await send("1", "2", "3", "4");
    expect(await takeTexts(await connect("?since=1"), 3)).toEqual(["2", "3", "4"]);
    const other = await open(url(carol.token));
    other.send({ ...textTo(quiet, "5"), groupType: 2 });
    await other.next();
    const client = await connect("?since=1");
    const texts = [await client.nextText(), await client.nextText()];
    expect(texts.toSorted()).toEqual([
      '{"type":"Gap","code":200,"data":{"groupId":1,"groupType":1,"since":1,"until":4}}',
      '{"type":"Gap","code":200,"data":{"groupId":2,"groupType":2,"since":1,"until":5}}',
    ]);
    await send("6");
    expect(await takeTexts(client, 1)).toEqual(["6"]);
  });

  it("replays many messages whole", async () => {
    const { send, connect } = await scene();
    const texts = Array.from({ length: 400 }, (_, index) => `${index} ${"字".repeat(300)}`);
    await send("first", ...texts);
    expect(await takeTexts(await connect("?since=1"), 400)).toEqual(texts);
  });
});

/** A room with 1,000 messages of 40 KB, half of it pinyin. */
async function fullRoom() {
  const kept: Storage[] = [];
  const made = await scene({
    wrap(storage) {
      kept.push(storage);
      return storage;
    },
  });
  const content = JSON.stringify([{ text: { text: "x".repeat(20_000) } }]);
  for (let sent = 0; sent < 1000; sent += 1) {
    await kept[0]?.messages.append({
      message: {
        groupId: made.groupId,
        userId: String(made.alice.id),
        external: false,
        type: 0,
        content,
        pinyin: content,
        nickname: "Alice",
        nicknamePinyin: "Alice",
        createTime: made.telex.clock.now(),
        receiveTime: made.telex.clock.now(),
        botMessageId: null,
        notice: null,
      },
      nonce: null,
      files: [],
      attachments: [],
      network: null,
      sent: null,
    });
  }
  return made;
}

/** All message ids above `since` that the history shows, page by page. */
async function idsAbove({ telex, bob, groupId }: Awaited<ReturnType<typeof scene>>, since: number): Promise<number[]> {
  const caller = await telex.authenticate(bob.token);
  const ids: number[] = [];
  const read = async (cursor?: string): Promise<void> => {
    const page = await telex.messages.history(caller, { groupId, groupType: 1, pageSize: 100, cursor });
    ids.push(...page.groupMessages.map(({ messageId }) => messageId));
    if (page.nextPageCursor !== null && Number(page.nextPageCursor) > since) await read(page.nextPageCursor);
  };
  await read();
  return ids.filter((id) => id > since);
}

describe("a client that missed much", () => {
  it("costs little more than one that missed nothing, and few bytes", async () => {
    const { connect, sockets } = await fullRoom();
    /** Bytes of eight consecutive connections. */
    const come = async (since: number, types: readonly string[]): Promise<number> => {
      let bytes = 0;
      for (let round = 0; round < 8; round += 1) {
        const client = await connect(`?since=${since}`);
        client.send("");
        const frames = [...types].map(() => client.next());
        expect((await Promise.all(frames)).map(({ type }) => type).toSorted()).toEqual(types);
        bytes += Math.max(...Array.from(sockets, (socket) => socket.bytesWritten));
        await client.close();
      }
      return bytes;
    };
    const missedMuch = () => come(1, ["Gap", "OperationFailed"]);
    expect(await missedMuch()).toBeLessThan(8 * 2048);
    const plainTime = await cpuTimeOf(() => come(1000, ["OperationFailed"]), 3);
    expect(await costShare(missedMuch, 5 * plainTime)).toBeLessThanOrEqual(1);
  });

  it("catches up by the history, and goes on where that ended", async () => {
    const made = await fullRoom();
    const { connect, send } = made;
    const client = await connect("?since=1");
    expect(await client.next()).toMatchObject({ type: "Gap", data: { since: 1, until: 1000 } });
    const ids = await idsAbove(made, 1);
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 999 }, (_, index) => index + 2));
    await client.close();
    await send("new");
    expect(await takeTexts(await connect(`?since=${Math.max(...ids)}`), 1)).toEqual(["new"]);
  });
});

describe("a since that is not an id", () => {
  const msg = "since 必须是消息 ID:小于 2^53 的正整数。";
  it.each([
    "",
    "0",
    "-1",
    "1.5",
    "1e3",
    "abc",
    "%zz",
    "9007199254740992",
    "%2B1",
    "01",
    "1%00",
    "99999999999999999999",
  ])("(%j) is told so, and the connection goes on without a replay", async (since) => {
    const { send, connect, groupId } = await scene();
    await send("1", "2");
    const client = await connect(`?since=${since}`);
    expect(await client.nextText()).toBe(
      `{"type":"OperationFailed","code":500,"identifier":null,"msg":${JSON.stringify(msg)}}`,
    );
    client.send(textTo(groupId, "works"));
    expect(await client.next()).toMatchObject({ type: "SendMessageResult", code: 200 });
    await send("3");
    expect(await takeTexts(client, 1)).toEqual(["3"]);
  });

  it("because it is given twice is told so", async () => {
    const { connect } = await scene();
    const client = await connect("?since=1&since=2");
    expect(await client.next()).toMatchObject({ code: 500, identifier: null, msg: "查询参数“since”重复出现。" });
  });

  it("is not told to somebody without a token", async () => {
    const { url } = await scene();
    const client = await open(url("garbage", "?since=abc"));
    client.send("x");
    expect(await client.next()).toMatchObject({ type: "LoginFail" });
  });
});

it("the largest id is taken", async () => {
  const { connect, send } = await scene();
  const client = await connect("?since=9007199254740991");
  client.send("x");
  expect(await client.next()).toMatchObject({ type: "OperationFailed", msg: "该帧不是有效的 JSON。" });
  await send("new");
  expect(await takeTexts(client, 1)).toEqual(["new"]);
});
