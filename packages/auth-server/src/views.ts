export type { AccountView, InvitationView, MadeLinkView, SessionView } from "./accounts/views.ts";
