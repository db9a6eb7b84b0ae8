#include "PubSubClient.h"

static std::string number(uint16_t value) { return {static_cast<char>(value >> 8), static_cast<char>(value & 255)}; }
static std::string field(const std::string &text) { return number(text.size()) + text; }

static uint16_t numberAt(const std::vector<uint8_t> &bytes, size_t place) {
  return place + 1 < bytes.size() ? bytes[place] << 8 | bytes[place + 1] : 0;
}

void PubSubClient::setServer(const char *host, uint16_t port) {
  host_ = host;
  port_ = port;
}

bool PubSubClient::setBufferSize(uint16_t size) {
  bufferSize_ = size;
  return size > 0;
}

bool PubSubClient::send(uint8_t head, const std::string &body) {
  std::string packet(1, static_cast<char>(head));
  size_t length = body.size();
  do {
    packet += static_cast<char>(length > 127 ? (length & 127) | 128 : length);
    length >>= 7;
  } while (length > 0);
  packet += body;
  lastSent_ = millis();
  return network_.write(reinterpret_cast<const uint8_t *>(packet.data()), packet.size());
}

bool PubSubClient::receive(Packet &packet) {
  uint8_t byte = 128;
  size_t length = 0;
  if (!network_.readAll(&packet.head, 1)) return false;
  for (int shift = 0; byte > 127 && shift < 28; shift += 7) {
    if (!network_.readAll(&byte, 1)) return false;
    length |= static_cast<size_t>(byte & 127) << shift;
  }
  packet.body.resize(length);
  return network_.readAll(packet.body.data(), length);
}

bool PubSubClient::connect(const char *id, const char *user, const char *password) {
  if (!network_.connect(host_.c_str(), port_)) return false;
  const char cleanWithUserAndPassword = static_cast<char>(0xc2);
  Packet answer;
  const std::string body = field("MQTT") + '\4' + cleanWithUserAndPassword + number(keepAlive_) + field(id) + field(user) + field(password);
  if (send(0x10, body) && receive(answer) && answer.head == 0x20 && numberAt(answer.body, 0) == 0) return true;
  network_.stop();
  return false;
}

bool PubSubClient::subscribe(const char *topic, uint8_t qos) {
  lastId_ += 1;
  return send(0x82, number(lastId_) + field(topic) + static_cast<char>(qos));
}

bool PubSubClient::publish(const char *topic, const char *payload) { return send(0x30, field(topic) + payload); }

void PubSubClient::handle(const Packet &packet) {
  if (packet.head >> 4 != 3 || packet.body.size() + 5 > bufferSize_) return;
  const uint16_t topicLength = numberAt(packet.body, 0);
  const bool isAnswered = (packet.head & 6) != 0;
  size_t start = 2 + topicLength;
  const uint16_t id = numberAt(packet.body, start);
  if (isAnswered) start += 2;
  std::string topic(packet.body.begin() + 2, packet.body.begin() + 2 + topicLength);
  std::vector<uint8_t> payload(packet.body.begin() + start, packet.body.end());
  callback_(topic.data(), payload.data(), payload.size());
  if (isAnswered) send(0x40, number(id));
}

bool PubSubClient::loop() {
  if (!network_.connected()) return false;
  if (millis() - lastSent_ > keepAlive_ * 1000UL) send(0xc0, "");
  while (network_.isReadable()) {
    Packet packet;
    if (!receive(packet)) {
      network_.stop();
      return false;
    }
    handle(packet);
  }
  return true;
}
