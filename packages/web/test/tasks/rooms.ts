import { askInSide, inRoom, openMember, openOutlets, openSide, said, toAction } from "./room-steps.ts";
import { dot, says } from "./shared.ts";
import type { Tasks } from "./task.ts";

const making: Tasks = {
  "create a room": {
    begin: () => "rooms/#new",
    async act({ page, to, write, toButton }) {
      await write("Name", "Sunday");
      await to(page.getByRole("checkbox", { name: "bob" }));
      await page.keyboard.press("Space");
      await toButton("Create room with 1 person");
    },
    call: ["POST", /im\/groups$/],
    done: (page) => page.locator(".room").getByRole("heading", { name: "Sunday" }).waitFor(),
  },
  "open a private chat": {
    begin: () => "rooms/#chat",
    act: ({ toButton }) => toButton(/^bob/),
    call: ["POST", /im\/groups$/],
    done: (page) => page.locator(".room").getByRole("heading", { name: "bob" }).waitFor(),
  },
  "join a room by a link": {
    async begin(stage) {
      const { groupId } = await stage.people.bob.accounts.groups.create({ name: "Tea", members: [] });
      const { url } = await stage.people.bob.accounts.groups.link({ groupId });
      return `rooms/?link=${encodeURIComponent(url.slice(url.indexOf("#") + 1))}#join`;
    },
    async act({ page, write, toButton }) {
      await write("Link", new URL(page.url()).searchParams.get("link") ?? "");
      await toButton("Join");
    },
    call: ["POST", /im\/join$/],
    done: (page) => page.locator(".room").getByRole("heading", { name: "Tea" }).waitFor(),
  },
};

const leading: Tasks = {
  "invite people with a link": {
    begin: inRoom(),
    async act(hands) {
      await openSide(hands);
      await hands.toButton("Invitation link");
    },
    call: ["POST", /\/link$/],
    done: (page) => page.getByRole("dialog").locator("code").waitFor(),
  },
  "revoke a link": {
    begin: inRoom(({ people: { alice } }, groupId) => alice.accounts.groups.link({ groupId })),
    async act(hands) {
      await openSide(hands);
      await hands.pressButton("Active links");
      await hands.pressButton(/^Revoke: /);
      await hands.to(hands.page.getByRole("dialog", { name: "Revoke this link?" }).getByRole("button").nth(1));
    },
    call: ["DELETE", /\/links\/[^/]+$/],
    done: (page) => page.getByText("This room has no active links.").waitFor(),
  },
  "add people": {
    async begin({ people: { alice, bob } }) {
      const { groupId } = await alice.accounts.groups.create({ name: "Small", members: [bob.id] });
      return `rooms/${groupId}`;
    },
    async act(hands) {
      const { page, pressButton, to, toButton } = hands;
      await openSide(hands, 2);
      await pressButton("Add people");
      await to(page.getByRole("checkbox", { name: "carol" }));
      await page.keyboard.press("Space");
      await toButton("Add 1 person");
    },
    call: ["POST", /\/members$/],
    done: says("1 person added."),
  },
  "change a role": {
    begin: inRoom(),
    async act(hands) {
      await openMember(hands, "bob");
      await hands.to(hands.page.getByLabel("Role"));
    },
    call: ["POST", /\/members$/],
    key: "ArrowUp",
    done: says("The role of bob has changed."),
  },
  "remove a member": {
    begin: inRoom(),
    async act(hands) {
      await openMember(hands, "bob");
      await hands.pressButton("Remove from the room");
      await hands.to(hands.page.getByRole("dialog", { name: "Remove bob?" }).getByText("Remove from the room"));
    },
    call: ["POST", /\/members$/],
    done: says("bob is no longer in the room."),
  },
  "rename a room": {
    begin: inRoom(),
    async act(hands) {
      await openSide(hands);
      await hands.pressButton("Name and topic");
      await hands.write("Name", "Long walks");
      await hands.toButton("Save");
    },
    call: ["PATCH", /im\/groups\/\d+$/],
    done: (page) => page.locator(".room").getByRole("heading", { name: "Long walks" }).waitFor(),
  },
  "change the picture of a room": {
    begin: inRoom(),
    async act(hands) {
      await openSide(hands);
      const choosing = hands.page.waitForEvent("filechooser");
      await hands.pressButton("Change the picture");
      await (await choosing).setFiles(dot);
    },
    call: ["POST", /\/avatar$/],
    key: null,
    done: says("The room has a new picture."),
  },
  "create a hook": {
    begin: inRoom(),
    async act(hands) {
      await openOutlets(hands);
      await hands.write("Name of the hook", "Alerts");
      await hands.toButton("Create a hook");
    },
    call: ["POST", /\/hooks$/],
    done: (page) => page.getByRole("dialog").getByRole("status").locator("code").waitFor(),
  },
  "remove a hook": {
    begin: inRoom(({ people: { alice } }, groupId) => alice.accounts.hooks.hook({ groupId, name: "Alerts" })),
    async act(hands) {
      await openOutlets(hands);
      await hands.pressButton("Remove: Alerts");
      await hands.to(hands.page.getByRole("dialog", { name: "Remove Alerts?" }).getByRole("button").nth(1));
    },
    call: ["DELETE", /\/hooks\/[^/]+$/],
    done: says("Alerts can no longer write."),
  },
};

const sending: Tasks = {
  "send a message": {
    begin: inRoom(),
    act: ({ write }) => write(/^Message to/, "at eight"),
    call: ["POST", /im\/sendGroupMessage$/],
    done: (page) => page.locator(".message-list .message").getByText("at eight").waitFor(),
  },
  "send a picture": {
    begin: inRoom(),
    async act({ page, to, pressButton }) {
      const choosing = page.waitForEvent("filechooser");
      await pressButton("Files");
      await (await choosing).setFiles(dot);
      await to(page.locator(".message-box button[type=submit]:enabled"));
    },
    call: ["POST", /im\/sendGroupMessage$/],
    done: (page) => page.locator(".message-list .message img").waitFor(),
  },
};

const amending: Tasks = {
  "react to a message": {
    begin: inRoom(said),
    async act(hands) {
      await toAction(hands, "React");
      await hands.page.keyboard.press("Enter");
      await hands.page.getByRole("button", { name: "More emoji" }).waitFor();
      // The emoji come before the button for more, and that one before their own.
      await hands.page.keyboard.press("Shift+Tab");
      await hands.page.keyboard.press("Shift+Tab");
    },
    call: ["POST", /im\/react$/],
    done: (page) => page.locator(".reactions button").waitFor(),
  },
  "edit a message": {
    begin: inRoom(said),
    async act(hands) {
      await toAction(hands, "Edit");
      await hands.page.keyboard.press("Enter");
      await hands.to(hands.page.getByLabel("Edited message"));
      await hands.page.keyboard.type(" today");
    },
    call: ["POST", /im\/edit$/],
    done: (page) => page.locator(".message").getByText("at seven today").waitFor(),
  },
  "pin a message": {
    begin: inRoom(said),
    act: (hands) => toAction(hands, "Pin in this room"),
    call: ["POST", /im\/pin$/],
    done: says("The message is pinned."),
  },
  "recall a message": {
    begin: inRoom(said),
    act: (hands) => toAction(hands, "Recall"),
    call: ["POST", /im\/recall$/],
    done: says("The message was recalled."),
  },
};

const hearing: Tasks = {
  "mute a room": {
    begin: inRoom(),
    async act(hands) {
      await openSide(hands);
      await hands.to(hands.page.getByLabel("Mute"));
    },
    call: ["POST", /\/notify$/],
    key: "ArrowDown",
    done: (page) =>
      page.locator(".talks .quietly, .talks").getByText("no notifications").first().waitFor({ state: "attached" }),
  },
  "choose the notification level": {
    begin: inRoom(),
    async act(hands) {
      await openSide(hands);
      await hands.to(hands.page.getByLabel("Notify me about"));
    },
    call: ["POST", /\/notify$/],
    key: "ArrowDown",
    done: (page) =>
      page
        .getByLabel("Notify me about")
        .locator("option:checked", { hasText: "Mentions" })
        .waitFor({ state: "attached" }),
  },
  "block a person": {
    begin: inRoom(),
    async act(hands) {
      await openMember(hands, "bob");
      await hands.pressButton("Block");
      await hands.to(hands.page.getByRole("dialog", { name: "Block bob?" }).getByRole("button", { name: "Block" }));
    },
    call: ["POST", /im\/blocks$/],
    done: says("bob is blocked."),
  },
  "unblock a person": {
    begin: inRoom(({ people: { alice, bob } }) => alice.accounts.groups.block({ userId: bob.id })),
    async act(hands) {
      await openMember(hands, "bob");
      await hands.toButton("Unblock");
    },
    call: ["DELETE", /im\/blocks\/\d+$/],
    done: says("bob is no longer blocked."),
  },
};

const ending: Tasks = {
  "archive a room": {
    begin: inRoom(),
    async act(hands) {
      await openSide(hands);
      await hands.toButton("Archive");
    },
    call: ["POST", /\/archive$/],
    done: (page) => page.getByText("This room is archived").waitFor(),
  },
  "unarchive a room": {
    begin: inRoom(({ people: { alice } }, groupId) => alice.accounts.groups.archive({ groupId })),
    async act(hands) {
      await openSide(hands);
      await hands.to(hands.page.locator("#side").getByRole("button", { name: "Unarchive" }));
    },
    call: ["POST", /\/unarchive$/],
    done: (page) => page.locator(".message-box textarea").waitFor(),
  },
  "leave a room": {
    begin: inRoom(),
    act: (hands) => askInSide(hands, "Leave"),
    call: ["POST", /\/leave$/],
    done: says("You have left the room."),
  },
  "delete a room": {
    begin: inRoom(),
    act: (hands) => askInSide(hands, "Delete the room"),
    call: ["DELETE", /im\/groups\/\d+$/],
    done: says("The room is deleted."),
  },
};

export const roomTasks: Tasks = { ...making, ...leading, ...sending, ...amending, ...hearing, ...ending };
