import type { AccountTexts } from "./type.ts";

/** The texts in English. */
export const en: AccountTexts = {
  saved: "Saved.",
  save: "Save",

  profile: "Profile",
  nickname: "Name",
  nicknameHint: "Others see it.",
  username: "Username",
  usernameHint: "You sign in with it.",

  changePicture: "Change the picture",

  signingIn: "Signing in",
  newPassword: "New password",
  newPasswordHint: "8 characters or more. All other browsers are signed out; access tokens stay.",
  changePassword: "Change the password",
  passwordChanged: "The password is changed.",
  recovered: (when) => `A recovery link of an admin was used ${when}.`,

  passkeys: "Passkeys",
  passkeysLead:
    "A passkey is a key in your device. You sign in with a finger, your face or the PIN of the device, without a password.",
  passkeysOff:
    "Browsers have no passkeys at this address: they need a name and HTTPS. The operator sets it as baseUrl.",
  passkeyName: "Name",
  passkeyAdded: (day) => `added on ${day}`,
  passkeyUsed: (when) => `used ${when}`,
  passkeyUnused: "never used",
  passkeyMade: "The passkey is added.",
  passkeyNotMade: "No passkey was made.",
  passkeyRemoved: "The passkey is removed.",
  addPasskey: "Add a passkey",
  rename: "Rename",
  removePasskey: "Remove",
  removePasskeyTitle: (name) => `Remove the passkey ${name}?`,
  removePasskeyLead: "It does not sign you in any more. Browsers in which you are signed in stay so.",

  sessions: "Sessions",
  sessionsLead: "The browsers in which you are signed in.",
  thisOne: "this one",
  end: "End",
  endOf: (browser) => `End the session of ${browser}`,
  endOthers: "End all others",
  ended: "Signed out there.",

  newToken: "New token",
  newTokenLead:
    "A program with the token acts for you within its scope. It cannot change how you sign in, nor act as an admin.",
  tokenName: "Name",
  tokenNameHint: "Such as the program that gets it.",
  scope: "Scope",
  scopes: { chat: "chat: rooms, devices, conversations and files", profile: "profile: only who you are" },
  life: "Ends after",
  lives: { quarter: "90 days", day: "a day", month: "30 days", year: "a year" },
  issued: "The new token",
  issuedLead: "It is shown only now. Whoever has it acts for you.",

  usage: "AI replies",
  quotaLeft: (left, max) => `${left} of ${max} left`,

  appearance: "Language and appearance",

  yourData: "Your data",
  yourDataLead:
    "A JSON file with your account, rooms, messages, devices, conversations, and the addresses of your files.",
  exportData: "Download your data",

  remove: "Delete the account",
  removeTitle: "Delete your account?",
  removeLead:
    "Your devices, files and tokens go. Your messages stay in their rooms without your name. Nobody gets your username again. This cannot be undone.",
};
