/** The texts of the pages. A language that lacks one does not compile. */
export interface Texts {
  readonly product: string;
  readonly teleprinter: string;
  readonly rooms: string;
  readonly chat: string;
  readonly pictures: string;
  readonly files: string;
  readonly admin: string;
  readonly account: string;
  readonly reference: string;
  readonly userNumber: (userId: number) => string;
  readonly pages: string;
  readonly currentPage: (name: string) => string;
  readonly skipToContent: string;
  readonly close: string;
  /** Finds rooms, people, devices, conversations, pages and actions by name. */
  readonly find: string;
  /** The state of browser notifications. */
  readonly bell: { readonly on: string; readonly off: string; readonly denied: string };
  /** Shown after notifications were turned on or off, or the browser refused them. */
  readonly bellNotices: { readonly on: string; readonly off: string; readonly denied: string };
  readonly cancel: string;
  readonly optional: string;
  readonly back: string;
  readonly copy: string;
  readonly copied: string;

  readonly notFound: string;
  readonly notFoundLead: (path: string) => string;
  readonly notFoundHome: string;

  readonly signIn: string;
  readonly signInLead: string;
  readonly accessToken: string;
  readonly staySignedIn: string;
  readonly staySignedInHint: string;
  readonly signingIn: string;
  readonly howToGetToken: string;
  readonly getTokenLead: string;
  readonly signOut: string;
  readonly token: string;
  readonly password: string;
  readonly passwordWrong: string;
  readonly confirm: string;
  readonly confirmTitle: string;
  readonly confirmLead: string;
  readonly confirmWithPasskey: string;
  readonly passkeyNotUsed: string;
  readonly confirmWith: (provider: string) => string;
  readonly accessTokens: string;
  readonly accessTokensLead: string;
  readonly tokenNumber: (id: number) => string;
  readonly tokenCurrent: string;
  readonly tokenUnused: string;
  readonly tokenUsed: (when: string) => string;
  readonly tokenEndless: string;
  readonly tokenEnds: (when: string) => string;
  readonly revoke: string;
  readonly revokeToken: (name: string) => string;
  readonly revokeWarning: string;
  readonly revokeYes: (name: string) => string;
  readonly revokeAndSignOut: string;
  readonly tokenRevoked: string;
  readonly signedInAs: (name: string) => string;
  readonly sessionEnded: string;

  readonly settings: string;
  readonly language: string;
  readonly theme: string;
  readonly automatic: string;
  readonly light: string;
  readonly dark: string;
  readonly enterKey: string;
  readonly enterSends: string;
  readonly enterBreaks: string;

  readonly connecting: string;
  readonly live: string;
  readonly behind: string;
  readonly offline: string;
  readonly retryNow: string;

  readonly devices: string;
  readonly onlineCount: (online: number, all: number) => string;
  readonly filterDevices: string;
  readonly noDeviceMatches: (filter: string) => string;
  readonly devicesLoading: string;
  readonly devicesOffline: string;
  readonly online: string;
  readonly lastSeen: (when: string) => string;
  readonly justNow: string;
  readonly newTexts: (count: number) => string;
  /** Unread messages that mention the person. */
  readonly forYou: (count: number) => string;
  readonly draft: string;
  readonly pickDevice: string;
  /** The link to the only device. */
  readonly openDevice: string;
  readonly noDevices: string;
  readonly noDevicesLead: string;
  readonly simulateLead: string;
  /** Precedes a link to the access tokens of the person. */
  readonly simulateToken: string;

  readonly pair: string;
  readonly pairLead: string;
  readonly pairingCode: string;
  readonly pairingCodeHint: string;
  readonly lookUp: string;
  readonly pairQuestion: (name: string) => string;
  readonly pairWarning: string;
  readonly pairOwned: (name: string) => string;
  readonly pairExpires: (when: string) => string;
  readonly pairConfirm: string;
  readonly otherCode: string;
  readonly codeHas: (wrong: string) => string;
  readonly codeLength: (count: number) => string;
  readonly paired: (name: string) => string;

  readonly register: string;
  readonly registerLead: string;
  readonly registerHint: string;
  readonly aboutDevice: string;
  readonly deviceTags: string;
  readonly allDevices: string;
  readonly writeToAll: (count: number) => string;
  readonly deviceId: string;
  readonly deviceIdHint: string;
  readonly deviceName: string;
  readonly registered: (name: string) => string;
  readonly deviceMenu: (name: string) => string;
  readonly rename: string;
  readonly renamed: (name: string) => string;
  readonly save: string;
  readonly printRoom: string;
  readonly printRoomLead: string;
  readonly printedRoom: string;
  readonly noPrintedRoom: string;
  readonly printMentions: string;
  readonly printsRoom: (name: string) => string;
  readonly printsNoRoom: (name: string) => string;
  readonly unregister: string;
  readonly unregisterQuestion: (name: string) => string;
  readonly unregisterWarning: (deviceId: string) => string;
  readonly unregistered: (name: string) => string;
  readonly unknownDevice: string;
  readonly unknownDeviceLead: (deviceId: string) => string;

  readonly conversation: (name: string) => string;
  readonly olderTexts: string;
  readonly loadingOlder: string;
  readonly rollBegins: string;
  readonly textsLoading: string;
  readonly textsFailed: string;
  readonly tryAgain: string;
  readonly nothingPrinted: string;
  readonly nothingPrintedLead: (name: string) => string;
  readonly newBelow: (count: number) => string;
  readonly arrived: (count: number) => string;
  readonly arrivedText: (name: string, text: string) => string;
  readonly toDevice: string;
  readonly fromDevice: string;
  readonly picture: (lines: number, columns: number) => string;

  readonly sending: string;
  readonly waitsForConnection: string;
  readonly triedAgain: string;
  readonly waitsForDevice: string;
  readonly delivered: string;
  readonly waitsUntil: (when: string) => string;
  readonly expired: string;
  readonly via: (application: string, person: string) => string;
  readonly givenUp: string;
  readonly priorities: Readonly<Record<1 | 2 | 4 | 5, string>>;
  readonly sendOptions: string;
  readonly sendOptionsSet: (count: number) => string;
  readonly notSent: string;
  readonly sendAgain: string;
  readonly editAgain: string;
  readonly discard: string;

  readonly write: (name: string) => string;
  readonly writeHint: (name: string) => string;
  readonly send: string;
  readonly characters: (used: number, max: number) => string;
  readonly tooLong: (over: number) => string;
  readonly printPicture: string;
  readonly pictureReading: string;
  readonly pictureUnreadable: string;
  readonly pictureStyle: string;
  readonly pictureStyles: Readonly<Record<"ramp" | "blocks" | "braille" | "gray" | "border", string>>;
  readonly pictureWidth: string;
  readonly pictureWidest: (columns: number) => string;
  readonly pictureSize: (columns: number, lines: number, used: number, max: number) => string;
  readonly pictureSend: string;
  readonly uploaded: string;
  readonly uploadOf: (name: string) => string;
  readonly removeFile: (name: string) => string;
  readonly sendsHint: string;
  readonly breaksHint: string;

  /** Problems, ordered by what the person can do about them. */
  readonly problem: {
    readonly unreachable: string;
    readonly invalidToken: string;
    readonly insufficientScope: string;
    readonly deviceTaken: string;
    readonly deviceNotFound: string;
    readonly notOwner: string;
    readonly codeNotFound: string;
    readonly queueFull: string;
    readonly rateLimited: string;
    readonly nonceConflict: string;
    readonly botOffline: string;
    readonly deliveryFailed: string;
    readonly deliveryUnknown: string;
    readonly tooLate: string;
    readonly tooLarge: string;
    readonly quotaExceeded: string;
    readonly roomNotFound: string;
    readonly fileNotFound: string;
    readonly unavailable: string;
    readonly unknown: string;
  };
}
