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

  signingIn: "Signing in",
  newPassword: "New password",
  newPasswordHint: "8 characters or more. All other browsers are signed out; access tokens stay.",
  changePassword: "Change the password",
  passwordChanged: "The password is changed.",
  recovered: (when) => `A recovery link of an admin was used ${when}.`,

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

  remove: "Delete the account",
  removeTitle: "Delete your account?",
  removeLead:
    "Your devices, files and tokens go. Your messages stay in their rooms without your name. Nobody gets your username again. This cannot be undone.",
};
