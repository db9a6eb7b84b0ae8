import { maskAll } from "@telex/core/options";
import { choice, integer, list, optional, secret, toggle } from "../kind.ts";
import { contact } from "../address-kinds.ts";
import { duration } from "../quantity-kinds.ts";
import { define } from "../setting.ts";

/** Accounts of people who sign in. */
export const accountRows = {
  registration: define(
    "registration",
    choice("closed", "invited", "open"),
    "invited",
    "who can open an account: no one, people with an invitation, or everyone",
  ),
  invitations: define(
    "invitations",
    choice("admins", "members"),
    "admins",
    "who can invite people; members only into rooms that they run",
  ),
  roomCreation: define(
    "roomCreation",
    choice("everybody", "admins"),
    "everybody",
    "who can create chat rooms; everyone can open private chats",
  ),
  editLife: define("editLife", duration, 24 * 3_600_000, "time for which people can edit a message that they sent"),
  directory: define(
    "directory",
    choice("everybody", "shared"),
    "everybody",
    "whom people find: everybody with an account, or only people with whom they share a room",
  ),
  sessionLife: define(
    "sessionLife",
    duration,
    12 * 3_600_000,
    "time without use after which a browser is signed out, unless its person stays signed in",
  ),
  insecureCookies: define(
    "insecureCookies",
    toggle,
    false,
    "lets people sign in over HTTP at a baseUrl beyond this machine: others in the network can then read passwords",
  ),
  mcp: define(
    "mcp",
    toggle,
    true,
    "models can use devices, rooms and files as tools at /mcp, with tokens of their people",
  ),
  pushAllow: define(
    "pushAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "private addresses (host:port) of push services; without it, notifications go to public addresses only",
  ),
  pushContact: define(
    "pushContact",
    optional(contact),
    null,
    "mailto: or https: address for push services to contact you; default: baseUrl",
  ),
  commandLineLogin: define(
    "commandLineLogin",
    toggle,
    true,
    "telex login can sign people in with a browser, as the built-in application telex-cli",
  ),
  clientDocuments: define(
    "clientDocuments",
    toggle,
    true,
    "unregistered applications can sign people in, if their id is the address of a document about them",
  ),
  clientDocumentsAllow: define(
    "clientDocumentsAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "private addresses (host:port) whose documents about applications are read, also over HTTP; without it, public addresses only",
  ),
  refreshGraceSeconds: define(
    "refreshGraceSeconds",
    integer(0, 3600),
    10,
    "seconds in which an application that lost a response can use a refresh token again; 0: never",
  ),
  secretKey: define(
    "secretKey",
    optional(secret("<secret>")),
    null,
    "encrypts the keys in the storage that sign for applications; all servers need the same one, and the keys cannot be read without it",
    maskAll,
  ),
} as const;
