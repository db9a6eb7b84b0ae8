import { definePlugin } from "@telex/core";
import { checkOptions } from "@telex/core/options";
import { refuse } from "../link/server-link.ts";
import { readWanted } from "./connections/admission.ts";
import { implementationKinds, type OneBotImplementation, type OneBotImplementationOptions } from "./options.ts";
import { createRunning, type Running, refuseRequest } from "./running.ts";

/**
 * Makes Telex an implementation of OneBot 11 and 12 for its own rooms: frameworks act as its users, over WebSocket in both directions
 * and over HTTP. The operator chooses the users: `telex user set <id> --onebot on`.
 * @throws TypeError for an option that is unknown or of the wrong type
 * @example
 * const implementation = createOneBotImplementation({ baseUrl: "https://telex.example" });
 * const telex = await createTelex({ storage, blobs, images, plugins: [implementation.plugin] });
 * const ws = createWs(telex);
 * await serve({ telex, http: createHttp(telex), ws: [ws, implementation] });
 */
export function createOneBotImplementation(options: OneBotImplementationOptions): OneBotImplementation {
  checkOptions("createOneBotImplementation", options, implementationKinds);
  const { basePath = "" } = options;
  let running: Running | null = null;
  const close = async (): Promise<void> => {
    running?.close();
    running = null;
  };
  return {
    plugin: definePlugin({
      name: "onebot-implementation",
      on: {
        "room.changed": ({ groupId }) => running?.roomChanged(groupId),
        "user.changed": ({ userId }) => running?.userChanged(userId),
      },
      async start(telex) {
        running = createRunning(telex, options);
        await running.start();
        return close;
      },
    }),
    handleUpgrade(request, socket, head) {
      if (running !== null) return running.handleUpgrade(request, socket, head);
      const isOurs = readWanted(request, basePath) !== null;
      if (isOurs) refuse(socket, 503);
      return isOurs;
    },
    handleRequest: (request, response) =>
      running?.handleRequest(request, response) ?? refuseRequest(request, response, basePath),
    close,
  };
}
