import { operator } from "@telex/core";
import { ask, says, shows } from "./shared.ts";
import type { Stage, Task, Tasks } from "./task.ts";

/** Starts on the page of a new user. */
const atUser =
  (nickname: string, prepare: (stage: Stage, id: number) => Promise<unknown> = async () => {}): Task["begin"] =>
  async (stage) => {
    const { id } = await stage.server.telex.operator.users.add(operator, { nickname });
    await prepare(stage, id);
    return `admin/users/${id}`;
  };

/** Starts on the page of a person with an account. */
const atBob: Task["begin"] = ({ people: { bob } }) => `admin/users/${bob.id}`;

const issue = ({ server: { telex } }: Stage, userId: number) =>
  telex.operator.tokens.issue(operator, { userId, scopes: ["profile"], name: "old" });

const people: Tasks = {
  "invite a person": {
    begin: () => "admin/users/",
    act: (hands) => ask(hands, "Invite", "Invite"),
    call: ["POST", /admin\/invitations$/],
    done: shows("The invitation"),
  },
  "revoke an invitation of the server": {
    begin: () => "admin/users/",
    act: (hands) => ask(hands, /^Revoke: Invitation of/, "Revoke"),
    call: ["DELETE", /admin\/invitations\/[^/]+$/],
    done: says("The invitation is revoked."),
  },
  "import people": {
    begin: () => "admin/users/",
    async act({ page, pressButton, to, toButton }) {
      await pressButton("Import");
      await to(page.getByLabel("Or paste the table here"));
      await page.keyboard.insertText("username,nickname\ndora,Dora");
      await pressButton("Preview");
      await toButton("Import 1");
    },
    call: ["POST", /admin\/people$/],
    done: (page) => page.getByLabel("The links").waitFor(),
  },
  "add a user": {
    begin: () => "admin/users/",
    async act({ page, pressButton, write, to }) {
      await pressButton("Add a user");
      await write("Nickname", "Emil");
      await to(page.getByRole("dialog").getByRole("button", { name: "Add a user" }));
    },
    call: ["POST", /admin\/users$/],
    done: (page) => page.getByRole("heading", { name: "Emil" }).waitFor(),
  },
  "change a user": {
    begin: atUser("Fred"),
    async act({ write, toButton }) {
      await write("Nickname", "Fritz");
      await toButton("Save");
    },
    call: ["PATCH", /admin\/users\/\d+$/],
    done: (page) => page.getByRole("heading", { name: "Fritz" }).waitFor(),
  },
  "set a quota": {
    begin: atUser("Gerd"),
    async act({ page, pressButton, write, to }) {
      await pressButton("Set quota");
      await write("Limit", "4321");
      await to(page.getByRole("dialog").getByRole("button", { name: "Set quota" }));
    },
    call: ["POST", /admin\/quotas\/\d+$/],
    done: (page) =>
      page
        .getByText(/of 4,321/)
        .first()
        .waitFor(),
  },
  "let frameworks connect": {
    begin: atUser("Hans"),
    act: (hands) => ask(hands, "Let frameworks connect", "Save"),
    call: ["PATCH", /admin\/users\/\d+$/],
    done: (page) => page.getByText(/can connect and act as this user/).waitFor(),
  },
  "issue a token to a user": {
    begin: atUser("Ines"),
    act: (hands) => ask(hands, "Issue a token", "Issue a token"),
    call: ["POST", /admin\/tokens$/],
    done: shows("The token"),
  },
  "revoke a token of a user": {
    begin: atUser("Jana", async (stage, id) => await issue(stage, id)),
    act: (hands) => ask(hands, "Revoke: old", "Revoke"),
    call: ["POST", /admin\/tokens\/revoke$/],
    done: says("The token is revoked."),
  },
  "remove a user": {
    begin: atUser("Karl"),
    act: (hands) => ask(hands, "Remove user", "Remove user"),
    call: ["DELETE", /admin\/users\/\d+$/],
    done: says('"Karl" is removed.'),
  },
  "create a recovery link": {
    begin: atBob,
    act: (hands) => ask(hands, "Recovery link", "Recovery link"),
    call: ["POST", /\/recovery$/],
    done: shows("The recovery link"),
  },
};

const atDevice = atUser("Lena", async ({ server }, userId) => {
  const caller = await server.telex.authenticate((await server.issueFor(userId)).token);
  await server.telex.teleprinter.register(caller, { deviceId: `d${userId}`, name: "Desk" });
});

const atRoom: Task["begin"] = async ({ server: { telex }, people: { bob } }) => {
  const members = [bob.id];
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Hall", members });
  return `admin/rooms/${groupId}`;
};

const others: Tasks = {
  "rename a device of a user": {
    begin: atDevice,
    async act({ page, pressButton, write, to }) {
      await pressButton("Rename: Desk");
      await write("Name", "Table");
      await to(page.getByRole("dialog").getByRole("button", { name: "Save" }));
    },
    call: ["PATCH", /admin\/devices\/[^/]+$/],
    done: (page) => page.locator(".items .name", { hasText: "Table" }).waitFor(),
  },
  "unregister a device of a user": {
    begin: atDevice,
    act: (hands) => ask(hands, "Unregister: Desk", "Unregister"),
    call: ["DELETE", /admin\/devices\/[^/]+$/],
    done: (page) => page.getByText("This user has no devices.").waitFor(),
  },
  "add a room": {
    begin: () => "admin/rooms/",
    async act({ page, pressButton, write, to }) {
      await pressButton("Add a room");
      await write("Name", "Lobby");
      await to(page.getByRole("dialog").getByRole("button", { name: "Add a room" }));
    },
    call: ["POST", /admin\/groups$/],
    done: (page) => page.getByRole("heading", { name: "Lobby" }).waitFor(),
  },
  "add a member": {
    begin: atRoom,
    async act({ page, pressButton, to, toButton }) {
      await pressButton("Add members");
      await to(page.getByRole("checkbox", { name: /^carol/ }));
      await page.keyboard.press("Space");
      await toButton("Add 1 member");
    },
    call: ["POST", /admin\/groups\/\d+\/members$/],
    done: says("1 member is added."),
  },
  "remove a member of a room": {
    begin: atRoom,
    act: (hands) => ask(hands, "Remove: bob", "Remove"),
    call: ["POST", /admin\/groups\/\d+\/members$/],
    done: says("bob is removed from this room."),
  },
  "remove a room": {
    begin: atRoom,
    act: (hands) => ask(hands, "Remove room", "Remove room"),
    call: ["DELETE", /admin\/groups\/\d+$/],
    done: says('"Hall" is removed.'),
  },
  "add the account of a bot": {
    begin: () => "admin/bots/",
    async act({ page, pressButton, to }) {
      await pressButton("Add an account");
      await to(page.getByRole("dialog").getByLabel(/^Account/));
      await page.keyboard.insertText("10001");
      await to(page.getByRole("dialog").getByRole("button", { name: "Add an account" }));
    },
    call: ["POST", /admin\/bots$/],
    done: shows("The account is added"),
  },
  "remove the account of a bot": {
    begin: () => "admin/bots/",
    act: (hands) => ask(hands, "Remove: 10001", "Remove"),
    call: ["DELETE", /admin\/bots\/[^/]+$/],
    done: says("The account is removed."),
  },
  "delete expired files": {
    begin: () => "admin/files/",
    act: (hands) => ask(hands, "Clean up", "Clean up"),
    call: ["POST", /admin\/files\/sweep$/],
    done: says("files are deleted"),
  },
};

export const adminTasks: Tasks = { ...people, ...others };
