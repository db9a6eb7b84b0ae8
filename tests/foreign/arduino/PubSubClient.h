// MQTT 3.1.1 behind the interface of PubSubClient, as far as the sketches use it.
#pragma once
#include <string>
#include <vector>
#include "WiFiClientSecure.h"

class PubSubClient {
 public:
  typedef void (*Callback)(char *topic, uint8_t *payload, unsigned int length);

  explicit PubSubClient(WiFiClientSecure &network) : network_(network) {}
  void setServer(const char *host, uint16_t port);
  void setCallback(Callback callback) { callback_ = callback; }
  /** Longer packets are dropped, as PubSubClient does. */
  bool setBufferSize(uint16_t size);
  void setKeepAlive(uint16_t seconds) { keepAlive_ = seconds; }
  bool connect(const char *id, const char *user, const char *password);
  bool subscribe(const char *topic, uint8_t qos);
  bool publish(const char *topic, const char *payload);
  /** Handles what has come. False without a connection. */
  bool loop();

 private:
  struct Packet {
    uint8_t head = 0;
    std::vector<uint8_t> body;
  };

  bool send(uint8_t head, const std::string &body);
  bool receive(Packet &packet);
  void handle(const Packet &packet);

  WiFiClientSecure &network_;
  std::string host_;
  uint16_t port_ = 0;
  size_t bufferSize_ = 256;
  uint16_t keepAlive_ = 15;
  uint16_t lastId_ = 0;
  unsigned long lastSent_ = 0;
  Callback callback_ = nullptr;
};
