import { openLocal } from "../input/local-file.ts";

/** The picture that the option names; null for no option, and for an empty one, which removes the picture. */
export const openPicture = async (avatar: string | undefined): Promise<File | null> =>
  avatar === undefined || avatar === "" ? null : await openLocal(avatar);

/** A change of a user or a room. The picture is stored separately. */
interface Change<C, T> {
  readonly change: C;
  readonly picture: File | null;
  readonly putAvatar: (file: File) => Promise<T>;
  readonly amend: (change: C) => Promise<T>;
}

/** Stores the picture first, so that an unreadable one changes nothing. */
export async function changeWithPicture<C extends object, T>(input: Change<C, T>): Promise<T> {
  const { change, picture, putAvatar, amend } = input;
  const pictured = picture === null ? null : await putAvatar(picture);
  return pictured !== null && Object.keys(change).length === 0 ? pictured : await amend(change);
}
