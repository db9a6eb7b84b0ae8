/** The path of the avatar of a user. */
export const avatarPath = (userId: number | string): string => `/api/avatar/get/personal?id=${userId}`;

/** The address of the avatar of a chat room (interface 4.4). */
export const groupAvatarPath = (groupId: number): string => `/api/avatar/get/group?id=${groupId}`;

/** The address of the avatar of a user of the external network (interface 2.9). */
export const extAvatarPath = (ext: string): string => `/api/avatar/get/EXTpersonal?id=${encodeURIComponent(ext)}`;
