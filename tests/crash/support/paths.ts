const external = "/external/api/v1";

/** The paths of the calls that the tests make (interface 4). */
export const paths = {
  register: `${external}/teleprinter/register`,
  unregister: `${external}/teleprinter/unregister`,
  heartbeat: `${external}/teleprinter/heartbeat`,
  offline: `${external}/teleprinter/offline`,
  devices: `${external}/teleprinter/devices`,
  messages: `${external}/teleprinter/messages`,
  poll: `${external}/teleprinter/poll`,
  send: `${external}/teleprinter/send`,
  sync: `${external}/teleprinter/sync`,
  pair: `${external}/teleprinter/pair`,
  history: `${external}/im/getMessage`,
  upload: `${external}/bucket/upload`,
  chat: `${external}/sseStream/chat`,
  quota: `${external}/sseStream/quota`,
  conversations: `${external}/sseStream/conversations`,
  userId: `${external}/oauth2/userId`,
  userInfo: `${external}/oauth2/userinfo`,
  code: "/api/storage/generateCode",
  uploadByCode: "/filePersistence/upload/crash",
} as const;
