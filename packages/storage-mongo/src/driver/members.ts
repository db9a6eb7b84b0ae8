import { type Document, MongoCompatibilityError, type MongoClient } from "mongodb";
import { hostsOf } from "./address.ts";
import { MongoStorageError } from "./errors.ts";

/** The wire version of MongoDB 6.0. */
const oldestWireVersion = 17;

/** The responses of an address's members while a client connected. */
interface Members {
  /** The last response of each member to `hello`. */
  readonly hellos: ReadonlyMap<string, Document>;
  /** The last failure of each member that did not respond. */
  readonly failures: ReadonlyMap<string, Error>;
  /** Stops watching. */
  readonly end: () => void;
}

/** Remembers the responses of the members. The driver itself forgets a member that does not belong to the replica set of the address. */
export function watchMembers(client: MongoClient): Members {
  const hellos = new Map<string, Document>();
  const failures = new Map<string, Error>();
  client.on("serverHeartbeatSucceeded", ({ connectionId, reply }) => {
    hellos.set(connectionId, reply);
    failures.delete(connectionId);
  });
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => void failures.set(connectionId, failure));
  return {
    hellos,
    failures,
    end: () => void client.removeAllListeners("serverHeartbeatSucceeded").removeAllListeners("serverHeartbeatFailed"),
  };
}

const tooOld = (url: string): MongoStorageError =>
  new MongoStorageError("too_old", `MongoDB at ${hostsOf(url)} is older than 6.0. Use MongoDB 6.0 or newer.`);

const setOf = (hello: Document): string | null => (typeof hello["setName"] === "string" ? hello["setName"] : null);

/** True for the router of a sharded cluster. */
export const isRouter = (hello: Document): boolean => hello["msg"] === "isdbgrid";

/** The fault of one server, whatever the address asks for; null if it can be used. */
export function faultOf(url: string, hello: Document): MongoStorageError | null {
  const version: unknown = hello["maxWireVersion"];
  if (typeof version !== "number" || version < oldestWireVersion) return tooOld(url);
  if (setOf(hello) !== null || isRouter(hello)) return null;
  if (hello["isreplicaset"] === true) {
    const message = `The replica set of MongoDB at ${hostsOf(url)} was not initiated. Call rs.initiate() once in mongosh.`;
    return new MongoStorageError("no_primary", message);
  }
  const message =
    `MongoDB at ${hostsOf(url)} is a standalone server, which has no transactions. ` +
    "Use a replica set; one member is enough (mongod --replSet rs0, then rs.initiate()).";
  return new MongoStorageError("standalone", message);
}

/** The code of a system error is the shortest reason; other messages only name the address and the failure. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

/** The error for a database that does not respond. */
export function unreachable(url: string, failures: Iterable<Error>): MongoStorageError {
  const [failure] = failures;
  const reason = failure === undefined ? "no response" : reasonOf(failure);
  const advice = "Check the host and port of the address, its TLS options, and that the database runs.";
  return new MongoStorageError("unreachable", `MongoDB at ${hostsOf(url)} cannot be reached (${reason}). ${advice}`);
}

/** The error for a replica set that responds, but has no member to which Telex could write. */
function withoutPrimary(url: string, { hellos, failures }: Members): MongoStorageError {
  const hasPrimary = [...hellos.values()].some(
    (hello) => hello["isWritablePrimary"] === true || hello["ismaster"] === true,
  );
  const others = [...failures.keys()].join(", ");
  if (hasPrimary && others !== "") {
    const message =
      `MongoDB at ${hostsOf(url)} names the members of its replica set ${others}, which cannot be reached from here. ` +
      "Give the members names that each server of Telex can resolve (rs.reconfig).";
    return new MongoStorageError("unreachable", message);
  }
  const message =
    `The replica set of MongoDB at ${hostsOf(url)} has no primary, so nothing can be written. ` +
    "Start a majority of its members; rs.status() in mongosh shows their states.";
  return new MongoStorageError("no_primary", message);
}

/**
 * The error for an address at which the driver found no usable server.
 * @param wanted the replica set of the address, if it names one
 */
export function selectionFault(url: string, members: Members, wanted: string | undefined): MongoStorageError {
  const { hellos, failures } = members;
  const [hello] = hellos.values();
  if (hello === undefined) {
    const isOld = [...failures.values()].some((error) => error instanceof MongoCompatibilityError);
    return isOld ? tooOld(url) : unreachable(url, failures.values());
  }
  const fault = faultOf(url, hello);
  if (fault !== null) return fault;
  const actual = setOf(hello);
  if (wanted !== undefined && actual !== null && actual !== wanted) {
    const message = `MongoDB at ${hostsOf(url)} is the replica set ${actual}, not ${wanted}. Write replicaSet=${actual} into the address.`;
    return new MongoStorageError("wrong_set", message);
  }
  return withoutPrimary(url, members);
}
