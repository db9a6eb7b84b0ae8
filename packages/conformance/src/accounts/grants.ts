import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";
import { artifactOf, clientOf, grantOf } from "./fixtures.ts";

const many = { limit: 100 };
const key = (digest: string) => ({ model: "RefreshToken", digest });

/** Promises about applications, grants and keys. */
export const grantCases: readonly StorageCase[] = defineCases("grants", {
  "of 10 simultaneous uses of a code or refresh token, one is the first": async ({ storage, race }) => {
    await storage.grants.putGrant(grantOf("g"), 10);
    await storage.grants.putArtifact(artifactOf("a"), many);
    const results = await race(10, ({ grants }) => grants.consumeArtifact({ ...key("a"), now }));
    assert.deepEqual(countOutcomes(results), { consumed: 1, used: 9 });
    await storage.grants.putArtifact(artifactOf("a", { payload: "{1}" }), many);
    assert.equal((await storage.grants.findArtifact(key("a"), now))?.consumedAt, now);
  },

  "a token that is issued while its grant ends does not outlive it": async ({ storage, race }) => {
    await storage.grants.putGrant(grantOf("g"), 10);
    await race(10, async ({ grants }, caller) =>
      caller === 5 ? await grants.endGrant({ grantId: "g" }) : await grants.putArtifact(artifactOf(`a${caller}`), many),
    );
    for (let at = 0; at < 10; at += 1) assert.equal(await storage.grants.findArtifact(key(`a${at}`), now), null);
    assert.equal(await storage.grants.putArtifact(artifactOf("late"), many), "grant_ended");
  },

  "of 10 simultaneous successors of a refresh token, one stays; a used one is final": async ({ storage, race }) => {
    const { grants } = storage;
    await grants.putGrant(grantOf("g"), 10);
    await grants.putArtifact(artifactOf("a"), many);
    await grants.consumeArtifact({ ...key("a"), now });
    await race(10, (one, caller) => one.grants.putArtifact(artifactOf(`b${caller}`), { ...many, follows: "a" }));
    const artifacts = await Promise.all(Array.from({ length: 10 }, (_, at) => grants.findArtifact(key(`b${at}`), now)));
    const [successor, ...others] = artifacts.filter((one) => one !== null);
    assert.deepEqual(others, []);
    await grants.consumeArtifact({ ...key(successor?.digest ?? ""), now });
    assert.equal(await grants.putArtifact(artifactOf("c"), { ...many, follows: "a" }), "superseded");
  },

  "of 10 sessions that look up a user code, one claims it": async ({ storage, race }) => {
    const code = { model: "DeviceCode", grantId: null, userCodeDigest: "u" };
    await storage.grants.putArtifact(artifactOf("d", code), many);
    assert.equal(await storage.grants.putArtifact(artifactOf("e", code), many), "user_code_taken");
    const claims = await race(10, ({ grants }, caller) =>
      grants.claimUserCode({ userCodeDigest: "u", by: `s${caller}`, now }),
    );
    const [winner, ...others] = claims.filter((one) => one !== null);
    assert.deepEqual(others, []);
    const by = winner?.claimedBy ?? "";
    assert.equal((await storage.grants.claimUserCode({ userCodeDigest: "u", by, now }))?.claimedBy, by);
    assert.equal((await storage.grants.findUserCode("u", now))?.digest, "d");
  },

  "of the artifacts of a grant, those that end first are deleted beyond the limit": async ({ storage: { grants } }) => {
    await grants.putGrant(grantOf("g"), 10);
    for (const at of [3, 1, 2]) await grants.putArtifact(artifactOf(`a${at}`, { until: now + at }), { limit: 2 });
    const artifacts = await Promise.all([1, 2, 3].map((at) => grants.findArtifact(key(`a${at}`), now)));
    assert.deepEqual(
      artifacts.map((one) => one?.digest),
      [undefined, "a2", "a3"],
    );
  },

  "grants end by user, application and time, and each end is reported": async ({ storage: { grants, changes } }) => {
    for (const id of ["g1", "g2"]) assert.equal(await grants.putGrant(grantOf(id), 2), "put");
    assert.equal(await grants.putGrant(grantOf("g3"), 2), "limit_reached");
    assert.equal(await grants.endGrant({ grantId: "g1", userId: 8 }), false);
    const before = await changes.latest();
    assert.equal(await grants.endGrants({ clientId: "app" }, 1), 1);
    assert.equal(await grants.endGrants({ userId: 7 }, 9), 1);
    const ended = (await changes.since(before))?.map(({ kind, key: id }) => `${kind} ${id}`);
    assert.deepEqual(ended, ["grant g1", "grant g2"]);
    await grants.putGrant(grantOf("g4"), 2);
    assert.equal(await grants.findGrant("g4", now + 1000), null);
    assert.equal(await grants.sweepGrants({ now: now + 1000, limit: 10 }), 1);
    assert.deepEqual(await grants.listGrants(7, now), []);
  },

  "an application is kept as given, changed and removed, also after a restart": async ({ storage, reopen }) => {
    const added = [await storage.grants.addClient(clientOf("app")), await storage.grants.addClient(clientOf("app"))];
    assert.deepEqual(added, [true, false]);
    const { grants } = await reopen();
    assert.deepEqual(await grants.findClient("app"), clientOf("app"));
    assert.deepEqual(await grants.amendClient("app", { name: "New" }), { ...clientOf("app"), name: "New" });
    assert.deepEqual(await grants.listClients({ after: "", limit: 1 }), [{ ...clientOf("app"), name: "New" }]);
    assert.deepEqual([await grants.dropClient("app"), await grants.dropClient("app")], [true, false]);
  },

  "of 10 servers that add a key, all get the same one": async ({ storage, race }) => {
    const keys = await race(10, (one, caller) =>
      one.keys.addKey({ name: "signing/1", value: `${caller}`, createdAt: now }),
    );
    assert.equal(new Set(keys.map(({ value }) => value)).size, 1);
    assert.deepEqual(await storage.keys.listKeys("signing/"), keys.slice(0, 1));
    assert.deepEqual(await storage.keys.listKeys("vapid/"), []);
    assert.equal(await storage.keys.dropKey("signing/1"), true);
  },
});
