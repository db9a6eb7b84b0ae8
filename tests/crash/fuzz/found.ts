/**
 * Inputs that once broke a target, by target: each byte as a latin-1 character. Every `npm test` replays them.
 */
export const found: Readonly<Record<string, readonly string[]>> = {
  json: ['{"id":1.e5}', '{"x\\"Id":1.0}', '{"id":-0}'],
  multipart: [
    "--x\r\n--x--",
    "--x\r\n--x--\r\n\r\n--x--",
    "--x\r\n\r\n\r\n--x--",
    '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n--x--',
  ],
  ranges: ["bytes=-0", "bytes=99999999999999999999-"],
  segments: ['[{"type":"at","data":{"ext":{"toString":1}}}]', '[{"type":"constructor","data":{}}]'],
  queries: ["deviceId=%00", "limit=1&limit=2"],
  mqtt: [
    "\x01",
    "\x00",
    "\x01\x30\xff\xff\xff\xff\x7f",
    "\x01\xf0\x02\x00\x00",
    "\x01\x82\x02\x00\x01",
    "\x00\x10\x00",
  ],
  frames: [`{"identifier":1.0,"command":{"toString":1}}`, `{"command":${"[".repeat(3000)}${"]".repeat(3000)}}`],
};
