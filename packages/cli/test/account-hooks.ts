import { expect } from "vitest";
import { at, textAt } from "test-support/json";
import { call, secretOf } from "./account-people.ts";

type Server = Parameters<typeof call>[0];

/** The status with which a server answers at the address of a hook. */
async function send({ url }: Server, path: string, body: string): Promise<number> {
  const headers = { "content-type": "application/json", "idempotency-key": "one" };
  const response = await fetch(url + path, { method: "POST", headers, body });
  await response.body?.cancel();
  return response.status;
}

/**
 * Creates hooks of a room and of a device, and a link of the room, and uses them on every server: correctly, with a malformed body, and
 * after their end.
 * @param cookie the session of a person on all servers
 * @returns the secrets of all of them
 */
export async function useHooks(servers: readonly [Server, ...Server[]], cookie: string): Promise<readonly string[]> {
  const [server] = servers;
  const make = async (path: string, body: object): Promise<unknown> => {
    const made = await call(server, path, { body, cookie });
    expect([path, made.status]).toEqual([path, 200]);
    return made.data;
  };
  const room = `/im/groups/${String(at(await make("/im/groups", { name: "Tea" }), "groupId"))}`;
  await make("/teleprinter/register", { deviceId: "hall", name: "Printer" });
  const hooks = [
    { list: `${room}/hooks`, made: await make(`${room}/hooks`, { name: "Build" }) },
    { list: "/teleprinter/hooks", made: await make("/teleprinter/hooks", { deviceId: "hall", name: "Mail" }) },
  ];
  const link = secretOf(textAt(await make(`${room}/link`, {}), "url"));
  for (const one of servers) await call(one, "/im/join", { body: { secret: link }, cookie });
  const paths = hooks.map(({ made }) => new URL(textAt(made, "url")).pathname);
  const statuses = async (body: string) =>
    await Promise.all(servers.flatMap((one) => paths.map(async (path) => await send(one, path, body))));
  expect(new Set(await statuses('{"text":"tea"}'))).toEqual(new Set([200]));
  expect(new Set(await statuses("{"))).toEqual(new Set([400]));
  for (const { list, made } of hooks) await call(server, `${list}/${textAt(made, "id")}`, { method: "DELETE", cookie });
  expect(new Set(await statuses('{"text":"tea"}'))).toEqual(new Set([404]));
  return [link, ...paths.map((path) => path.slice("/hooks/".length))];
}
