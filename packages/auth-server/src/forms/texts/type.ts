import type { ProviderTexts } from "./providers.ts";

/** The texts of the forms. */
export interface FormTexts {
  readonly product: string;
  readonly signIn: string;
  readonly username: string;
  readonly usernameHint: string;
  readonly nickname: string;
  readonly nicknameHint: string;
  readonly password: string;
  readonly newPassword: string;
  readonly newPasswordHint: string;
  readonly show: { readonly word: string; readonly name: string };
  readonly passkey: {
    readonly or: string;
    readonly use: string;
    readonly make: string;
    readonly confirm: string;
    readonly failed: string;
  };
  readonly stay: string;
  readonly stayHint: (hours: number) => string;
  readonly useToken: string;
  readonly noAccount: { readonly open: string; readonly invited: string; readonly closed: string };
  readonly lost: string;
  readonly register: string;
  readonly registerLead: string;
  readonly haveAccount: string;
  readonly link: string;
  readonly linkHint: string;
  readonly goOn: string;
  readonly join: { readonly title: string; readonly by: (name: string) => string; readonly submit: string };
  readonly room: {
    readonly title: string;
    readonly lead: (members: number) => string;
    readonly submit: string;
    readonly signIn: string;
  };
  readonly until: (host: string, day: string) => string;
  readonly rooms: string;
  readonly setup: { readonly title: string; readonly lead: string; readonly submit: string };
  readonly recover: {
    readonly title: string;
    readonly lead: string;
    readonly warning: string;
    readonly submit: string;
    readonly keep: string;
    readonly keepLead: string;
    readonly passkey: (name: string) => string;
    readonly added: (day: string) => string;
  };
  readonly enter: {
    readonly title: string;
    readonly lead: string;
    readonly submit: string;
    readonly other: (name: string) => string;
  };
  readonly signOut: { readonly title: string; readonly lead: (name: string) => string; readonly none: string };
  readonly stayHere: string;
  readonly off: {
    readonly title: string;
    readonly insecure: string;
    readonly elsewhere: string;
    readonly ask: string;
  };
  readonly consent: {
    readonly title: (name: string) => string;
    readonly asks: (user: string) => string;
    readonly scopes: Readonly<Record<"openid" | "profile" | "chat" | "device", string>>;
    /** A scope for one device. Without a name, the person has no device with the id. */
    readonly oneDevice: (id: string, name: string | null) => string;
    /** About an application whose id is the address of its document. */
    readonly from: (host: string) => string;
    readonly leads: (target: string) => string;
    readonly confirm: string;
    readonly signIn: (name: string) => string;
    readonly allow: string;
    readonly deny: string;
  };
  readonly device: {
    readonly title: string;
    readonly lead: string;
    readonly code: string;
    readonly codeHint: string;
    readonly warning: string;
    readonly wrong: string;
    readonly done: string;
    readonly doneLead: (name: string) => string;
    readonly denied: string;
    readonly deniedLead: string;
  };
  readonly provider: ProviderTexts;
  readonly refused: string;
  readonly foreign: string;
  readonly openHere: string;
  readonly back: string;
}
