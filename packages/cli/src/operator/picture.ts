import { openLocal } from "../input/local-file.ts";

/** The picture of this option; null if none is given, or if it is taken away. */
export const openPicture = async (avatar: string | undefined): Promise<File | null> =>
  avatar === undefined || avatar === "" ? null : await openLocal(avatar);

/** What is changed of a user or a room: a picture is stored apart from the rest. */
interface Change<C, T> {
  readonly change: C;
  readonly picture: File | null;
  readonly putAvatar: (file: File) => Promise<T>;
  readonly amend: (change: C) => Promise<T>;
}

/** The picture first: one that cannot be read changes nothing. */
export async function changeWithPicture<C extends object, T>(asked: Change<C, T>): Promise<T> {
  const { change, picture, putAvatar, amend } = asked;
  const pictured = picture === null ? null : await putAvatar(picture);
  return pictured !== null && Object.keys(change).length === 0 ? pictured : await amend(change);
}
