import { definePlugin, type Logger, type Plugin } from "@telex/core";
import { defineRoute, type PluginRoute } from "@telex/http";
import { type Audit, type AuditFiles, auditedLog, createAudit } from "./audit.ts";
import { recentContract } from "./contract.ts";
import { recentPaths } from "./paths.ts";
import { createTrends, type Trends } from "./trends.ts";

/** The recent activity of a server for its admins: metrics of a day, and security events. */
export interface Recent {
  /** The plug-in to pass to `createTelex({ plugins: [recent.plugin] })`. */
  readonly plugin: Plugin;
  /**
   * The log to pass to `createTelex({ log })`: it forwards everything to `log`, and keeps the security events.
   * @param files the files for them. Null keeps them only in memory, until the server ends
   */
  readonly listen: (log: Logger, files: AuditFiles | null) => Logger;
  /** The operations for admins, to pass to `createHttp(telex, { routes: recent.routes })`. */
  readonly routes: readonly PluginRoute[];
}

interface RecentOptions {
  /** Unix milliseconds, for the times of events. Default: the system time. */
  readonly now?: () => number;
}

const trendsRoute = (trends: Trends): PluginRoute =>
  defineRoute({
    ...recentContract.trends,
    name: "recent.trends",
    method: "GET",
    path: recentPaths.trends,
    run({ telex, input: { hours } }) {
      const { step, list } = trends.of(hours);
      const steps = list.map(({ at, ...figures }) => ({ at: new Date(at).toISOString(), ...figures }));
      return Promise.resolve({ server: telex.serverName, seconds: step / 1000, list: steps });
    },
  });

const devicesRoute = ({ devices, online }: Trends): PluginRoute =>
  defineRoute({
    ...recentContract.devices,
    name: "recent.devices",
    method: "GET",
    path: recentPaths.devices,
    run({ telex, input: { limit } }) {
      const list = devices(limit).map((device) => ({ ...device, since: new Date(device.since).toISOString() }));
      return Promise.resolve({ server: telex.serverName, online: online(), list });
    },
  });

const auditRoute = (list: Audit["list"]): PluginRoute =>
  defineRoute({
    ...recentContract.audit,
    name: "recent.audit",
    method: "GET",
    path: recentPaths.audit,
    cost: 5,
    async run({ telex, input: { event = null, userId = null, level = null, before = null, limit } }) {
      return { server: telex.serverName, list: [...(await list({ event, userId, level, before, limit }))] };
    },
  });

const createPlugin = (trends: Trends): Plugin =>
  definePlugin({
    name: "recent",
    observer: trends.observer,
    on: {
      "message.created": trends.messageCame,
      "device.message": trends.messageCame,
      "device.presence": trends.deviceSeen,
    },
    start(telex) {
      const stop = trends.start(telex);
      return Promise.resolve(() => Promise.resolve(stop()));
    },
  });

/**
 * Keeps the recent activity of one server for its admins: metrics of the last day in memory, and security events.
 * @example
 * const recent = createRecent();
 * const telex = await createTelex({ ...options, log: recent.listen(log, null), plugins: [recent.plugin] });
 * const http = createHttp(telex, { routes: recent.routes });
 */
export function createRecent({ now = Date.now }: RecentOptions = {}): Recent {
  const trends = createTrends();
  let audit = createAudit({ now, files: null, failed: () => {} });
  return {
    plugin: createPlugin(trends),
    listen(log, files) {
      const failed = (cause: unknown): void => log.error("audit.failed", {}, cause);
      audit = createAudit({ now, files, failed });
      return auditedLog(log, (level, event, fields) => {
        audit.note(level, event, fields);
        if (event === "device.unregistered") trends.deviceGone(String(fields["deviceId"]));
      });
    },
    routes: [trendsRoute(trends), devicesRoute(trends), auditRoute(async (query) => await audit.list(query))],
  };
}
