import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { isLive } from "../chats.ts";
import type { Hands } from "./hands.ts";
import { says } from "./shared.ts";
import type { Stage, Task, Tasks } from "./task.ts";

type Prepare = (stage: Stage) => Promise<unknown>;

/** Starts on the page of a new conversation, after the model has its replies. */
const answering =
  (answers: readonly string[], prepare: Prepare = async () => {}): Task["begin"] =>
  async (stage) => {
    for (const answer of answers) {
      stage.puppet.say(answer);
      stage.puppet.finish();
    }
    await prepare(stage);
    return "chat/new";
  };

const keeping =
  (name: string): Prepare =>
  ({ people: { alice } }) =>
    alice.accounts.addPrompt({ name, text: `Name a ${name}` });

/** Asks a question in another window. */
const askedElsewhere =
  (content: string): Prepare =>
  async ({ people: { alice } }) => {
    for await (const piece of await alice.client.ai.chat({ content })) expect(piece.conversationId).toBeGreaterThan(0);
  };

const saidIn =
  (words: string): Task["done"] =>
  (page) =>
    page.locator(".messages .words, .messages .reply").getByText(words, { exact: true }).waitFor();

async function write(hands: Hands, question: string): Promise<void> {
  await isLive(hands.page);
  await hands.write("Your question", question);
}

/** Asks a question, and waits until its answer is complete. */
async function asked(hands: Hands, question = "Name a tree"): Promise<void> {
  await write(hands, question);
  await hands.page.keyboard.press("Enter");
  await hands.page.getByRole("button", { name: "Regenerate" }).waitFor();
}

/** Asks a question, and moves the focus to an action of the conversation. */
async function toAction(hands: Hands, name: string): Promise<void> {
  await asked(hands);
  await hands.pressButton(/^More about/);
  await hands.toButton(name);
}

const inDialog = ({ page }: Hands, name: string): Locator =>
  page.getByRole("dialog").last().getByRole("button", { name, exact: true });

const openPrompts = ({ pressButton }: Hands): Promise<void> => pressButton("Prompts");

const asking: Tasks = {
  "ask a question": {
    begin: answering(["Oak."]),
    act: (hands) => write(hands, "Name a tree"),
    call: ["SEND", /^chat$/],
    done: saidIn("Oak."),
  },
  "stop an answer": {
    async begin({ puppet }) {
      puppet.say("Once");
      return "chat/new";
    },
    async act(hands) {
      await write(hands, "Tell me");
      await hands.page.keyboard.press("Enter");
      await saidIn("Once")(hands.page);
      await hands.toButton("Stop");
    },
    call: ["SEND", /^stop$/],
    done: (page) => page.getByText("Stopped here.").waitFor(),
  },
  "edit a question": {
    begin: answering(["Oak.", "Rose."]),
    async act(hands) {
      await asked(hands);
      await hands.page.keyboard.press("ArrowUp");
      await hands.write("Your changed question", "Name a flower");
    },
    call: ["SEND", /^chat$/],
    done: saidIn("Rose."),
  },
  "regenerate an answer": {
    begin: answering(["Oak.", "Elm."]),
    async act(hands) {
      await asked(hands);
      await hands.toButton("Regenerate");
    },
    call: ["SEND", /^chat$/],
    done: saidIn("Elm."),
  },
};

const keepingConversations: Tasks = {
  "find an answer": {
    async begin(stage) {
      await answering(["A heron."], askedElsewhere("Name a bird"))(stage);
      return "chat/";
    },
    async act(hands) {
      await hands.write("Search conversations", "heron");
      await hands.to(hands.page.locator(".found-messages li a"));
    },
    call: ["GET", /conversations\/\d+\/messages$/],
    async done(page) {
      await page.locator(".answer.target").getByText("A heron.").waitFor();
      await page.getByRole("button", { name: "More about Name a bird" }).waitFor();
    },
  },
  "rename a conversation": {
    begin: answering(["Oak."]),
    async act(hands) {
      await toAction(hands, "Rename");
      await hands.page.keyboard.press("Enter");
      await hands.write("Title", "Trees");
    },
    call: ["PATCH", /conversations\/\d+$/],
    done: (page) => page.getByRole("heading", { name: "Trees" }).waitFor(),
  },
  "archive a conversation": {
    begin: answering(["Oak."]),
    act: (hands) => toAction(hands, "Archive"),
    call: ["PATCH", /conversations\/\d+$/],
    done: says(/is archived\.$/),
  },
  "save a conversation as a file": {
    begin: answering(["Oak."]),
    act: (hands) => toAction(hands, "Save as Markdown"),
    call: ["GET", /conversations\/\d+\/messages$/],
    done: async (page) => void (await page.waitForEvent("download")),
  },
  "delete a conversation": {
    begin: answering(["Oak."]),
    async act(hands) {
      await toAction(hands, "Delete");
      await hands.page.keyboard.press("Enter");
      await hands.to(inDialog(hands, "Delete"));
    },
    call: ["DELETE", /conversations\/\d+$/],
    done: says(/is deleted\.$/),
  },
};

const prompting: Tasks = {
  "save a prompt": {
    begin: answering([]),
    async act(hands) {
      await write(hands, "Correct the grammar of:");
      await openPrompts(hands);
      await hands.pressButton("Save a prompt");
      await hands.write("Name", "Tidy");
      await hands.to(inDialog(hands, "Save"));
    },
    call: ["POST", /account\/prompts$/],
    done: (page) => page.locator(".prompts").getByText("Tidy", { exact: true }).waitFor(),
  },
  "ask with a saved prompt": {
    begin: answering(["Carp."], keeping("fish")),
    async act(hands) {
      await write(hands, "");
      await openPrompts(hands);
      await hands.pressButton("Use: fish");
    },
    call: ["SEND", /^chat$/],
    done: saidIn("Carp."),
  },
  "change a prompt": {
    begin: answering([], keeping("stone")),
    async act(hands) {
      await openPrompts(hands);
      await hands.pressButton("Edit: stone");
      await hands.write("Name", "rock");
      await hands.to(inDialog(hands, "Save"));
    },
    call: ["PATCH", /account\/prompts\/[^/]+$/],
    done: (page) => page.locator(".prompts").getByText("rock", { exact: true }).waitFor(),
  },
  "delete a prompt": {
    begin: answering([], keeping("star")),
    async act(hands) {
      await openPrompts(hands);
      await hands.pressButton("Delete: star");
      await hands.to(inDialog(hands, "Delete"));
    },
    call: ["DELETE", /account\/prompts\/[^/]+$/],
    done: (page) => page.getByRole("button", { name: "Use: star" }).waitFor({ state: "detached" }),
  },
};

export const conversationTasks: Tasks = { ...asking, ...keepingConversations, ...prompting };
