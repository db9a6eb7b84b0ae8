import type { ApplicationContract } from "../contract/applications.ts";
import type { Runs } from "../contract/routes-of.ts";
import type { RouteParts } from "./parts.ts";

const iso = (time: number): string => new Date(time).toISOString();

/** The operations on applications that have access to one's own account. */
export const createApplicationRuns = ({
  services: { sessions },
  oauth: { applications },
}: RouteParts): Runs<ApplicationContract> => ({
  async applications(caller) {
    const all = await applications.list(sessions.of(caller).account.userId);
    const list = all.map(({ scopes, createdAt, until, ...one }) => {
      return { ...one, scopes: [...scopes], createdAt: iso(createdAt), until: iso(until) };
    });
    return { list };
  },
  async endApplication(caller, { id }) {
    await applications.end(sessions.of(caller).account.userId, id);
    return null;
  },
});
