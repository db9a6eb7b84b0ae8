/*
 * A teleprinter on an ESP32 over MQTT: prints texts on the serial port, and says "pressed" when its button is pressed.
 *
 * Libraries: PubSubClient 2.8 of Nick O'Leary, and WiFi and WiFiClientSecure of the ESP32 Arduino core 3.
 * Register the device with its owner's token, and get a token for this device only:
 *   curl -H "Authorization: Bearer $TELEX_TOKEN" --json '{"deviceId": "esp32-printer", "name": "ESP32 printer"}' \
 *     $TELEX_URL/external/api/v1/teleprinter/register
 *   telex token issue --user 1 --scope device:esp32-printer
 */

#include <PubSubClient.h>
#include <WiFi.h>
#include <WiFiClientSecure.h>

static const char *wifiName = "your network";
static const char *wifiPassword = "its password";
static const char *host = "telex.example";
static const uint16_t port = 8883;
static const char *token = "tlxp_...";
static const char *deviceId = "esp32-printer";
static const char *to = "telex/esp32-printer/to";
static const char *from = "telex/esp32-printer/from";

/* The certificate of the authority that signed the one of the server, in PEM. */
static const char *authority = "-----BEGIN CERTIFICATE-----\n...";

static const int button = 0;             // BOOT on most boards
static const size_t longestText = 9216;  // 2,000 characters of UTF-8, and the topic

static WiFiClientSecure network;
static PubSubClient mqtt(network);

/* PubSubClient acknowledges a text when this returns. Until then, it stays in the queue of the server. */
static void print(char *, uint8_t *text, unsigned int length) {
  Serial.write(text, length);
  Serial.println();
}

/* The user name is the ID of the device, and the password is its token. */
static bool connect() {
  if (WiFi.status() != WL_CONNECTED) return false;
  return mqtt.connect(deviceId, deviceId, token) && mqtt.subscribe(to, 1);
}

/* Says it once for each time that the button is pressed. PubSubClient publishes with QoS 0: what is said without a connection is lost. */
static void readButton() {
  static bool wasPressed = false;
  const bool isPressed = digitalRead(button) == LOW;
  if (isPressed && !wasPressed) mqtt.publish(from, "pressed");
  wasPressed = isPressed;
}

void setup() {
  Serial.begin(115200);
  pinMode(button, INPUT_PULLUP);
  WiFi.begin(wifiName, wifiPassword);
  network.setCACert(authority);
  mqtt.setServer(host, port);
  mqtt.setCallback(print);
  mqtt.setBufferSize(longestText);
  mqtt.setKeepAlive(60);
}

void loop() {
  static int pause = 1;
  if (mqtt.loop()) {
    pause = 1;
    readButton();
    delay(10);
  } else if (!connect()) {
    delay(1000 * pause);
    pause = min(2 * pause, 30);
  }
}
