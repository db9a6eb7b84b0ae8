import type { Hands } from "./hands.ts";
import type { Stage, Task, Tasks } from "./task.ts";

const isIn: Task["done"] = (page) => page.getByText("Live", { exact: true }).waitFor();

/** The part of an invitation URL below `/user/`. */
const belowUser = (url: string): string => url.slice(url.indexOf("/user/") + "/user/".length);

/** Types a name and a password, and moves the focus to the button. */
const fillIn =
  (button: string, username: string | null = null): Task["act"] =>
  async ({ page, write, to, toButton }: Hands) => {
    if (username !== null) await write("Username", username);
    await to(page.getByLabel("Password", { exact: true }));
    await page.keyboard.insertText("a long password");
    await toButton(button);
  };

/** Signs Bob in, in this browser. */
async function signIn({ server: { url }, page }: Stage): Promise<void> {
  const data = { username: "bob", password: "bob's password" };
  await page.request.post(`${url}/external/api/v1/account/signIn`, { data, headers: { origin: url } });
}

/** Requests access as an application in a browser, or as a program with a device code. */
async function addClient({ server: { auth, url } }: Stage, name: string, grant: "code" | "device") {
  const redirectUris = grant === "code" ? [`${url}/cb`] : [];
  const scopes = ["openid", "chat"];
  return (await auth.services.clients.add({ name, redirectUris, grants: [grant], scopes, hasSecret: false })).client;
}

async function askAsApplication(stage: Stage): Promise<string> {
  await signIn(stage);
  const { clientId } = await addClient(stage, "Wiki", "code");
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: `${stage.server.url}/cb`,
    response_type: "code",
    scope: "openid chat",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  return `../oauth2/authorize?${query.toString()}`;
}

async function askAsProgram(stage: Stage): Promise<string> {
  await signIn(stage);
  const { clientId } = await addClient(stage, "Kettle", "device");
  const body = new URLSearchParams({ client_id: clientId, scope: "openid chat" });
  const asked: unknown = await (await fetch(`${stage.server.url}/oauth2/device`, { method: "POST", body })).json();
  return `device?user_code=${String(Reflect.get(Object(asked), "user_code"))}`;
}

/** The tasks of people who sign in, or authorize programs. */
export const enteringTasks: Tasks = {
  "set up the server": {
    begin: ({ setupUrl }) => belowUser(setupUrl),
    act: fillIn("Create the account", "root"),
    call: ["POST", /\/user\/setup$/],
    done: isIn,
  },
  "sign in": {
    begin: () => "sign-in",
    async act({ page, write, to, toButton }) {
      await write("Username", "bob");
      await to(page.getByLabel("Password", { exact: true }));
      await page.keyboard.insertText("bob's password");
      await toButton("Sign in");
    },
    call: ["POST", /\/user\/sign-in$/],
    done: isIn,
  },
  "create an account": {
    begin: () => "register",
    act: fillIn("Open an account", "emil"),
    call: ["POST", /\/user\/register$/],
    done: isIn,
  },
  "join with an invitation": {
    begin: async ({ server: { auth } }) => belowUser((await auth.services.invitations.make(null, { groups: [] })).url),
    act: fillIn("Join", "fred"),
    call: ["POST", /\/user\/join$/],
    done: isIn,
  },
  "recover an account": {
    begin: async ({ server: { auth }, people: { carol } }) =>
      belowUser((await auth.services.recovery.make(null, carol.id)).url),
    act: fillIn("Set the password"),
    call: ["POST", /\/user\/recover$/],
    done: isIn,
  },
  "join a room with a link while signed in": {
    async begin(stage) {
      await signIn(stage);
      const { groupId } = await stage.people.alice.accounts.groups.create({ name: "Den", members: [] });
      return belowUser((await stage.people.alice.accounts.groups.link({ groupId })).url);
    },
    act: ({ toButton }) => toButton("Join the room"),
    call: ["POST", /\/user\/join$/],
    done: (page) => page.locator(".room").getByRole("heading", { name: "Den" }).waitFor(),
  },
  "authorize an application": {
    begin: askAsApplication,
    act: ({ toButton }) => toButton("Allow"),
    call: ["POST", /\/user\/consent$/],
    done: (page) => page.waitForURL(/\/cb\?code=/),
  },
  "look up the code of a program": {
    begin: askAsProgram,
    act: ({ toButton }) => toButton("Continue"),
    call: ["POST", /\/user\/device$/],
    done: (page) => page.getByRole("heading", { name: "Kettle wants access" }).waitFor(),
  },
  "sign out": {
    async begin(stage) {
      await signIn(stage);
      return "sign-out";
    },
    act: ({ toButton }) => toButton("Sign out"),
    call: ["POST", /\/user\/sign-out$/],
    done: (page) => page.getByLabel("Username").waitFor(),
  },
};
