/** The base path of the teleprinter. */
export const home = "/user/teleprinter/";

/** The base path of conversations. */
export const chatHome = "/user/chat/";

/** The base path of rooms. */
export const roomsHome = "/user/rooms/";

/** The path of the page that converts pictures to text. */
export const picturesHome = "/user/pictures/";

/** The path of the person's files. */
export const filesHome = "/user/files/";

/** The path of the account page. */
export const accountHome = "/user/account/";

/** The base path of the pages for admins. */
export const adminHome = "/user/admin/";

/** The paths of the teleprinter. The group `deviceId` is the open device. */
export const teleprinterAddress: RegExp = /^\/user\/teleprinter(?:\/?|\/device\/(?<deviceId>[A-Za-z0-9_-]{1,64})\/?)$/;

/** The paths of conversations. The group `conversationId` is the open conversation or `new`, and `messageId` is the message to show. */
export const chatAddress: RegExp =
  /^\/user\/chat(?:\/?|\/(?<conversationId>new|[1-9]\d{0,15})(?:\/(?<messageId>[1-9]\d{0,15}))?\/?)$/;

/** The paths of rooms. The group `groupId` is the open room, and `messageId` is the message to show. */
export const roomsAddress: RegExp =
  /^\/user\/rooms(?:\/?|\/(?<groupId>[1-9]\d{0,15})(?:\/(?<messageId>[1-9]\d{0,15}))?\/?)$/;

/** The path of the page of pictures. */
export const picturesAddress: RegExp = /^\/user\/pictures\/?$/;

/** The path of the page of files. */
export const filesAddress: RegExp = /^\/user\/files\/?$/;

/** The path of the account page. */
export const accountAddress: RegExp = /^\/user\/account\/?$/;

/** The path of the page where a person signs in with a token. */
export const tokenAddress: RegExp = /^\/user\/token\/?$/;

/** The paths of the pages for admins. The groups `list` and `id` are the open user or room, `section` is a list. */
export const adminAddress: RegExp =
  /^\/user\/admin(?:\/?|\/(?:(?<list>users|rooms)\/(?<id>[1-9]\d{0,15})|(?<section>users|rooms|devices|tokens|bots|files|audit))\/?)$/;

/** True for the root of the pages, which redirects to the teleprinter. */
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

/** True for the path of a page. Any other path below `/user/` is not found. */
export const isPage = (path: string): boolean => isRoot(path) || addresses.some((address) => address.test(path));
