import { describe, expect, it } from "vitest";
import { refusal } from "test-support/answers";
import { folder, telex } from "test-support/command";
import { primary, refusal as refused, startMongoStub } from "./mongo-stub.ts";

const { setName: _set, ...standalone } = primary;
const rights = refused(13, "Unauthorized", "not authorized on telex to execute command");
const password = refused(18, "AuthenticationFailed", "Authentication failed.");
const atlas = refused(8000, "AtlasError", "bad auth : Authentication failed.");

const user = "alice:hunter2@";
/** Milliseconds until the driver gives up finding a server. */
const wait = "serverSelectionTimeoutMS=1000";

interface Unusable {
  readonly what: string;
  /** Starts a server that cannot be used, and returns its address. */
  readonly start: () => Promise<string>;
  readonly error: string;
  /** Words that the message must contain: the fault, and the remedy. */
  readonly says: readonly string[];
}

const unusable: readonly Unusable[] = [
  {
    what: "a host that refuses connections",
    start: () => Promise.resolve(`mongodb://${user}127.0.0.1:1/telex?${wait}`),
    error: "storage_unreachable",
    says: ["MongoDB at 127.0.0.1:1 cannot be reached (ECONNREFUSED).", "Check the host and port"],
  },
  {
    what: "a host without a name, in a record of mongodb+srv",
    start: () => Promise.resolve(`mongodb+srv://${user}nowhere.invalid/telex?${wait}`),
    error: "storage_unreachable",
    says: ["MongoDB at nowhere.invalid cannot be reached (", "Check the host and port"],
  },
  {
    what: "a standalone server",
    start: async () => `mongodb://${await startMongoStub(standalone)}/telex`,
    error: "storage_standalone",
    says: ["is a standalone server, which has no transactions.", "Use a replica set; one member is enough"],
  },
  {
    what: "a standalone server, in an address with a replica set",
    start: async () => `mongodb://${user}${await startMongoStub(standalone)}/telex?replicaSet=rs0&${wait}`,
    error: "storage_standalone",
    says: ["is a standalone server, which has no transactions.", "Use a replica set; one member is enough"],
  },
  {
    what: "a replica set that was not initiated",
    start: async () => {
      const hello = { ...standalone, isWritablePrimary: false, ismaster: false, isreplicaset: true };
      return `mongodb://${user}${await startMongoStub(hello)}/telex?replicaSet=rs0&${wait}`;
    },
    error: "storage_no_primary",
    says: ["was not initiated.", "Call rs.initiate() once"],
  },
  {
    what: "another replica set",
    start: async () => `mongodb://${user}${await startMongoStub(primary)}/telex?replicaSet=rs1&${wait}`,
    error: "storage_wrong_set",
    says: ["is the replica set rs0, not rs1.", "Write replicaSet=rs0 into the address."],
  },
  {
    what: "a replica set without a primary",
    start: async () => {
      const hello = { ...primary, isWritablePrimary: false, ismaster: false, secondary: true };
      return `mongodb://${user}${await startMongoStub(hello)}/telex?replicaSet=rs0&${wait}`;
    },
    error: "storage_no_primary",
    says: ["has no primary, so nothing can be written.", "Start a majority of its members"],
  },
  {
    what: "a replica set whose members have names that mean nothing here",
    start: async () => {
      const hello = { ...primary, hosts: ["mongo.invalid:27017"], me: "mongo.invalid:27017" };
      return `mongodb://${user}${await startMongoStub(hello)}/telex?replicaSet=rs0&${wait}`;
    },
    error: "storage_unreachable",
    says: ["names the members of its replica set mongo.invalid:27017,", "Give the members names"],
  },
  {
    what: "MongoDB 5",
    start: async () => `mongodb://${await startMongoStub({ ...primary, maxWireVersion: 13 })}/telex`,
    error: "storage_too_old",
    says: ["is older than 6.0.", "Use MongoDB 6.0 or newer."],
  },
  {
    what: "MongoDB 4.2, which the driver refuses",
    start: async () => `mongodb://${user}${await startMongoStub({ ...primary, maxWireVersion: 8 })}/telex?${wait}`,
    error: "storage_too_old",
    says: ["is older than 6.0.", "Use MongoDB 6.0 or newer."],
  },
  {
    what: "a wrong password",
    start: async () => `mongodb://${user}${await startMongoStub(primary, () => password)}/telex`,
    error: "storage_wrong_password",
    says: ["refuses the user name or the password.", "looked up in the database telex, and authSource="],
  },
  {
    what: "a wrong password for MongoDB Atlas",
    start: async () => `mongodb://${user}${await startMongoStub(primary, () => atlas)}/telex?authSource=admin`,
    error: "storage_wrong_password",
    says: ["refuses the user name or the password.", "looked up in the database admin, and authSource="],
  },
  {
    what: "an address without a user, where one is needed",
    start: async () => `mongodb://${await startMongoStub(primary, () => rights)}/telex`,
    error: "storage_missing_rights",
    says: ["requires a user and a password.", "Add them to the address"],
  },
  ...["hun@ter2", "hun/ter2", "12/hunter2"].map((written) => ({
    what: `a password with a character that is not escaped: ${written}`,
    start: () => Promise.resolve(`mongodb://alice:${written}@127.0.0.1:1/telex`),
    error: "storage_invalid_url",
    says: ["The address of the database is not valid.", "%40 %3A %2F"],
  })),
  {
    what: "an option that does not exist",
    start: () => Promise.resolve(`mongodb://${user}127.0.0.1:1/telex?replikaSet=rs0`),
    error: "storage_invalid_url",
    says: ["is not valid (option replikaset is not supported)."],
  },
];

/** Parts of the passwords above. */
const secret = /hunter2|hun|ter2/;

describe("a database of MongoDB that cannot be used", () => {
  it.each(unusable)("is refused with a sentence that says what is wrong: $what", async ({ start, error, says }) => {
    const env = { TELEX_STORAGE: await start() };
    const { code, stdout, stderr } = await telex(["serve", "--port", "0", "--json", "--verbose"], { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const [told = "", ...causes] = stderr.split("\n");
    expect(JSON.parse(told)).toMatchObject({ error });
    for (const part of says) expect(told).toContain(part);
    // With --verbose, the command prints the errors of the driver.
    expect(causes.join("\n")).toContain("Caused by MongoStorageError");
    expect(stderr).not.toMatch(secret);
  });

  it.each(unusable.filter(({ what }) => /refuses connections|^another|^a wrong password$/.test(what)))(
    "is named by telex doctor once, without a stack: $what",
    async ({ start, says }) => {
      const env = { TELEX_STORAGE: await start() };
      const { code, stdout, stderr } = await telex(["doctor", "--port", "0"], { cwd: await folder(), env });
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      expect(stdout.split("\n").filter((line) => line.includes(says[0] ?? ""))).toHaveLength(1);
      for (const part of says) expect(stdout).toContain(part);
      expect(stdout.match(/not checked, because the storage cannot be used/g)).toHaveLength(3);
      expect(stdout).not.toMatch(/^ +at /m);
      expect(stdout).not.toMatch(secret);
    },
  );
});

describe("commands for databases of SQLite", () => {
  it.each([
    [["migrate", "status"], "brings a MongoDB database up to date when it starts"],
    [["migrate", "up"], "brings a MongoDB database up to date when it starts"],
    [["migrate", "down"], "brings a MongoDB database up to date when it starts"],
  ])("telex %j names the way for MongoDB", async (args, way) => {
    const told = await refusal([...args, "--storage", "mongodb://127.0.0.1:1/telex"]);
    expect(told).toMatchObject({ code: 2, error: "usage", msg: expect.stringContaining(way) as unknown });
  });
});

describe("a folder of files with MongoDB", () => {
  const url = "mongodb://127.0.0.1:1/telex";

  it.each([
    [["serve", "--port", "0", "--storage", url, "--blobs", "files"], {}],
    [["serve", "--port", "0", "--storage", url], { TELEX_BLOBS: "files" }],
    [["user", "list", "--storage", url, "--blobs", "files"], {}],
    [["export", "out", "--storage", url, "--blobs", "files"], {}],
  ])("is refused, because other servers do not see it: telex %j %j", async (args, env) => {
    const { code, stderr } = await telex([...args, "--json"], { cwd: await folder(), env });
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({
      error: "usage",
      msg: "The files of MongoDB are in its database, not in the folder files. Leave the folder out, or name a bucket or a driver.",
    });
  });
});

describe("telex export", () => {
  it("of an installation whose files are in a bucket reads the bucket, which needs keys", async () => {
    const env = { TELEX_STORAGE: "mongodb://127.0.0.1:1/telex", TELEX_BLOBS: "s3:http://127.0.0.1:1/files" };
    const { code, stderr } = await telex(["export", "out", "--json"], { cwd: await folder(), env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("A bucket needs keys") as unknown });
  });
});
