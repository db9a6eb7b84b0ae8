import { createMemoryBlobs } from "@telex/blobs/memory";
import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { createSharpEngine } from "@telex/image-text/sharp";
import {
  createTelex,
  type Gateway,
  type GatewayInbox,
  type GatewayMessage,
  type GatewayOutcome,
  operator,
  type Telex,
  TelexError,
} from "../src/index.ts";
import { textOfParts } from "@telex/conformance/testing";
import { ticks } from "@telex/conformance/testing";
import { createKit, type Kit } from "./kit.ts";

/** A message that the network has, and what it has not done with it yet. */
interface InNetwork {
  readonly id: string;
  readonly text: string;
  readonly answer: (outcome: GatewayOutcome) => void;
}

/** A network that waits for the test before each step. It outlives the servers that send to it. */
function createNetwork() {
  const has: InNetwork[] = [];
  const network = { has, isOnline: true, inbox: null as GatewayInbox | null };
  const accountNow = () => ({
    account: "bot-1",
    network: "memory",
    groupTypes: [0] as const,
    isConnected: true,
    isOnline: network.isOnline,
  });
  const createGateway = (): Gateway => ({
    name: "model",
    findAccount: () => accountNow(),
    listAccounts: () => [accountNow()],
    start(inbox) {
      network.inbox = inbox;
      return Promise.resolve();
    },
    async send({ parts, begin, signal }: GatewayMessage): Promise<GatewayOutcome> {
      await begin();
      const answer = Promise.withResolvers<GatewayOutcome>();
      has.push({ id: `m-${has.length + 1}`, text: textOfParts(parts), answer: answer.resolve });
      signal.addEventListener("abort", () => answer.resolve({ outcome: "unknown" }), { once: true });
      return answer.promise;
    },
    close: () => Promise.resolve(),
  });
  return { network, createGateway };
}

/** The steps of a run. A nonce stands for one text; numbers choose among the existing messages. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send"), number: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("answer"), number: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("echo"), number: fc.nat(9) }) },
  // Messages of other people: often repeated, because bots show them again after they have reconnected.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("say"), number: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("lose", "crash", "online", "offline"), number: fc.constant(0) }),
  },
);

interface World {
  readonly kit: Kit;
  readonly groupId: number;
  readonly network: ReturnType<typeof createNetwork>["network"];
  readonly createGateway: () => Gateway;
  telex: Telex;
  /** The messages that members got: ids by text. */
  readonly told: Map<string, number>;
  /** The messages of others in the network that Telex received. */
  readonly said: Set<string>;
  /** Answers that cannot be. */
  readonly wrong: string[];
}

async function createWorld(): Promise<World> {
  const { network, createGateway } = createNetwork();
  const kit = await createKit({ gateways: [createGateway()] });
  const room = { groupType: 0 as const, name: "Out", ext: "500", members: [1] };
  const { groupId } = await kit.telex.operator.groups.add(operator, room);
  return { kit, groupId, network, createGateway, telex: kit.telex, told: new Map(), said: new Set(), wrong: [] };
}

/** The same words for every repeat of a nonce. */
const textOf = (number: number): string => `text ${number}`;

/** Sends, and keeps every answer that cannot be. */
async function send({ telex, kit, groupId, told, wrong }: World, number: number): Promise<void> {
  const [text, nonce] = [textOf(number), `n-${number}`];
  try {
    const { messageId } = await telex.messages.send(kit.alice, { groupId, groupType: 0, message: text, nonce });
    if ((told.get(text) ?? messageId) !== messageId) wrong.push(`${text} has two ids`);
    told.set(text, messageId);
  } catch (cause) {
    const { code } = TelexError.from(cause);
    if (!["bot_offline", "delivery_unknown"].includes(code)) wrong.push(`${text}: ${code}`);
  }
}

/** A server that was killed does nothing more; another one opens the same storage. */
async function crash(world: World): Promise<void> {
  const { kit, network, createGateway } = world;
  // The killed server never gets the results that it waits for.
  network.inbox = null;
  const parts = { storage: kit.storage, clock: kit.clock, blobs: createMemoryBlobs(), images: createSharpEngine() };
  world.telex = await createTelex({ ...parts, gateways: [createGateway()] });
}

/** The network sends the event of a message. A repeated event has the same content. */
function receive({ network, kit }: World, { id, text }: Omit<InNetwork, "answer">, isOwn: boolean): void {
  const message = {
    account: "bot-1",
    messageId: id,
    room: { kind: "group" as const, ext: "500" },
    sender: isOwn ? { ext: "9000", name: "bot" } : { ext: "1001", name: "Ann" },
    isOwn,
    createTime: kit.clock.now(),
    segments: [{ type: "text" as const, data: { text } }],
  };
  network.inbox?.receive(message).catch(() => undefined);
}

const echo = (world: World, message: InNetwork): void => receive(world, message, true);

function say(world: World, number: number): void {
  const text = `said ${number}`;
  if (world.network.inbox !== null) world.said.add(text);
  receive(world, { id: `p-${number}`, text }, false);
}

async function run(world: World, { kind, number }: { readonly kind: string; readonly number: number }): Promise<void> {
  const { network, kit } = world;
  const chosen = network.has.at(number % Math.max(1, network.has.length));
  if (kind === "send") void send(world, number);
  if (kind === "answer") chosen?.answer({ outcome: "delivered", messageId: chosen.id });
  if (kind === "echo" && chosen !== undefined) echo(world, chosen);
  if (kind === "say") say(world, number);
  if (kind === "lose") await kit.clock.advance(30_000);
  if (kind === "crash") await crash(world);
  if (kind === "online" || kind === "offline") network.isOnline = kind === "online";
  await ticks(20);
}

/** The invariants of every step. */
async function check({ kit, network, groupId, told, said, wrong }: World): Promise<void> {
  expect(wrong).toEqual([]);
  const texts = network.has.map(({ text }) => text);
  expect(new Set(texts).size, "the network has a message twice").toBe(texts.length);
  const { messages } = await kit.storage.messages.page({ groupId, before: null, limit: 100 });
  const stored = messages.map(({ content }) => content);
  expect(new Set(stored).size, "a message is stored twice").toBe(stored.length);
  for (const content of stored) {
    expect(
      [...texts, ...said].some((text) => content.includes(`"${text}"`)),
      `the network does not have ${content}`,
    ).toBe(true);
  }
  for (const [text, id] of told) {
    expect(messages.find((message) => message.id === id)?.content, "an answer names a message").toContain(text);
  }
  for (const { external, userId } of messages) {
    expect(external, "a message of a member is the account's own").toBe(userId === "1001");
  }
}

/** Sequences that are tried: few, or as many as `TELEX_MODEL_RUNS` says. */
const runs = Number(process.env["TELEX_MODEL_RUNS"] ?? 15);

it(
  "sends nothing twice, stores nothing twice, and stores nothing that the network does not have",
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const world = await createWorld();
        for (const one of steps) {
          await run(world, one);
          await check(world);
        }
        // In the end the network has reported everything, and every time limit has passed: then Telex knows all messages of the network.
        world.network.isOnline = true;
        for (let round = 0; round < 2; round += 1) {
          for (const one of world.network.has) echo(world, one);
          for (let waited = 0; waited < 60; waited += 1) {
            await world.kit.clock.advance(5000);
            await ticks(10);
          }
        }
        await check(world);
        const { messages } = await world.kit.storage.messages.page({
          groupId: world.groupId,
          before: null,
          limit: 100,
        });
        const all = world.network.has.length + world.said.size;
        expect(messages.length, "everything that the network has is stored").toBe(all);
      }),
      { numRuns: runs },
    );
  },
);
