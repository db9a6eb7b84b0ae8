import type { Gateway, GatewayInbox, GatewayMessage, GatewayOutcome, IncomingMessage } from "@telex/core";
import { createMemoryNetwork, type MemoryNetwork, textOfParts } from "@telex/conformance/testing";
import type { GatewaySubject } from "../../src/gateways/subject.ts";

/** A gateway that breaks a promise on purpose. */
interface BrokenGateway {
  /** The fault, in a few words. */
  readonly fault: string;
  /** The case that must fail on it, without the `gateway:`. */
  readonly found: string;
  readonly create: () => GatewaySubject;
}

/** The network in memory as a subject of the suite. */
export function subjectOf(network: MemoryNetwork, gateway: Gateway = network.gateway): GatewaySubject {
  let last: Partial<IncomingMessage> = {};
  let said = 0;
  const tell = async (): Promise<void> => void (await network.say(last).catch(() => undefined));
  return {
    gateway,
    account: "bot-1",
    groupType: 0,
    room: { kind: "group", ext: "500" },
    async say(text) {
      said += 1;
      last = { messageId: `said-${said}`, segments: [{ type: "text", data: { text } }] };
      await tell();
    },
    repeat: tell,
    received: () => Promise.resolve(network.sent.map(({ parts }) => textOfParts(parts))),
    behave(mood) {
      network.isOnline = mood !== "offline";
      network.mood = mood === "offline" ? "take" : mood;
      return Promise.resolve();
    },
    destroy: () => Promise.resolve(),
  };
}

type Change = (gateway: Gateway, network: MemoryNetwork) => Partial<Gateway>;

const changed = (change: Change) => (): GatewaySubject => {
  const network = createMemoryNetwork();
  return subjectOf(network, { ...network.gateway, ...change(network.gateway, network) });
};

/** A gateway whose inbox was changed. */
const changedInbox = (change: (message: IncomingMessage, inbox: GatewayInbox) => ReturnType<GatewayInbox["receive"]>) =>
  changed((gateway) => ({
    start: (inbox, holds) => gateway.start({ ...inbox, receive: (message) => change(message, inbox) }, holds),
  }));

const sending = (send: (message: GatewayMessage, gateway: Gateway) => Promise<GatewayOutcome>) =>
  changed((gateway) => ({ send: (message) => send(message, gateway) }));

/** Wrong gateways. */
export const brokenGateways: readonly BrokenGateway[] = [
  {
    fault: "its list forgets its accounts",
    found: "the list of accounts shows each one as a lookup does",
    create: changed(() => ({ listAccounts: () => [] })),
  },
  {
    fault: "its list is never refreshed",
    found: "the list of accounts shows each one as a lookup does",
    create: changed((gateway) => ({
      listAccounts: () => gateway.listAccounts().map((account) => ({ ...account, isConnected: true, isOnline: true })),
    })),
  },
  {
    fault: "it has every account",
    found: "the account goes online after the start, and there is no other",
    create: changed((gateway) => ({ findAccount: () => gateway.findAccount("bot-1") })),
  },
  {
    fault: "it sends twice, to be sure",
    found: "a message reaches the network once, and is delivered",
    create: sending(async (message, gateway) => {
      await gateway.send(message);
      return gateway.send(message);
    }),
  },
  {
    fault: "a message overtakes the one before",
    found: "messages in order arrive in order",
    create() {
      let kept: GatewayMessage | null = null;
      return sending(async (message, gateway) => {
        if (kept === null) {
          kept = message;
          return { outcome: "delivered", messageId: "m-kept" };
        }
        const sent = await gateway.send(message);
        await gateway.send(kept);
        kept = null;
        return sent;
      })();
    },
  },
  {
    fault: "it begins when all is over",
    found: "begin is called before the network sees anything",
    create: sending(async (message, gateway) => {
      const sent = await gateway.send({ ...message, begin: () => Promise.resolve() });
      await message.begin();
      return sent;
    }),
  },
  {
    fault: "it does not wait for begin",
    found: "begin is called before the network sees anything",
    create: sending(async (message, gateway) => {
      const begun = message.begin();
      const sent = await gateway.send({ ...message, begin: () => Promise.resolve() });
      await begun;
      return sent;
    }),
  },
  {
    fault: "it is never too late",
    found: "when begin throws, nothing is sent",
    create: sending((message, gateway) => {
      // Continues.
      const begin = (): Promise<void> => message.begin().catch(() => undefined);
      return gateway.send({ ...message, begin });
    }),
  },
  {
    fault: "it does not ask whether the account is signed in",
    found: "an account that is signed out takes nothing",
    create: changed((gateway) => ({
      findAccount(asked) {
        const found = gateway.findAccount(asked);
        return found === null ? null : { ...found, isOnline: true };
      },
    })),
  },
  {
    fault: "it takes a refusal for a delivery",
    found: "a refusal is reported with its reason",
    create: sending(async (message, gateway) => {
      const sent = await gateway.send(message);
      return sent.outcome === "refused" ? { outcome: "delivered", messageId: null } : sent;
    }),
  },
  {
    fault: "it sends again what has no answer",
    found: "without an answer the outcome is unknown, and nothing is sent again",
    create: sending(async (message, gateway) => {
      const sent = await gateway.send(message);
      if (sent.outcome === "unknown")
        await gateway.send({ ...message, begin: () => Promise.resolve(), signal: AbortSignal.abort() });
      return sent;
    }),
  },
  {
    fault: "it sends the words without the picture",
    found: "a part that is not supported sends nothing",
    create: sending(async (message, gateway) => {
      await gateway.send({ ...message, parts: message.parts.filter(({ kind }) => kind === "text") });
      return { outcome: "unsupported" };
    }),
  },
  {
    fault: "its times are in seconds",
    found: "a message of a person reaches the inbox",
    create: changedInbox((message, inbox) =>
      inbox.receive({ ...message, createTime: Math.floor(message.createTime / 1000) }),
    ),
  },
  {
    fault: "it makes an id for each event",
    found: "the same message has the same id, another one another",
    create() {
      let events = 0;
      return changedInbox((message, inbox) => inbox.receive({ ...message, messageId: `e-${(events += 1)}` }))();
    },
  },
  {
    fault: "it does not know its own words",
    found: "an echo is known by an id that send has answered",
    create: sending(async (message, gateway) => {
      const sent = await gateway.send(message);
      return sent.outcome === "delivered" ? { outcome: "delivered", messageId: null } : sent;
    }),
  },
  {
    fault: "it handles one thing at a time",
    found: "an inbox that takes its time does not hold up the answer to a message",
    create: changed((gateway) => {
      let handled: Promise<unknown> = Promise.resolve();
      return {
        start: (inbox, holds) =>
          gateway.start(
            {
              ...inbox,
              receive(message) {
                const receipt = inbox.receive(message);
                handled = receipt;
                return receipt;
              },
            },
            holds,
          ),
        async send(message) {
          const sent = await gateway.send(message);
          await handled;
          return sent;
        },
      };
    }),
  },
  {
    fault: "it stops at the first error",
    found: "what the inbox refuses ends nothing",
    create() {
      let isBroken = false;
      return changedInbox(async (message, inbox) => {
        if (isBroken) return { outcome: "unknown_room" };
        isBroken = true;
        return inbox.receive(message);
      })();
    },
  },
  {
    fault: "it waits for its last answer before it closes",
    found: "it closes while a message has no answer",
    create: changed((gateway, network) => ({
      close: () => (network.mood === "silent" ? new Promise<void>(() => {}) : gateway.close()),
    })),
  },
  {
    fault: "closing changes nothing",
    found: "after it has closed nothing is received or sent",
    create: changed(() => ({ close: () => Promise.resolve() })),
  },
];
