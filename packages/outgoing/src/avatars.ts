import { defaultLimits, type AvatarSource, type ExternalAvatar } from "@telex/core";
import { interfaceLimits } from "@telex/core/contract";
import { createOutgoing, type OutgoingOptions } from "./client.ts";

/** Options of {@link templateAvatarSource}. */
export interface AvatarTemplates extends OutgoingOptions {
  /**
   * The address of a user's avatar, such as `https://avatars.example/u/{id}?size={size}`; `{size}` is optional. Default:
   * users have none.
   */
  readonly personal?: string;
  /** The address of a group's avatar. Default: groups have none. */
  readonly group?: string;
}

/** An avatar that the network does not have. */
const gone: readonly number[] = [204, 404, 410];

const fill = (template: string, id: string, size: number): string =>
  template.replaceAll("{id}", () => encodeURIComponent(id)).replaceAll("{size}", String(size));

/** Refuses a template in which an id could choose anything but a part of the path or the query. */
function assertTemplate(template: string): void {
  const [one, other] = ["a", "b"].map((id) => URL.parse(fill(template, id, interfaceLimits.avatarSide)));
  const usable = one && other && /^https?:$/.test(one.protocol) && one.host === other.host && one.username === "";
  if (!usable || one.pathname + one.search === other.pathname + other.search) {
    throw new TypeError(
      `"${template}" is not an avatar template: write http(s)://<host>/... with {id} in the path or query.`,
    );
  }
}

/**
 * Avatars of an external network that serves them over http(s) (interface 4.4), through {@link createOutgoing}.
 * @throws TypeError for a template that is not an http(s) URL with `{id}` in its path or query, or an `allow` entry that is
 * not a `host:port`
 */
export function templateAvatarSource({ personal, group, ...connection }: AvatarTemplates): AvatarSource {
  const templates: Readonly<Record<ExternalAvatar["kind"], string | undefined>> = { personal, group };
  for (const template of [personal, group]) {
    if (template !== undefined) assertTemplate(template);
  }
  const outgoing = createOutgoing({ maxBytes: defaultLimits.avatarBytes, ...connection });
  const given = [personal, group].filter((template) => template !== undefined);
  return {
    // One picture for all sizes is fetched once.
    ...(given.every((template) => !template.includes("{size}")) && { sizes: [interfaceLimits.avatarSide] }),
    async fetch({ kind, id, size }) {
      const template = templates[kind];
      // An id of only dots would lead up the path, percent-encoded or not.
      if (template === undefined || /^\.+$/.test(id)) return null;
      const { status, body } = await outgoing.get(fill(template, id, size));
      if (status === 200) return body;
      if (gone.includes(status)) return null;
      throw new Error(`The source of avatars answers ${status}.`);
    },
  };
}
