/** Maps a topic to its subject; null maps to the subject that every server follows. */
export function createSubjects(installation: string): (topic: string | null) => string {
  const prefix = `telex.${installation}`;
  return (topic) => {
    if (topic === null) return `${prefix}.all`;
    const colon = topic.indexOf(":");
    return `${prefix}.${topic.slice(0, colon)}.${wordOf(topic.slice(colon + 1))}`;
  };
}

/** A text as one token of a subject, readable where possible. The ID of a device can be any text. */
const wordOf = (text: string): string =>
  /^[\w-]{1,128}$/.test(text) ? text : `=${Buffer.from(text).toString("base64url")}`;
