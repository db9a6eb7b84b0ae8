import type { Bus, BusEvent, BusMember } from "@telex/core";
import { busConformance, type BusSubject, withLosses } from "@telex/conformance";
import { createLogCollector, until } from "@telex/conformance/testing";
import type { Document } from "mongodb";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect, type MongoConnection } from "../src/driver/connect.ts";
import { createMongoBus } from "../src/index.ts";
import { newDatabase } from "./support/database.ts";
import { openNetwork } from "./support/proxy.ts";
import { createSampled } from "test-support/every";
import { sharedMongo } from "test-support/shared-mongo";

/** The databases of two installations. */
const urls = [newDatabase(), newDatabase()] as const;
const connections: MongoConnection[] = [];

beforeAll(async () => {
  for (const url of urls) connections.push(await connect({ url }));
});

afterAll(() => Promise.all(connections.map(({ client }) => client.close())));

function createSubject(spoil: (bus: Bus) => Bus): BusSubject {
  const members: BusMember[] = [];
  const server = (index: number): Promise<Bus> => {
    const connection = connections[index];
    if (connection === undefined) throw new RangeError("There are two installations.");
    const bus = spoil(createMongoBus(connection));
    return Promise.resolve({
      async join(receive) {
        const member = await bus.join(receive);
        members.push(member);
        return member;
      },
    });
  };
  return {
    server: () => server(0),
    stranger: () => server(1),
    destroy: async () => void (await Promise.all(members.map((member) => member.leave()))),
  };
}

describe("over change streams", () => {
  busConformance({ test: createSampled(it), create: () => Promise.resolve(createSubject((bus) => bus)) });
});

describe("over change streams, with losses", () => {
  busConformance({
    test: createSampled(it),
    create: () => Promise.resolve(createSubject((bus) => withLosses(bus, 3))),
  });
});

/** A server that follows the device `printer-1`. */
async function join(url: string) {
  const { client, db } = await connect({ url, timeout: 2000 });
  const received: BusEvent[] = [];
  const log = createLogCollector();
  const member = await createMongoBus({ db, log }).join((event) => received.push(event));
  onTestFinished(async () => {
    await member.leave();
    await client.close();
  });
  await member.follow("device:printer-1");
  return { client, db, member, received, log };
}

type Joined = Awaited<ReturnType<typeof join>>;

const wake: BusEvent = { kind: "device_wake", deviceId: "printer-1" };
const eventsOf = ({ log }: Joined): string[] => log.lines.map((line) => line.split(" ")[1] ?? "");

/** Publishes repeatedly until the event arrives. */
async function reaches(from: Joined, to: Joined): Promise<boolean> {
  const before = to.received.length;
  await until(() => {
    from.member.publish(wake);
    return to.received.length > before;
  });
  return true;
}

const postsOf = ({ db }: Joined) => db.collection<{ events: string }>("posts").find().toArray();

/** The address of the database without the network. */
const hostOf = (): string => new URL(sharedMongo()).host;

/** Makes the next command of any storage fail. */
const failNext = ({ client }: Pick<Joined, "client">, data: Document): Promise<Document> =>
  client
    .db("admin")
    .command({ configureFailPoint: "failCommand", mode: { times: 1 }, data: { appName: "telex", ...data } });

describe("a server on change streams", () => {
  it("reads on from where it was after its connections were cut", async () => {
    const network = await openNetwork();
    const [one, two] = [await join(network.url.replace(/127[^\/]+/v, hostOf)), await join(network.url)];
    expect(await reaches(one, two)).toBe(true);
    network.remove();
    const word = (count: number): BusEvent => ({ kind: "token_ended", tokenId: count });
    for (let count = 0; count < 5; count += 1) {
      one.member.publish(word(count));
      while (!(await postsOf(one)).some(({ events }) => events.includes(`"tokenId":${count}`)));
    }
    network.restore();
    const ended = () => two.received.filter(({ kind }) => kind === "token_ended");
    await until(() => ended().length >= 5);
    expect(ended()).toEqual([0, 1, 2, 3, 4].map(word));
  });

  it("continues if the database no longer has the changes after the last one that was read", async () => {
    const url = newDatabase();
    const [one, two] = [await join(url), await join(url)];
    expect(await reaches(one, two)).toBe(true);
    await failNext(one, { failCommands: ["getMore"], errorCode: 286 });
    await until(() => [one, two].some((server) => eventsOf(server).includes("bus.missed")));
    expect(await reaches(one, two)).toBe(true);
    expect(await reaches(two, one)).toBe(true);
  });

  it("continues after the database was unavailable, and logs it", async () => {
    const network = await openNetwork();
    const [one, two] = [await join(network.url), await join(network.url)];
    network.remove();
    one.member.publish(wake);
    await until(() => eventsOf(one).includes("bus.disconnected"));
    network.restore();
    expect(await reaches(one, two)).toBe(true);
    await until(() => eventsOf(one).includes("bus.connected"));
  });

  it("does not join a database that refuses change streams, and says why", async () => {
    const connection = await connect({ url: newDatabase() });
    onTestFinished(() => connection.client.close());
    await failNext(connection, { failCommands: ["aggregate"], errorCode: 13 });
    await expect(createMongoBus(connection).join(() => undefined)).rejects.toThrow(
      /^MongoDB refuses the change streams/v,
    );
  });

  it("leaves no document behind", async () => {
    const url = newDatabase();
    const [one, two] = [await join(url), await join(url)];
    expect(await reaches(one, two)).toBe(true);
    await one.member.leave();
    expect(await postsOf(two)).toEqual([]);
  });

  it("ignores documents of other programs, and continues", async () => {
    const url = newDatabase();
    const [one, two] = [await join(url), await join(url)];
    await one.db.collection("posts").insertOne({ events: "no JSON" });
    expect(await reaches(one, two)).toBe(true);
    expect(eventsOf(two)).toEqual(["bus.connected", "bus.unreadable"]);
  });
});
