import { toNodeHandler } from "h3/node";
import { expect, it } from "vitest";
import { createHttp } from "../src/server/app.ts";
import { serveHttp } from "../src/server/serve.ts";
import { openRaw } from "./raw.ts";
import { closeAfterTest, setup, teleprinter } from "./setup.ts";

const json = "content-type: application/json\r\n";

/** The text of a request; `<token>` is replaced by a token. */
const post = (path: string, body: string, headers = json): string =>
  `POST ${path} HTTP/1.1\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n<rest>${body}`;

const get = (target: string, headers = "", method = "GET"): string =>
  `${method} ${target} HTTP/1.1\r\n${headers}<rest>`;

const auth = "authorization: Bearer <token>\r\n";
const files = "/api/file";
const devices = `${teleprinter}/devices`;

const requests = [
  get(devices, auth),
  get(devices, auth + auth),
  get(devices, `${auth}authorization: Basic eDp5\r\n`),
  get(devices, "authorization: Basic eDp5\r\n"),
  get(`${devices}/`, auth),
  get(`/${devices}`, auth),
  get(devices.toUpperCase(), auth),
  get(devices.replace("v1", "%76%31"), auth),
  get(`/healthz/..${devices}`, auth),
  get(`http://other.test${devices}`, auth),
  get(`${devices}?`, auth),
  get(`${devices}?access_token=<token>`),
  get(`${devices}?access_token=<token>&access_token=<token>`),
  get(`${devices}?pageSize=1&pageSize=2`, auth),
  get(`${devices}?pageSize=%31&x='"<>`, auth),
  get(`${devices}?pageSize=%ff`, auth),
  get(`${devices}?cursor=a%23b#pageSize=0`, auth),
  get(devices, `${auth}accept-language: en\r\naccept-language: zh\r\n`),
  get(devices, auth, "HEAD"),
  get(devices, auth, "PUT"),
  get(devices, auth, "OPTIONS"),
  get("/healthz", "", "HEAD"),
  get("/healthz", "accept-language: en\r\n", "DELETE"),
  get("*", "", "OPTIONS"),
  get(`${files}/${"0".repeat(32)}`, auth),
  get(`${files}/${"0".repeat(32)}/`, auth),
  get(`${files}/a.b?x=1`, auth),
  get(`${files}/a%2Fb`, auth),
  get(`${files}/%e4%bd%a0`, auth),
  get(`${files}/..`, auth),
  get(`${files}/.a`, auth),
  get(`${files}/a:b@c`, auth),
  get(`${files}/`, auth),
  get(`${files}//`, auth),
  get(`${files}/a`, auth, "DELETE"),
  get("/", "accept: text/html\r\n"),
  get("/nothing/here", auth),
  post(`${teleprinter}/rename`, '{"deviceId":"none","name":"n"}', auth + json),
  post(`${teleprinter}/rename`, '{"deviceId":"none","name":"n"}', `${auth}${json}${json}`),
  post(`${teleprinter}/rename`, "", auth + json),
  post(`${teleprinter}/rename`, "{", `${auth}content-type: text/html\r\n`),
  post(`${teleprinter}/rename`, "{}", `${auth}${json}expect: 100-continue\r\n`),
];

/** A response with its headers in the order of their names, and without the date. */
function sorted(response: string): string[] {
  const [head = "", body = ""] = response.split("\r\n\r\n");
  const lines = head.split("\r\n").filter((line) => !/^date:/i.test(line));
  return [...lines.toSorted(), body];
}

/** Sends a request, and returns the response. */
async function answerOf(url: string, request: string): Promise<string[]> {
  const raw = await openRaw(url);
  raw.write(request);
  return sorted(await raw.ended);
}

it("a request to the router gets the response that it gets through the framework", async () => {
  const { telex, alice } = await setup("in process");
  const direct = createHttp(telex);
  const throughFramework = { ...direct, node: toNodeHandler(direct.app) };
  const urls = await Promise.all(
    [direct, throughFramework].map(async (http) => {
      const { url, close } = await serveHttp(http, { port: 0 });
      closeAfterTest(() => close(0));
      return url;
    }),
  );
  const rest = "host: telex.test\r\nconnection: close\r\n\r\n";
  for (const request of requests) {
    const sent = request.replaceAll("<token>", alice.token).replace("<rest>", rest);
    const [answer, expected] = await Promise.all(urls.map((url) => answerOf(url, sent)));
    expect({ request, answer }).toEqual({ request, answer: expected });
  }
});
