// A socket of the computer. It is not encrypted: the certificate is not looked at.
#pragma once
#include "WiFi.h"

class WiFiClientSecure {
 public:
  ~WiFiClientSecure() { stop(); }
  void setCACert(const char *) {}
  int connect(const char *host, uint16_t port);
  bool connected() const { return socket_ >= 0; }
  void stop();
  bool write(const uint8_t *bytes, size_t length);
  /** Waits for the bytes. False at the end of the connection. */
  bool readAll(uint8_t *bytes, size_t length);
  /** True if there is something to read, also the end of the connection. */
  bool isReadable() const;

 private:
  int socket_ = -1;
};
