import type { Command } from "commander";

/** Adds arguments, options and an action to a command. */
type Define = (command: Command) => void;

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the module of the command, which is only needed if the command is chosen. */
  readonly load: () => Promise<Define>;
}

export const entries: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Run the server",
    load: async () => (await import("./commands/serve.ts")).defineServe,
  },
  {
    name: "image",
    summary: "Print a picture as text",
    load: async () => (await import("./commands/image.ts")).defineImage,
  },
  {
    name: "device",
    summary: "List, rename, remove and pair devices, send to one, or simulate some",
    load: async () => (await import("./commands/device/device.ts")).defineDevice,
  },
  {
    name: "group",
    summary: "Add, list and change chat rooms and members; talk and search in rooms",
    load: async () => (await import("./commands/group/group.ts")).defineGroup,
  },
  {
    name: "hook",
    summary: "Create addresses at which programs write to chat rooms and devices",
    load: async () => (await import("./commands/hook.ts")).defineHook,
  },
  {
    name: "user",
    summary: "Add, invite, list, show, change and remove users",
    load: async () => (await import("./commands/user.ts")).defineUser,
  },
  {
    name: "session",
    summary: "List the browsers that are signed in to an account, and sign them out",
    load: async () => (await import("./commands/user-account.ts")).defineSession,
  },
  {
    name: "client",
    summary: "Register, list and remove applications with which people sign in",
    load: async () => (await import("./commands/client.ts")).defineClient,
  },
  {
    name: "token",
    summary: "Issue, list and revoke access tokens",
    load: async () => (await import("./commands/token.ts")).defineToken,
  },
  {
    name: "ai",
    summary: "Ask an AI model of a running server, and search what was said",
    load: async () => (await import("./commands/ai.ts")).defineAi,
  },
  {
    name: "file",
    summary: "Upload, download, list, share and delete your files on a running server",
    load: async () => (await import("./commands/file.ts")).defineFile,
  },
  {
    name: "login",
    summary: "Sign in with a browser, or store a token, for client commands",
    load: async () => (await import("./commands/login.ts")).defineLogin,
  },
  {
    name: "mcp",
    summary: "Offer the devices, rooms and files of a running server to a model as tools",
    load: async () => (await import("./commands/mcp.ts")).defineMcp,
  },
  {
    name: "logout",
    summary: "Sign out, and delete the stored profile",
    load: async () => (await import("./commands/login.ts")).defineLogout,
  },
  {
    name: "completion",
    summary: "Print a script that completes commands in a shell",
    load: async () => (await import("./commands/complete.ts")).defineCompletion,
  },
  {
    name: "quota",
    summary: "Set and show the AI quota of a user",
    load: async () => (await import("./commands/quota.ts")).defineQuota,
  },
  {
    name: "files",
    summary: "List stored files, delete expired ones, or block one",
    load: async () => (await import("./commands/files.ts")).defineFiles,
  },
  {
    name: "status",
    summary: "Show what a running server is doing",
    load: async () => (await import("./commands/status.ts")).defineStatus,
  },
  {
    name: "top",
    summary: "Watch what a running server is doing",
    load: async () => (await import("./commands/status.ts")).defineTop,
  },
  {
    name: "drain",
    summary: "Prepare one of several servers for its stop",
    load: async () => (await import("./commands/status.ts")).defineDrain,
  },
  {
    name: "bot",
    summary: "Add, list, change and remove accounts of external networks",
    load: async () => (await import("./commands/bot.ts")).defineBot,
  },
  {
    name: "backup",
    summary: "Copy database and files while servers run",
    load: async () => (await import("./commands/backup.ts")).defineBackup,
  },
  {
    name: "restore",
    summary: "Restore a backup into an empty storage",
    load: async () => (await import("./commands/backup.ts")).defineRestore,
  },
  {
    name: "export",
    summary: "Write all records as lines of JSON, with the files",
    load: async () => (await import("./commands/export.ts")).defineExport,
  },
  {
    name: "import",
    summary: "Read an export into an empty storage",
    load: async () => (await import("./commands/export.ts")).defineImport,
  },
  {
    name: "migrate",
    summary: "Bring a database up to date, or copy it into another storage",
    load: async () => (await import("./commands/migrate.ts")).defineMigrate,
  },
  {
    name: "config",
    summary: "Print the settings in force and where they come from",
    load: async () => (await import("./commands/config.ts")).defineConfig,
  },
  {
    name: "doctor",
    summary: "Check whether Telex can run here",
    load: async () => (await import("./commands/doctor.ts")).defineDoctor,
  },
];
