import { providersEn } from "./providers.ts";
import type { FormTexts } from "./type.ts";

/** The texts in English. */
export const en: FormTexts = {
  product: "Telex",
  signIn: "Sign in",
  username: "Username",
  usernameHint: "2 to 32 letters, digits and signs. You sign in with it.",
  nickname: "Your name",
  nicknameHint: "Others see it. You can change it later.",
  password: "Password",
  newPassword: "Password",
  newPasswordHint: "8 characters or more.",
  show: { word: "Show", name: "Show password" },
  passkey: {
    or: "or",
    use: "Use a passkey",
    make: "Create a passkey instead",
    confirm: "Confirm with a passkey",
    failed: "No passkey was used. Try again, or continue without one.",
  },
  stay: "Stay signed in",
  stayHint: (hours) => `Until 30 days without use. Otherwise ${hours} ${hours === 1 ? "hour" : "hours"}.`,
  useToken: "Use an access token",
  noAccount: {
    open: "No account?",
    invited: "No account? You need an invitation from an admin of this server.",
    closed: "This server accepts no new accounts.",
  },
  lost: "Lost your password? An admin can make you a new link.",
  register: "Open an account",
  registerLead: "Anyone can open an account on this server.",
  haveAccount: "Do you have an account?",
  link: "Your link",
  linkHint: "Paste the whole address that you were given. Browsers without JavaScript cannot pass its last part on.",
  goOn: "Continue",
  join: { title: "You are invited", by: (name) => `${name} invites you`, submit: "Join" },
  room: {
    title: "A link to a room",
    lead: (members) => (members === 1 ? "1 member" : `${members} members`),
    submit: "Join the room",
    signIn: "Sign in to join this room, and then open the link again.",
  },
  until: (host, day) => `to ${host}, until ${day}`,
  rooms: "You will be in:",
  setup: {
    title: "The first account",
    lead: "It becomes the admin of this server, and invites the others.",
    submit: "Create the account",
  },
  recover: {
    title: "A new password",
    lead: "Choose a new password or passkey for this account.",
    warning: "All browsers are signed out, and all access tokens of the account end.",
    submit: "Set the password",
    keep: "Other ways into the account",
    keepLead: "They are removed: someone else may have added them. Tick what you want to keep.",
    passkey: (name) => `Passkey: ${name}`,
    added: (day) => `added on ${day}`,
  },
  enter: {
    title: "Come in",
    lead: "This link signs you in, without a password.",
    submit: "Sign in",
    other: (name) => `You are signed in as ${name}. The link may be for someone else.`,
  },
  signOut: {
    title: "Sign out",
    lead: (name) => `You are signed in as ${name}.`,
    none: "You are not signed in in this browser.",
  },
  stayHere: "Back to Telex",
  off: {
    title: "Signing in is off",
    insecure:
      "This server is reached over HTTP. Anyone in between could read passwords, so it accepts none. The operator can set up HTTPS, or permit it in a trusted network with the setting insecureCookies.",
    elsewhere:
      "This is not the address of the server, and it is not protected by HTTPS. People sign in on the computer itself, or at the address that the operator sets as baseUrl.",
    ask: "A token works here as well.",
  },
  consent: {
    title: (name) => `${name} wants access`,
    asks: (user) => `You are signed in as ${user}. The application could then:`,
    scopes: {
      openid: "recognize you when you come back",
      profile: "see your name, username and picture",
      chat: "read and write messages, use devices and files in your name",
      device: "print on all of your devices and read from them",
    },
    oneDevice: (id, name) =>
      name === null
        ? `print on the device “${id}” and read from it, once you have one`
        : `print on your device “${name}” (${id}) and read from it`,
    from: (host) => `It is not registered at this server. It comes from ${host}, and chose its name itself.`,
    leads: (target) => `The answer goes to ${target}. You can revoke the access on your account page.`,
    confirm: "The application wants you to sign in again.",
    signIn: (name) => `Sign in to ${name}`,
    allow: "Allow",
    deny: "Refuse",
  },
  device: {
    title: "Connect a program or device",
    lead: "Type the code that it shows.",
    code: "Code",
    codeHint: "Eight letters. Case does not matter.",
    warning:
      "Allow it only if you started the program yourself and it shows this code. Someone who sent you a code in a message would get into your account.",
    wrong: "No program is waiting for this code, or it has expired. Start the program again for a new one.",
    done: "Connected",
    doneLead: (name) => `${name} is signed in. You can close this page.`,
    denied: "Refused",
    deniedLead: "The program got no access. You can close this page.",
  },
  provider: providersEn,
  refused: "That did not work",
  foreign:
    "The form was not sent from a page of this server. Open the page at the address of the server, and try again.",
  openHere: "Open",
  back: "To sign-in",
};
