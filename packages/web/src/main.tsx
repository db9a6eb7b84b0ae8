import { signal } from "@preact/signals";
import { render } from "preact";
import { Application } from "./shell/app.tsx";
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

/** Milliseconds after which "3 minutes ago" is updated. */
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

const preferences = createPreferences(createShelf(localStorage, "telex.preferences."), navigator.languages);
const { origin } = location;
const language = preferences.spoken.peek();
const confirmation = createConfirmation();
const session = createSession({
  tab: sessionStorage,
  browser: localStorage,
  connect: (token) => connectServer({ origin, token, language: preferences.spoken.peek() }),
  accounts: connectAccountServer({ origin, language }),
  channel: new BroadcastChannel("telex"),
});
render(
  <Application
    app={{
      preferences,
      session,
      confirmation,
      router: createRouter(window),
      notices: createNotices(),
      now: createNow(),
      origin,
    }}
  />,
  document.body,
);
void session.check();
registerOfflineShell();
