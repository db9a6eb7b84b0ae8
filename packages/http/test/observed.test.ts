import { definePlugin, type ObservedCall, type ObservedResponse } from "@telex/core";
import { expect, it } from "vitest";
import { overBothTransports, setup, type SetupOptions, type Setup, teleprinter } from "./setup.ts";

/** An instance whose responses and calls are recorded. */
async function observed(open: (options: SetupOptions) => Promise<Setup>, options: SetupOptions = {}) {
  const responses: ObservedResponse[] = [];
  const calls: ObservedCall[] = [];
  const plugin = definePlugin({
    name: "seen",
    observer: {
      response: (response) => responses.push(response),
      call(call, run) {
        calls.push(call);
        return run();
      },
    },
  });
  const given = await open({ ...options, telex: { plugins: [plugin] } });
  calls.length = 0;
  return {
    ...given,
    calls,
    responses,
    seen: () => responses.map(({ method, route, status }) => [method, route, status]),
  };
}

overBothTransports("responses", (open) => {
  it("are told by the template of their path and without a token", async () => {
    const { send, post, alice, responses, seen } = await observed(open);
    await send(`${teleprinter}/devices?access_token=${alice.token}`);
    await send(`/api/file/${alice.token}`, { token: alice.token });
    await post(`${teleprinter}/register`, { deviceId: "" }, alice.token);
    await send("/healthz", { method: "HEAD" });
    await send(`/nothing/${alice.token}`);
    await send(`${teleprinter}/devices`, { method: "DELETE" });
    await send(`${teleprinter}/devices`, { method: "PURGE" });
    expect(seen()).toEqual([
      ["GET", `${teleprinter}/devices`, 200],
      ["GET", "/api/file/:md5", 400],
      ["POST", `${teleprinter}/register`, 400],
      ["HEAD", "/healthz", 200],
      ["GET", "other", 404],
      ["DELETE", `${teleprinter}/devices`, 405],
      ["other", `${teleprinter}/devices`, 405],
    ]);
    expect(JSON.stringify(responses)).not.toContain(alice.token);
    for (const { ms } of responses) expect(ms).toBeGreaterThanOrEqual(0);
  });

  it("give calls the trace of their caller", async () => {
    const { send, alice, calls } = await observed(open);
    const headers = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
    await send(`${teleprinter}/devices`, { token: alice.token, headers: { ...headers, tracestate: "a=b" } });
    await send(`${teleprinter}/devices`, { token: alice.token, headers });
    await send(`${teleprinter}/devices`, { token: alice.token });
    expect(calls).toEqual([
      { operation: "teleprinter.devices", trace: { ...headers, tracestate: "a=b" } },
      { operation: "teleprinter.devices", trace: { ...headers, tracestate: null } },
      { operation: "teleprinter.devices", trace: undefined },
    ]);
  });
});

it("responses tell the network of the caller, through as many proxies as are trusted", async () => {
  const { send, responses } = await observed((options) => setup("over a socket", options), { trustProxy: 1 });
  await send("/healthz");
  await send("/healthz", { headers: { "x-forwarded-for": "2001:db8:1:2:3:4:5:6" } });
  expect(responses.map(({ address }) => address())).toEqual(["127.0.0.1", "2001:db8:1:2::/64"]);
});
