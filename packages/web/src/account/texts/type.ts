/** The texts of the account page, loaded with it. A language that lacks one does not compile. */
export interface AccountTexts {
  readonly saved: string;
  readonly save: string;

  readonly profile: string;
  readonly nickname: string;
  readonly nicknameHint: string;
  readonly username: string;
  readonly usernameHint: string;

  readonly changePicture: string;

  readonly signingIn: string;
  readonly newPassword: string;
  readonly newPasswordHint: string;
  readonly changePassword: string;
  readonly passwordChanged: string;
  readonly recovered: (when: string) => string;

  readonly passkeys: string;
  readonly passkeysLead: string;
  readonly passkeysOff: string;
  readonly passkeyName: string;
  readonly passkeyAdded: (day: string) => string;
  readonly passkeyUsed: (when: string) => string;
  readonly passkeyUnused: string;
  readonly passkeyMade: string;
  readonly passkeyNotMade: string;
  readonly passkeyRemoved: string;
  readonly addPasskey: string;
  readonly rename: string;
  readonly removePasskey: string;
  readonly removePasskeyTitle: (name: string) => string;
  readonly removePasskeyLead: string;

  readonly sessions: string;
  readonly sessionsLead: string;
  readonly thisOne: string;
  readonly end: string;
  readonly endOf: (browser: string) => string;
  readonly endOthers: string;
  readonly ended: string;

  readonly newToken: string;
  readonly newTokenLead: string;
  readonly tokenName: string;
  readonly tokenNameHint: string;
  readonly scope: string;
  readonly scopes: Readonly<Record<"chat" | "profile", string>>;
  readonly life: string;
  readonly lives: Readonly<Record<"quarter" | "day" | "month" | "year", string>>;
  readonly issued: string;
  readonly issuedLead: string;

  readonly usage: string;
  readonly quotaLeft: (left: string, max: string) => string;

  readonly appearance: string;

  readonly yourData: string;
  readonly yourDataLead: string;
  readonly exportData: string;

  readonly remove: string;
  readonly removeTitle: string;
  readonly removeLead: string;
}
