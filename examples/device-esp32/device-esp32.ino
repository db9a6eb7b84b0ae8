/*
 * A teleprinter on an ESP32: receives by long poll, prints on the serial port, answers "read".
 *
 * NOT TESTED ON HARDWARE. The tests of this repository compile it for the computer, with small versions of its libraries, and run
 * it against a server. It follows examples/device-python: polls with `ack`, nonces, and heartbeats by polling.
 *
 * Libraries: ArduinoJson 7, and WiFi, HTTPClient, Preferences of the ESP32 Arduino core 3.
 * Get a token for this device only:
 *   telex token issue --user 1 --scope device:esp32-printer
 */

#include <ArduinoJson.h>
#include <HTTPClient.h>
#include <Preferences.h>
#include <WiFi.h>

static const char *wifiName = "your network";
static const char *wifiPassword = "its password";
static const String server = "http://192.0.2.1:7700/external/api/v1/teleprinter";
static const String token = "tlxp_...";
static const String deviceId = "esp32-printer";

static const int pollWait = 25;  // seconds that the server holds a poll when nothing waits
static Preferences memory;       // keeps the last printed id over a restart
static uint64_t printed = 0;

/* One POST; true when the server has taken it, or never will: a refusal below 500 other than 429 is final. */
static bool post(const String &name, const JsonDocument &body) {
  HTTPClient http;
  http.begin(server + "/" + name);
  http.setTimeout(15000);
  http.addHeader("Authorization", "Bearer " + token);
  http.addHeader("Content-Type", "application/json");
  String text;
  serializeJson(body, text);
  const int status = http.POST(text);
  http.end();
  if (status != 200) Serial.printf("%s: %d\n", name.c_str(), status);
  return status >= 200 && status < 500 && status != 429;
}

static void postUntilAnswered(const String &name, const JsonDocument &body) {
  for (int pause = 1; !post(name, body); pause = min(2 * pause, 30)) delay(1000 * pause);
}

static void registerDevice() {
  JsonDocument body;
  body["deviceId"] = deviceId;
  body["name"] = "ESP32 printer";
  postUntilAnswered("register", body);
}

/* Prints one text, says so, and remembers it: printed twice after a power cut, it is still answered once. */
static void printText(uint64_t id, const String &content) {
  Serial.println(content);
  JsonDocument body;
  body["deviceId"] = deviceId;
  body["content"] = "read " + String(id);
  body["nonce"] = "read-" + String(id);
  postUntilAnswered("sync", body);
  printed = id;
  memory.putULong64("printed", printed);
}

/* Acknowledges what was printed and waits for more. False when there was no answer. */
static bool poll() {
  HTTPClient http;
  http.begin(server + "/poll?deviceId=" + deviceId + "&limit=5&wait=" + String(pollWait) + "&ack=" + String(printed));
  http.setTimeout((pollWait + 15) * 1000);
  http.addHeader("Authorization", "Bearer " + token);
  const int status = http.GET();
  JsonDocument answer;
  const bool whole = status == 200 && deserializeJson(answer, http.getString()) == DeserializationError::Ok;
  http.end();
  if (status == 404) registerDevice();
  if (!whole) return false;
  for (JsonObject message : answer["data"].as<JsonArray>()) {
    const uint64_t id = message["id"].as<uint64_t>();
    if (id > printed) printText(id, message["content"].as<String>());
  }
  return true;
}

void setup() {
  Serial.begin(115200);
  memory.begin("telex", false);
  printed = memory.getULong64("printed", 0);
  WiFi.begin(wifiName, wifiPassword);
  while (WiFi.status() != WL_CONNECTED) delay(200);
  registerDevice();
}

void loop() {
  static int pause = 1;
  if (poll()) {
    pause = 1;
    return;
  }
  delay(1000 * pause);
  pause = min(2 * pause, 30);
}
