import assert from "node:assert/strict";
import type { Storage } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { fieldsOf } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";
import { createRandom, type Random } from "../testing/index.ts";
import { accountOf, linkOf, sessionOf, useOf } from "./fixtures.ts";

interface Person {
  readonly userId: number;
  usernameKey: string;
  role: "admin" | null;
  rev: number;
  suspended: boolean;
}

interface Link {
  readonly digest: string;
  readonly makerId: number;
  left: number;
}

/** Accounts, their sessions and links in the plainest form. */
class Model {
  people: Person[] = [];
  /** Also those of removed accounts. */
  readonly usernames = new Set<string>();
  /** The last used first. */
  sessions: { readonly sessionId: string; readonly userId: number }[] = [];
  links: Link[] = [];
  /** Increases with every step. */
  now = now;

  isLastAdmin(person: Person): boolean {
    const active = this.people.filter(({ role, suspended }) => role === "admin" && !suspended);
    return active.length === 1 && active[0] === person;
  }

  endSessions(userId: number): void {
    this.sessions = this.sessions.filter((session) => session.userId !== userId);
  }

  endLinks(makerId: number): void {
    this.links = this.links.filter((link) => link.makerId !== makerId);
  }
}

/** One step on the store and on the model, whose results must be equal. */
type Step = (storage: Storage, model: Model, random: Random) => Promise<void>;

const sessionsPerUser = 2;

/** One of few, so that much happens to each. */
const personOf = ({ people }: Model, random: Random): Person | undefined =>
  people[random.below(Math.min(4, people.length))];

const usernameOf = (random: Random): string => `user${random.below(30)}`;

const create: Step = async ({ accounts }, model, random) => {
  const [usernameKey, role] = [usernameOf(random), random.below(3) === 0 ? ("admin" as const) : null];
  const link = random.below(2) === 0 ? model.links.find(({ left }) => left > 0) : undefined;
  const how = link === undefined ? {} : { link: useOf(link.digest, { now: model.now }) };
  const created = await accounts.createAccount(accountOf(usernameKey, { role }, how));
  if (model.usernames.has(usernameKey)) return assert.equal(created.outcome, "username_taken");
  assert.ok(created.outcome === "created", created.outcome);
  if (link !== undefined) link.left -= 1;
  model.usernames.add(usernameKey);
  model.people.push({ userId: created.account.userId, usernameKey, role, rev: 1, suspended: false });
};

const rename: Step = async ({ accounts }, model, random) => {
  const person = personOf(model, random);
  if (person === undefined) return;
  const [usernameKey, isStale] = [usernameOf(random), random.below(4) === 0];
  const rev = isStale ? person.rev + 1 : person.rev;
  const ends = random.below(2) === 0 ? { endSessions: { except: null } } : {};
  const { outcome } = await accounts.amendAccount({ userId: person.userId, rev, change: { usernameKey }, ...ends });
  if (isStale) return assert.equal(outcome, "stale");
  if (usernameKey !== person.usernameKey && model.usernames.has(usernameKey))
    return assert.equal(outcome, "username_taken");
  assert.equal(outcome, "amended");
  model.usernames.delete(person.usernameKey);
  model.usernames.add(usernameKey);
  Object.assign(person, { usernameKey, rev: rev + 1 });
  if ("endSessions" in ends) model.endSessions(person.userId);
};

const demote: Step = async ({ accounts }, model, random) => {
  const person = personOf(model, random);
  if (person === undefined) return;
  const { userId, rev } = person;
  const { outcome } = await accounts.amendAccount({ userId, rev, change: { role: null } });
  if (model.isLastAdmin(person)) return assert.equal(outcome, "last_admin");
  assert.equal(outcome, "amended");
  if (person.role === "admin") model.endLinks(userId);
  Object.assign(person, { role: null, rev: rev + 1 });
};

const suspend: Step = async ({ users }, model, random) => {
  const person = personOf(model, random);
  if (person === undefined) return;
  const suspended = random.below(2) === 0;
  const { outcome } = await users.suspendUser(person.userId, { suspended });
  if (suspended && model.isLastAdmin(person)) return assert.equal(outcome, "last_admin");
  assert.equal(outcome, "amended");
  Object.assign(person, { suspended, rev: person.rev + 1 });
  if (!suspended) return;
  model.endSessions(person.userId);
  model.endLinks(person.userId);
};

const drop: Step = async ({ users }, model, random) => {
  const person = personOf(model, random);
  if (person === undefined || random.below(3) > 0) return;
  assert.equal(await users.dropUser(person.userId, model.now), true);
  model.people = model.people.filter((one) => one !== person);
  model.endSessions(person.userId);
  model.endLinks(person.userId);
};

const signIn: Step = async ({ accounts }, model, random) => {
  const person = personOf(model, random);
  if (person === undefined) return;
  const { userId, rev } = person;
  const session = sessionOf(userId, `s${model.now}`, { lastUsedAt: model.now, until: now + 50_000 });
  const isStale = random.below(4) === 0;
  const conditions = { rev: isStale ? rev - 1 : rev, limit: sessionsPerUser };
  assert.equal(await accounts.createSession(session, conditions), isStale ? "stale" : "created");
  if (isStale) return;
  const own = model.sessions.filter((one) => one.userId === userId).slice(0, sessionsPerUser - 1);
  model.sessions = [session, ...model.sessions.filter((one) => one.userId !== userId || own.includes(one))];
};

const use: Step = async ({ accounts }, model, random) => {
  const session = model.sessions[random.below(model.sessions.length)];
  if (session === undefined) return;
  await accounts.touchSession({ ...session, lastUsedAt: model.now, until: now + 50_000 });
  model.sessions = [session, ...model.sessions.filter((one) => one !== session)];
};

const signOut: Step = async ({ accounts }, model, random) => {
  const session = model.sessions[random.below(model.sessions.length)];
  if (session === undefined) return;
  assert.equal(await accounts.endSession(session), true);
  model.sessions = model.sessions.filter((one) => one !== session);
};

const invite: Step = async ({ accounts }, model, random) => {
  const maker = personOf(model, random);
  if (maker === undefined) return;
  const [digest, uses] = [`l${model.now}`, 1 + random.below(3)];
  const link = linkOf(digest, { makerId: maker.userId, uses, until: now + 50_000 });
  assert.equal(await accounts.issueLink(link, 1000), "issued");
  model.links.push({ digest, makerId: maker.userId, left: uses });
};

const consume: Step = async ({ accounts }, model, random) => {
  const link = model.links[random.below(model.links.length)];
  if (link === undefined) return;
  assert.equal((await accounts.consumeLink(useOf(link.digest, { now: model.now }))) !== null, link.left > 0);
  if (link.left > 0) link.left -= 1;
};

const steps = [
  create,
  create,
  rename,
  demote,
  suspend,
  drop,
  signIn,
  signIn,
  signIn,
  signIn,
  use,
  signOut,
  invite,
  consume,
];

const compared = ({ userId, usernameKey, role, rev }: Pick<Person, "userId" | "usernameKey" | "role" | "rev">) => ({
  userId,
  usernameKey,
  role,
  rev,
});

/** The store must have exactly the records of the model. */
async function compare({ accounts, users }: Storage, model: Model): Promise<void> {
  const stored = await accounts.listAccounts({ after: 0, limit: 1000 });
  const people = model.people.toSorted((one, other) => one.userId - other.userId);
  assert.deepEqual(stored.map(compared), people.map(compared));
  for (const { userId, suspended } of model.people) {
    assert.equal((await users.findUser(userId))?.suspended, suspended);
    const expected = model.sessions.filter((one) => one.userId === userId);
    const sessions = await accounts.listSessions(userId, model.now);
    assert.deepEqual(fieldsOf(sessions, "sessionId"), fieldsOf(expected, "sessionId"));
  }
  for (const { digest, left } of model.links)
    assert.equal((await accounts.findLink(useOf(digest, { now: model.now }))) !== null, left > 0);
}

async function run(storage: Storage, seed: number, count: number): Promise<void> {
  const [model, random] = [new Model(), createRandom(seed)];
  for (let done = 0; done < count; done += 1) {
    model.now += 1;
    await (steps[random.below(steps.length)] ?? create)(storage, model, random);
    if (done % 25 === 24) await compare(storage, model);
  }
}

const cases = [1, 2, 3].map(
  (seed) =>
    [
      `a long random run answers as a plain list does, seed ${seed}`,
      async ({ storage }: { readonly storage: Storage }) => await run(storage, seed, 300),
    ] as const,
);

/** Random verbs on accounts, sessions and links, compared with a model. */
export const accountModelCases: readonly StorageCase[] = defineCases("accounts model", Object.fromEntries(cases));
