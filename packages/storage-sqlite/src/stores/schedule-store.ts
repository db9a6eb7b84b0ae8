import type { DeviceKey, DeviceRefusal, ScheduleStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import type { StoredDevice } from "../sql/devices.ts";
import type { DeviceQueue } from "./device-queue.ts";
import type { DeviceSchedules } from "./device-schedules.ts";

interface ScheduleDeps {
  readonly database: Database;
  readonly commit: GroupCommit;
  readonly queue: DeviceQueue;
  readonly schedules: DeviceSchedules;
}

type Result<Verb extends keyof ScheduleStore> = ReturnType<ScheduleStore[Verb]>;
type Input<Verb extends keyof ScheduleStore> = Parameters<ScheduleStore[Verb]>[0];

/** Verbs on texts that are sent later, and on those that expire. */
export abstract class SqliteScheduleStore implements ScheduleStore {
  readonly #deps: ScheduleDeps;
  protected readonly schedules: DeviceSchedules;

  protected constructor(deps: ScheduleDeps) {
    this.#deps = deps;
    this.schedules = deps.schedules;
  }

  protected abstract findOwn(key: DeviceKey): StoredDevice | DeviceRefusal;

  schedule({ ...given }: Input<"schedule">): Result<"schedule"> {
    const { commit, schedules } = this.#deps;
    return commit.write(() => {
      const device = this.findOwn(given);
      return "outcome" in device ? device : schedules.add(given);
    });
  }

  unschedule({ id, ...key }: Input<"unschedule">): Result<"unschedule"> {
    const { commit, schedules } = this.#deps;
    return commit.write(() => {
      const device = this.findOwn(key);
      if ("outcome" in device) return device;
      return { outcome: schedules.remove(key.deviceId, id) ? "unscheduled" : "absent" };
    });
  }

  listSchedules(key: Input<"listSchedules">): Result<"listSchedules"> {
    const { database, schedules } = this.#deps;
    return database.readTogether(() => {
      const device = this.findOwn(key);
      return "outcome" in device ? device : { outcome: "schedules", schedules: schedules.list(key) };
    });
  }

  listDue(due: Input<"listDue">): Result<"listDue"> {
    const { database, schedules } = this.#deps;
    return database.read(() => schedules.listDue(due));
  }

  expireTexts({ before, limit }: Input<"expireTexts">): Result<"expireTexts"> {
    const { database, commit, queue } = this.#deps;
    return database.read(() => (queue.hasExpired(before) ? commit.write(() => queue.expire({ before, limit })) : 0));
  }
}
