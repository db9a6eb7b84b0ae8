import type { Locator, Page, Request } from "playwright-core";
import { useAuthenticator } from "../authenticator.ts";
import { ask, dot, says, shows } from "./shared.ts";
import type { Stage, Tasks } from "./task.ts";

const part = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

/** A browser with a push service, which creates one subscription. */
const withPush = `
  const subscribe = async ({ applicationServerKey: p256dh }) => ({
    // The key of the server is a valid key of a browser, too.
    toJSON: () => ({ endpoint: "https://push.example/one", keys: { p256dh, auth: "A".repeat(22) } }),
  });
  const pushManager = { subscribe, getSubscription: async () => null };
  navigator.serviceWorker.getRegistration = async () => ({ pushManager });
  globalThis.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
  };
`;

/** Authorizes a program for Alice. */
async function connect({ server: { url, auth }, page }: Stage): Promise<void> {
  const scopes = ["openid", "chat"];
  const name = "Tea timer";
  const { client } = await auth.services.clients.add({
    name,
    redirectUris: [],
    grants: ["device"],
    scopes,
    hasSecret: false,
  });
  const body = new URLSearchParams({ client_id: client.clientId, scope: scopes.join(" ") });
  const asked: unknown = await (await fetch(`${url}/oauth2/device`, { method: "POST", body })).json();
  const code = String(Reflect.get(Object(asked), "user_code"));
  const device = `${url}/external/api/v1/account/device`;
  const headers = { origin: url };
  await page.request.post(`${device}/lookup`, { data: { code }, headers });
  await page.request.post(`${device}/approve`, { data: { code, allow: true }, headers });
}

const passkeys: Tasks = {
  "add a passkey": {
    async begin({ page }) {
      await useAuthenticator(page);
      return "account/";
    },
    act: ({ toButton }) => toButton("Add a passkey"),
    call: ["POST", /account\/passkeys$/],
    done: says("The passkey is added."),
  },
  "rename a passkey": {
    begin: () => "account/",
    async act({ page, pressButton, to }) {
      await pressButton(/^Rename: /);
      await to(page.getByRole("dialog").getByLabel("Name"));
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText("Phone");
      await to(page.getByRole("dialog").getByRole("button", { name: "Save" }));
    },
    call: ["PATCH", /account\/passkeys\/[^/]+$/],
    done: (page) => page.locator(".passkeys").getByText("Phone", { exact: true }).waitFor(),
  },
  "remove a passkey": {
    begin: () => "account/",
    act: (hands) => ask(hands, "Remove: Phone", "Remove"),
    call: ["DELETE", /account\/passkeys\/[^/]+$/],
    done: says("The passkey is removed."),
  },
};

const isEnd = (request: Request): boolean =>
  request.method() === "DELETE" && request.url().includes("/push/subscriptions/");

const notices: Tasks = {
  "turn notifications on and off again": {
    async begin({ page }) {
      await page.addInitScript(withPush);
      await page.reload();
      return "account/";
    },
    act: ({ toButton }) => toButton("Notifications are off"),
    call: ["POST", /push\/subscriptions$/],
    done: async (page) => void (await page.waitForRequest(isEnd)),
  },
};

/** The tasks of the account page. The last one deletes the account. */
export const accountTasks: Tasks = {
  ...passkeys,
  ...notices,
  "change the name": {
    begin: () => "account/",
    async act({ page, write, to }) {
      await write("Name", "Alice Baker");
      await to(part(page, "Profile").getByRole("button", { name: "Save" }));
    },
    call: ["PATCH", /v1\/account$/],
    done: (page) => page.getByRole("heading", { name: "Alice Baker" }).waitFor(),
  },
  "change the picture": {
    begin: () => "account/",
    async act({ page, pressButton }) {
      const choosing = page.waitForEvent("filechooser");
      await pressButton("Change the picture");
      await (await choosing).setFiles(dot);
    },
    call: ["POST", /account\/avatar$/],
    key: null,
    done: says("Saved."),
  },
  "change the password": {
    begin: () => "account/",
    async act({ write, toButton }) {
      await write("New password", "a much better one");
      await toButton("Change the password");
    },
    call: ["POST", /account\/password$/],
    done: says("The password is changed."),
  },
  "end a session": {
    async begin({ server: { url } }) {
      const headers = { "content-type": "application/json", origin: url, "user-agent": "Firefox/140.0" };
      const body = JSON.stringify({ username: "alice", password: "a much better one" });
      await fetch(`${url}/external/api/v1/account/signIn`, { method: "POST", headers, body });
      return "account/";
    },
    act: ({ toButton }) => toButton(/^End the session of/),
    call: ["DELETE", /account\/sessions\/[^/]+$/],
    done: says("Signed out there."),
  },
  "issue a token": {
    begin: () => "account/",
    async act({ page, pressButton, to }) {
      await pressButton("New token");
      await page.getByRole("dialog").waitFor();
      await to(page.getByRole("dialog").getByLabel("Name"));
      await page.keyboard.insertText("backup");
      await to(page.getByRole("dialog").getByRole("button", { name: "New token" }));
    },
    call: ["POST", /v1\/tokens$/],
    done: shows("The new token"),
  },
  "revoke a token": {
    begin: () => "account/",
    act: (hands) => ask(hands, 'Revoke "backup"', 'Yes, revoke "backup"'),
    call: ["DELETE", /v1\/tokens\/\d+$/],
    done: says("The token is revoked."),
  },
  "unblock a person on the account page": {
    async begin({ people: { alice, bob } }) {
      await alice.accounts.groups.block({ userId: bob.id });
      return "account/";
    },
    act: ({ toButton }) => toButton("Unblock bob"),
    call: ["DELETE", /im\/blocks\/\d+$/],
    done: says("bob is no longer blocked."),
  },
  invite: {
    begin: () => "account/",
    act: (hands) => ask(hands, "Invite", "Invite"),
    call: ["POST", /v1\/invitations$/],
    done: shows("The invitation"),
  },
  "revoke an invitation": {
    begin: () => "account/",
    act: (hands) => ask(hands, /^Revoke: Invitation of/, "Revoke"),
    call: ["DELETE", /v1\/invitations\/[^/]+$/],
    done: says("The invitation is revoked."),
  },
  "revoke the access of an application": {
    async begin(stage) {
      await connect(stage);
      return "account/";
    },
    act: (hands) => ask(hands, "End access: Tea timer", "End access"),
    call: ["DELETE", /account\/applications\/[^/]+$/],
    done: (page) => page.getByText("No application has access to your account.").waitFor(),
  },
  "delete the account": {
    begin: () => "account/",
    act: (hands) => ask(hands, "Delete the account", "Delete the account"),
    call: ["DELETE", /v1\/account$/],
    done: (page) => page.getByLabel("Username").waitFor(),
  },
};
