import { randomUUID } from "node:crypto";
import type { Bus, BusMember } from "@telex/core";
import { busConformance, withLosses } from "@telex/conformance";
import { type NatsServer, startNats } from "test-support/nats";
import { afterAll, beforeAll, describe, it } from "vitest";
import { createNatsBus } from "../src/index.ts";

let nats: readonly NatsServer[] = [];

beforeAll(async () => {
  const first = await startNats();
  nats = [first, await startNats({ peer: first }), await startNats({ peer: first })];
});

afterAll(() => Promise.all(nats.map((server) => server.kill())));

/** Each server of an installation is connected to another node of the cluster. */
function createSubject(spoil: (bus: Bus) => Bus) {
  const members: BusMember[] = [];
  const names = [randomUUID(), randomUUID()] as const;
  let servers = 0;
  const server = (installation: string): Promise<Bus> => {
    const { url } = nats[(servers += 1) % nats.length] ?? { url: "" };
    const bus = spoil(createNatsBus({ servers: [url], installation }));
    return Promise.resolve({
      async join(receive) {
        const member = await bus.join(receive);
        members.push(member);
        return member;
      },
    });
  };
  return {
    server: () => server(names[0]),
    stranger: () => server(names[1]),
    destroy: async () => void (await Promise.all(members.map((member) => member.leave()))),
  };
}

describe("over a cluster of three", () => {
  busConformance({ test: it, create: () => Promise.resolve(createSubject((bus) => bus)) });
});

describe("over a cluster of three, with losses", () => {
  busConformance({ test: it, create: () => Promise.resolve(createSubject((bus) => withLosses(bus, 3))) });
});
