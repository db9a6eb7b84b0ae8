import type { Hands } from "./hands.ts";
import { ask, dot, says } from "./shared.ts";
import type { Stage, Task, Tasks } from "./task.ts";

/** Starts on the page of a device. */
const atDevice = (deviceId: string): Task["begin"] => {
  return async ({ people: { alice } }) => {
    await alice.client.teleprinter.register({ deviceId, name: `The ${deviceId}` });
    return `teleprinter/device/${deviceId}`;
  };
};

/** Opens a dialog from the menu of a device. */
async function choose(hands: Hands, item: string): Promise<void> {
  await hands.pressButton(/^More about/);
  await hands.pressButton(item);
}

const askForPairing = async ({ server: { telex } }: Stage, deviceId: string): Promise<string> => {
  const stranger = await telex.authenticate(null);
  return (await telex.pairing.pair(stranger, { deviceId, name: `The ${deviceId}` })).code;
};

const devices: Tasks = {
  "register a device": {
    begin: () => "teleprinter/#register",
    async act({ page, write, to }) {
      await write("Device ID", "attic");
      await write("Name", "The attic");
      await to(page.getByRole("dialog").getByRole("button", { name: "Register by ID" }));
    },
    call: ["POST", /teleprinter\/register$/],
    done: says('"The attic" is registered.'),
  },
  "pair a device": {
    begin: async (stage) => `teleprinter/?code=${await askForPairing(stage, "porch")}#pair`,
    async act({ page, write, pressButton, toButton }) {
      await write("Code on the device", new URL(page.url()).searchParams.get("code") ?? "");
      await pressButton("Look up");
      await toButton("Yes, pair it");
    },
    call: ["POST", /pair\/confirm$/],
    done: says('"The porch" is paired.'),
  },
  "rename a device": {
    begin: atDevice("kitchen"),
    async act(hands) {
      await choose(hands, "Rename");
      await hands.write("Name", "The cellar");
      await hands.toButton("Save");
    },
    call: ["POST", /teleprinter\/rename$/],
    done: (page) => page.getByRole("heading", { name: "The cellar" }).waitFor(),
  },
  "tag a device": {
    begin: atDevice("hall"),
    async act(hands) {
      await choose(hands, "About this device");
      await hands.write(/^Tags/, "paper");
      await hands.to(hands.page.getByRole("dialog").getByRole("button", { name: "Save" }));
    },
    call: ["POST", /teleprinter\/rename$/],
    done: (page) => page.getByRole("dialog").waitFor({ state: "detached" }),
  },
  "print a room on a device": {
    begin: atDevice("study"),
    async act(hands) {
      await choose(hands, "Print a room");
      await hands.choose("Room", "Office");
      await hands.toButton("Save");
    },
    call: ["POST", /teleprinter\/register$/],
    done: says('"The study" now prints'),
  },
  "unregister a device": {
    begin: atDevice("shed"),
    async act(hands) {
      await choose(hands, "Unregister");
      await hands.to(hands.page.getByRole("dialog").getByRole("button", { name: "Unregister" }));
    },
    call: ["POST", /teleprinter\/unregister$/],
    done: says('"The shed" is unregistered.'),
  },
};

/** Starts on the page of files, with a file of this name. */
const withFile = (name: string, isShared = false): Task["begin"] => {
  return async ({ people: { alice } }) => {
    const { file_id: md5 } = await alice.client.bucket.upload({ file: new File([name], name) });
    if (isShared) await alice.client.bucket.shareFile({ md5 });
    return "files/";
  };
};

const files: Tasks = {
  "upload a file": {
    begin: () => "files/",
    async act({ page, press }) {
      const choosing = page.waitForEvent("filechooser");
      await press(page.getByRole("button", { name: "Upload files" }).first());
      await (await choosing).setFiles(dot);
    },
    call: ["POST", /bucket\/upload$/],
    key: null,
    done: (page) => page.locator(".filed li", { hasText: "dot.gif" }).waitFor(),
  },
  "share a file by link": {
    begin: withFile("shared.txt"),
    act: (hands) => ask(hands, "Share shared.txt by link", "Create a link"),
    call: ["POST", /bucket\/files\/[^/]+\/links$/],
    done: (page) => page.getByRole("dialog").locator("code").waitFor(),
  },
  "revoke the link of a file": {
    begin: withFile("ended.txt", true),
    async act({ page, pressButton, to }) {
      await pressButton("Share ended.txt by link");
      await pressButton(/^Revoke: /);
      await to(
        page.getByRole("dialog", { name: "Revoke this link?" }).getByRole("button", { name: "Revoke", exact: true }),
      );
    },
    call: ["DELETE", /bucket\/links/],
    done: says("The link is revoked."),
  },
  "delete a file": {
    begin: withFile("gone.txt"),
    act: (hands) => ask(hands, "Delete gone.txt", "Delete"),
    call: ["DELETE", /bucket\/files/],
    done: (page) => page.locator(".filed li", { hasText: "gone.txt" }).waitFor({ state: "detached" }),
  },
};

export const deviceTasks: Tasks = { ...devices, ...files };
