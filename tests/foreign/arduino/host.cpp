// The computer as an ESP32: runs the sketch that is compiled with it.
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <chrono>
#include <thread>
#include "PubSubClient.h"

SerialPort Serial;
Network WiFi;

unsigned long millis() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void delay(unsigned long milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

void pinMode(int, int) {}

static bool isReadableNow(int descriptor) {
  pollfd asked = {descriptor, POLLIN, 0};
  return poll(&asked, 1, 0) > 0;
}

int digitalRead(int) {
  char key = 0;
  return isReadableNow(STDIN_FILENO) && read(STDIN_FILENO, &key, 1) == 1 && key == 'p' ? LOW : HIGH;
}

int WiFiClientSecure::connect(const char *host, uint16_t port) {
  stop();
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo *found = nullptr;
  if (getaddrinfo(host, std::to_string(port).c_str(), &hints, &found) != 0) return 0;
  socket_ = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  if (::connect(socket_, found->ai_addr, found->ai_addrlen) != 0) stop();
  freeaddrinfo(found);
  return connected() ? 1 : 0;
}

void WiFiClientSecure::stop() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

bool WiFiClientSecure::write(const uint8_t *bytes, size_t length) {
  return connected() && ::send(socket_, bytes, length, MSG_NOSIGNAL) == static_cast<ssize_t>(length);
}

bool WiFiClientSecure::readAll(uint8_t *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    const ssize_t count = connected() ? ::read(socket_, bytes + done, length - done) : 0;
    if (count <= 0) return false;
    done += count;
  }
  return true;
}

bool WiFiClientSecure::isReadable() const { return connected() && isReadableNow(socket_); }

void setup();
void loop();

int main() {
  setup();
  for (;;) loop();
}
