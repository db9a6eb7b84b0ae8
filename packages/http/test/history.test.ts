import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { overBothTransports, type Setup } from "./setup.ts";
import { isObject } from "test-support/compare";

interface Page {
  readonly currentPage: number;
  readonly totalPage: number;
  readonly nextPageCursor: string | null;
  readonly previousPageCursor: string | null;
  readonly groupMessages: readonly Record<string, unknown>[];
}

/** A room of Alice with a number of messages, and a function that requests its pages. */
async function room(given: Setup, count: number) {
  const { telex, alice, send } = given;
  const { groupId } = await telex.operator.groups.add(operator, {
    groupType: 1,
    name: "技术 group",
    members: [alice.id],
  });
  const caller = await telex.authenticate(alice.token);
  for (let number = 1; number <= count; number += 1) {
    await telex.messages.send(caller, { groupId, groupType: 1, message: `消息 ${number}` });
  }
  const page = async (cursor: string | null, pageSize?: number): Promise<Page> => {
    const rest = `${cursor === null ? "" : `&cursor=${cursor}`}${pageSize === undefined ? "" : `&pageSize=${pageSize}`}`;
    const query = `access_token=${alice.token}&groupId=${groupId}&groupType=1${rest}`;
    const answer = await send(`/external/api/v1/im/getMessage?${query}`);
    const body: unknown = await answer.json();
    if (!isObject(body) || !isObject(body["data"])) throw new TypeError(JSON.stringify(body));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the instance checks its answers
    return body["data"] as unknown as Page;
  };
  return { page, groupId };
}

const numbersOf = ({ groupMessages }: Page): number[] =>
  groupMessages.map(({ content }) => Number(/消息 (\d+)/.exec(String(content))?.[1]));

overBothTransports("history", (open) => {
  it("begins with the latest ten messages, newest first", async () => {
    const given = await open();
    const { page } = await room(given, 25);
    const first = await page(null);
    expect(numbersOf(first)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(first).toMatchObject({ currentPage: 1, totalPage: 3, previousPageCursor: null });
  });

  it("leads by its cursors to every message once, and back again", async () => {
    const given = await open();
    const { page } = await room(given, 25);
    const first = await page(null);
    const second = await page(first.nextPageCursor);
    const third = await page(second.nextPageCursor);
    expect([first, second, third].flatMap(numbersOf)).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
    expect([second, third].map(({ currentPage, totalPage }) => [currentPage, totalPage])).toEqual([
      [2, 3],
      [3, 3],
    ]);
    expect(third.nextPageCursor).toBeNull();
    expect(numbersOf(await page(third.previousPageCursor))).toEqual(numbersOf(second));
    const back = await page(second.previousPageCursor);
    expect({ ...back, previousPageCursor: null }).toEqual(first);
  });

  it("has every field of a message", async () => {
    const given = await open();
    const { page, groupId } = await room(given, 1);
    const [message] = (await page(null)).groupMessages;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/) as unknown;
    expect(message).toEqual({
      id: String(message?.["messageId"]),
      messageId: expect.any(Number) as unknown,
      groupId,
      groupType: 1,
      userId: String(given.alice.id),
      type: 0,
      content: '[{"text":{"text":"消息 1"}}]',
      pinyin: '[{"text":{"text":"xiao1 xi1 1"}}]',
      groupName: "技术 group",
      groupNamePinyin: "ji4 shu4 group",
      createTime: expect.any(Number) as unknown,
      receiveTime: time,
      nickname: "Alice",
      nicknamePinyin: "Alice",
      avatar: `/api/avatar/get/personal?id=${given.alice.id}`,
    });
  });

  it("has pages of 1 to 100 messages", async () => {
    const given = await open();
    const { page } = await room(given, 3);
    expect(numbersOf(await page(null, 1))).toEqual([3]);
    expect(numbersOf(await page(null, 100))).toEqual([3, 2, 1]);
  });
});
