import type { AccountTexts } from "./type.ts";

/** The texts in English. */
export const en: AccountTexts = {
  saved: "Saved.",
  save: "Save",

  profile: "Profile",
  nickname: "Name",
  nicknameHint: "Shown to others.",
  username: "Username",
  usernameHint: "Used to sign in.",

  changePicture: "Change the picture",

  signingIn: "Signing in",
  newPassword: "New password",
  newPasswordHint: "At least 8 characters. All other browsers are signed out. Access tokens stay valid.",
  changePassword: "Change the password",
  passwordChanged: "The password is changed.",
  recovered: (when) => `A recovery link from an admin was used ${when}.`,

  passkeys: "Passkeys",
  passkeysLead:
    "A passkey is a key on your device. You sign in with your fingerprint, your face or the PIN of the device, without a password.",
  passkeysOff:
    "Passkeys do not work at this address: they need a domain name and HTTPS. The operator sets it as baseUrl.",
  passkeyName: "Name",
  passkeyAdded: (day) => `added on ${day}`,
  passkeyUsed: (when) => `used ${when}`,
  passkeyUnused: "never used",
  passkeyMade: "The passkey is added.",
  passkeyNotMade: "No passkey was created.",
  passkeyRemoved: "The passkey is removed.",
  addPasskey: "Add a passkey",
  rename: "Rename",
  removePasskey: "Remove",
  removePasskeyTitle: (name) => `Remove the passkey ${name}?`,
  removePasskeyLead: "You can no longer sign in with it. Browsers that are signed in stay signed in.",

  sessions: "Sessions",
  sessionsLead: "The browsers where you are signed in.",
  thisOne: "this browser",
  end: "End",
  endOf: (browser) => `End the session of ${browser}`,
  endOthers: "End all others",
  ended: "Signed out there.",

  newToken: "New token",
  newTokenLead:
    "A program with the token can act for you within its scope. It cannot change how you sign in or act as an admin.",
  tokenName: "Name",
  tokenNameHint: "Such as the program that will use it.",
  scope: "Scope",
  scopes: { chat: "chat: rooms, devices, conversations and files", profile: "profile: only who you are" },
  life: "Expires after",
  lives: { quarter: "90 days", day: "a day", month: "30 days", year: "a year" },
  issued: "The new token",
  issuedLead: "It is shown only once. Anyone who has it can act for you.",

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
    "Your devices, files and tokens are deleted. Your messages stay in their rooms without your name. Your username cannot be used again. This cannot be undone.",
};
