import { BSON, type Db } from "mongodb";
import { z } from "zod";

const collections = z.array(z.object({ name: z.string(), documents: z.array(z.string()) }));

/** All documents of a database, as text: BSON in base64. */
export async function dump(db: Db): Promise<string> {
  const all = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = all.map(({ name }) => name).filter((name) => !name.startsWith("system."));
  const dumped: z.infer<typeof collections> = [];
  for (const name of names.toSorted()) {
    const documents = await db.collection(name).find().toArray();
    dumped.push({
      name,
      documents: documents.map((document) => Buffer.from(BSON.serialize(document)).toString("base64")),
    });
  }
  return JSON.stringify(dumped);
}

/** Writes the documents into an empty database. */
export async function load(db: Db, text: string): Promise<void> {
  for (const { name, documents } of collections.parse(JSON.parse(text))) {
    const parsed = documents.map((document) => BSON.deserialize(Buffer.from(document, "base64")));
    await db.createCollection(name);
    if (parsed.length > 0) await db.collection(name).insertMany(parsed);
  }
}
