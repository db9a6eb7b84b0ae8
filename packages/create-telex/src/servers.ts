/** A server that a project can be made for. */
export interface Server {
  /** The name in its own documentation. */
  readonly title: string;
  /** Further packages of the project, in the versions that the tests run. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Packages that only the compiler and editors need, in addition to those of every project. Default: none. */
  readonly types?: Readonly<Record<string, string>>;
  /** Scripts of the project. Default: `main.ts` is started directly. */
  readonly scripts: Readonly<Record<string, string>>;
  /** The commands in its README after `npm install`. */
  readonly commands: readonly string[];
}

const plain = { start: "node main.ts", dev: "node --watch main.ts" };

/** The servers by the name that `--server` takes. A test compares the versions with those of the repository. */
export const servers = {
  node: { title: "node:http", dependencies: {}, scripts: plain, commands: ["npm start"] },
  express: {
    title: "Express",
    dependencies: { express: "^5.3.0" },
    types: { "@types/express": "^5.0.6" },
    scripts: plain,
    commands: ["npm start"],
  },
  fastify: { title: "Fastify", dependencies: { fastify: "^5.12.8" }, scripts: plain, commands: ["npm start"] },
  hono: {
    title: "Hono",
    dependencies: { "@hono/node-server": "^2.1.8", hono: "^4.13.19" },
    scripts: plain,
    commands: ["npm start"],
  },
  h3: { title: "h3", dependencies: { h3: "2.0.8" }, scripts: plain, commands: ["npm start"] },
  nuxt: {
    title: "Nuxt",
    dependencies: { nuxt: "^4.5.2" },
    scripts: { build: "nuxt build", start: "node main.ts" },
    commands: ["npm run build", "npm start"],
  },
  next: {
    title: "Next",
    dependencies: { next: "^16.4.6", react: "^19.3.1", "react-dom": "^19.3.1" },
    scripts: { dev: "node main.ts", build: "next build", start: "NODE_ENV=production node main.ts" },
    commands: ["npm run build", "npm start"],
  },
} as const satisfies Readonly<Record<string, Server>>;

export type ServerName = keyof typeof servers;

/** True for a name of {@link servers}. */
export const isServerName = (name: string): name is ServerName => Object.hasOwn(servers, name);
