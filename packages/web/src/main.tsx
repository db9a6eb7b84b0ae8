import { signal } from "@preact/signals";
import { render } from "preact";
import { Application, preparePage } from "./shell/app.tsx";
import { NotStarted } from "./shell/not-started.tsx";
import { registerOfflineShell } from "./shell/offline-shell.ts";
import { createPreferences } from "./app/preferences.ts";
import { createRouter } from "./app/route.ts";
import { connectServer } from "./server/server.ts";
import { createConfirmation } from "./app/confirmation.ts";
import { connectAccountServer } from "./app/own-account.ts";
import { createSession } from "./app/session.ts";
import { createShelf } from "./base/shelf.ts";
import { createNotices } from "./app/notices.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import "./styles/paper.css";
import "./styles/voices.css";

/** The interval between updates of relative times, in milliseconds. */
const tick = 15_000;

function createNow() {
  const now = signal(Date.now());
  const renew = (): void => {
    if (document.visibilityState === "visible") now.value = Date.now();
  };
  setInterval(renew, tick);
  document.addEventListener("visibilitychange", renew);
  return now;
}

/** Draws the pages. The code of the first page is loaded together with the texts. */
async function start(): Promise<void> {
  const router = createRouter(window);
  preparePage(router.route.peek().page);
  const preferences = await createPreferences(createShelf(localStorage, "telex.preferences."), navigator.languages);
  const { origin } = location;
  const language = preferences.spoken.peek();
  const session = createSession({
    tab: sessionStorage,
    browser: localStorage,
    connect: (token) => connectServer({ origin, token, language: preferences.spoken.peek() }),
    accounts: connectAccountServer({ origin, language }),
    channel: new BroadcastChannel("telex"),
  });
  const confirmation = createConfirmation();
  const notices = createNotices();
  const opened = signal<string | null>(null);
  const app = { preferences, session, confirmation, router, notices, opened, now: createNow(), origin };
  render(<Application app={app} />, document.body);
  void session.check();
}

start().catch(() => render(<NotStarted />, document.body));
registerOfflineShell();
