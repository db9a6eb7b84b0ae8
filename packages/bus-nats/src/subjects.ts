/** Names the subject of a topic; null: the subject of what every server is told. */
export function createSubjects(installation: string): (topic: string | null) => string {
  const prefix = `telex.${installation}`;
  return (topic) => {
    if (topic === null) return `${prefix}.all`;
    const colon = topic.indexOf(":");
    return `${prefix}.${topic.slice(0, colon)}.${wordOf(topic.slice(colon + 1))}`;
  };
}

/** A text as one word of a subject, readable where possible. A device can have any text as its ID. */
const wordOf = (text: string): string =>
  /^[\w-]{1,128}$/.test(text) ? text : `=${Buffer.from(text).toString("base64url")}`;
