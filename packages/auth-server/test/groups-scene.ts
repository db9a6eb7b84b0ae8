import { ticks } from "@telex/conformance/testing";
import { onTestFinished } from "vitest";
import { type Answer, start } from "./server.ts";

/** A person with a browser. */
export type Member = Awaited<ReturnType<Awaited<ReturnType<typeof start>>["member"]>>;

/** A field of the data of an answer. */
export const field = (answer: Answer, name: string): unknown => Reflect.get(Object(answer.data), name);

export const groupIdOf = (answer: Answer): number => Number(field(answer, "groupId"));

/** Three people, who create rooms. */
export async function scene(...how: Parameters<typeof start>) {
  const server = await start(...how);
  const [alice, bob, carol] = [await server.member("alice"), await server.member("bob"), await server.member("carol")];
  const create = async (by: Member, members: readonly Member[] = []): Promise<number> =>
    groupIdOf(await by.browser.post("/im/groups", { name: "Tea", members: members.map(({ id }) => id) }));
  const role = async (by: Member, groupId: number, of: Member, to: string): Promise<Answer> =>
    await by.browser.post(`/im/groups/${groupId}/members`, { roles: [{ userId: of.id, role: to }] });
  const seen = async (by: Member, groupId: number): Promise<string> => {
    const item = await by.browser.get(`/im/groups/${groupId}`);
    return item.status === 200 ? String(field(item, "role")) : String(item.status);
  };
  /** The kinds of the notices of a room, the oldest first. */
  const notices = async (by: Member, groupId: number): Promise<unknown[]> => {
    const path = `/im/getMessage?groupId=${groupId}&groupType=1&pageSize=100&more=1`;
    const messages: unknown = field(await by.browser.get(path), "groupMessages");
    const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
    return list
      .map((message): unknown => Reflect.get(Object(Reflect.get(Object(message), "notice")), "kind"))
      .toReversed();
  };
  return { ...server, alice, bob, carol, create, role, seen, notices };
}

/** Listens with `more=1`. Returns a function that returns the changes of rooms that the member has got so far. */
export const listen = async (by: Member, url: string) => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket?more=1`, {
    headers: { cookie: by.browser.cookie, origin: url },
  });
  const frames: Answer["data"][] = [];
  socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data))));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  onTestFinished(() => socket.close());
  let marks = 0;
  const changes = async (): Promise<unknown[]> => {
    socket.send(JSON.stringify({ command: "sendGroupMessage", identifier: (marks += 1) }));
    while (!frames.some((frame) => Reflect.get(Object(frame), "identifier") === marks)) await ticks();
    return frames
      .filter((frame) => Reflect.get(Object(frame), "type") === "GroupChanged")
      .map((frame): unknown => Reflect.get(Object(frame), "data"));
  };
  await changes();
  return changes;
};
/** The kinds of these changes. */
export const kinds = (changes: readonly unknown[]) =>
  changes.map((change) => String(Reflect.get(Object(change), "change")));
