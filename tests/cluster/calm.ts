import { operator, type Telex } from "@telex/core";
import { contracts } from "@telex/core/contract";
import { anything, valueOf } from "../crash/support/api.ts";
import { paths } from "../crash/support/paths.ts";
import { openSocket } from "../crash/support/socket.ts";
import { checkFiles } from "./files.ts";
import { checkFollowing } from "./follow.ts";
import type { Person } from "./ground.ts";
import { checkReplies } from "./replies.ts";
import { retryPause, type Place, type Run } from "./run.ts";
import { checkRevoked } from "./tokens.ts";

const { members, find } = contracts.rooms;
const polled = contracts.teleprinter.poll.output;

/** The online members of a room, as a server reports them to one of them. */
async function onlineOn(place: Place, { token }: Person, groupId: number): Promise<string> {
  const outcome = await place.api(token).get(`/external/api/v1/im/groups/${groupId}/members`, {}, members.output);
  if (outcome.kind !== "done") return outcome.kind;
  return outcome.value.list.flatMap(({ nickname, online }) => (online ? [nickname] : [])).join(" ");
}

/** Waits until every server shows exactly these members of a room as online. */
export async function untilOnline(run: Run, places: readonly Place[], who: Person, online: string): Promise<void> {
  const groupId = run.rooms[0]?.groupId ?? 0;
  for (const place of places) while ((await onlineOn(place, who, groupId)) !== online) await retryPause();
}

/** Read markers must be where the server confirmed them. */
async function checkReading({ rooms, people, problems }: Run, place: Place): Promise<void> {
  for (const { groupId, readBy } of rooms) {
    for (const { id, token } of people) {
      const path = `/external/api/v1/im/groups/${groupId}`;
      const { readUpTo } = valueOf(await place.api(token).get(path, {}, find.output), "room");
      const marked = readBy.get(id) ?? 0;
      if (Number(readUpTo) < marked) problems.push(`${place.name}: read up to ${readUpTo}, and ${marked} was answered`);
    }
  }
}

/** A waiting poll on one server must receive a text that another server accepts. */
async function checkLongPoll({ problems }: Run, here: Place, there: Place, { token }: Person): Promise<void> {
  const [deviceId, word] = [`long-${here.name.replace(" ", "-")}`, `from ${there.name}`];
  valueOf(await here.api(token).post(paths.register, { deviceId, name: deviceId }, anything), "register");
  const poll = here.api(token).get(paths.poll, { deviceId, wait: 60 }, polled);
  valueOf(await there.api(token).post(paths.send, { deviceId, content: word }, anything), "send");
  const texts = valueOf(await poll, "poll").map(({ content }) => content);
  if (texts.join() !== word) problems.push(`a poll on ${here.name} gave "${texts.join()}" instead of "${word}"`);
}

/** Revokes a token as an operator. Its connections must end on every server. */
async function checkRevocation(places: readonly Place[], telex: Telex, { id: userId }: Person): Promise<void> {
  const { token } = await telex.operator.tokens.issue(operator, { userId, scopes: ["chat"] });
  const sockets = await Promise.all(places.map(({ url }) => openSocket({ url, token, channel: "rooms" })));
  await telex.operator.tokens.revoke(operator, { token });
  for (const socket of sockets) await socket?.ended;
}

/** Asks each server for everything that was confirmed, after the last kill. */
export async function checkEach(run: Run, telex: Telex): Promise<void> {
  const { places } = run;
  const [alice, , , dave] = run.people;
  if (alice === undefined || dave === undefined) throw new Error("A user is missing.");
  for (const [index, place] of places.entries()) {
    await checkReading(run, place);
    await checkFiles(run, place.api(alice.token));
    await checkFollowing(run, [place, ...places.filter((other) => other !== place)], alice);
    await checkReplies(run, place.api(alice.token));
    await checkRevoked(run, place);
    await checkLongPoll(run, place, places[(index + 1) % places.length] ?? place, alice);
  }
  await checkRevocation(places, telex, dave);
}
