/** Below this path lies the teleprinter. */
export const home = "/user/teleprinter/";

/** Below this path lie the conversations with models. */
export const chatHome = "/user/chat/";

/** Below this path are the chat rooms. */
export const roomsHome = "/user/rooms/";

/** A picture as text. */
export const picturesHome = "/user/pictures/";

/** The files of the person. */
export const filesHome = "/user/files/";

/** The pages of the person's own things. */
export const accountHome = "/user/account/";

/** The pages for admins. */
export const adminHome = "/user/admin/";

/** The addresses of the teleprinter; the group `deviceId` is the device whose paper is shown. */
export const teleprinterAddress: RegExp = /^\/user\/teleprinter(?:\/?|\/device\/(?<deviceId>[A-Za-z0-9_-]{1,64})\/?)$/;

/** The addresses of the conversations; the group `conversationId` is the one that is shown, or `new`, and `messageId` the message in sight. */
export const chatAddress: RegExp =
  /^\/user\/chat(?:\/?|\/(?<conversationId>new|[1-9]\d{0,15})(?:\/(?<messageId>[1-9]\d{0,15}))?\/?)$/;

/** The addresses of the chat rooms; the group `groupId` is the one that is shown, and `messageId` the message in sight. */
export const roomsAddress: RegExp =
  /^\/user\/rooms(?:\/?|\/(?<groupId>[1-9]\d{0,15})(?:\/(?<messageId>[1-9]\d{0,15}))?\/?)$/;

/** The address of the page of pictures. */
export const picturesAddress: RegExp = /^\/user\/pictures\/?$/;

/** The address of the page of files. */
export const filesAddress: RegExp = /^\/user\/files\/?$/;

/** The address of the page of the account. */
export const accountAddress: RegExp = /^\/user\/account\/?$/;

/** The address at which a person signs in with a token. */
export const tokenAddress: RegExp = /^\/user\/token\/?$/;

/**
 * The addresses of the pages for admins: the groups `list` and `id` are one user or room that is shown, `section` a list.
 */
export const adminAddress: RegExp =
  /^\/user\/admin(?:\/?|\/(?:(?<list>users|rooms)\/(?<id>[1-9]\d{0,15})|(?<section>users|rooms|devices|tokens|bots|files|audit))\/?)$/;

/** True for the root of the pages, which leads to the teleprinter. */
export const isRoot = (path: string): boolean => /^\/user\/?$/.test(path);

const addresses = [
  teleprinterAddress,
  roomsAddress,
  chatAddress,
  picturesAddress,
  filesAddress,
  accountAddress,
  adminAddress,
  tokenAddress,
];

/** True for the address of a page. Every other address below `/user/` is not found. */
export const isPage = (path: string): boolean => isRoot(path) || addresses.some((address) => address.test(path));
