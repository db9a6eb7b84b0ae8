// One request over HTTP/1.0 for each call: the end of the connection is the end of the answer.
#pragma once
#include "Arduino.h"
#include "WiFiClientSecure.h"

class HTTPClient {
 public:
  void begin(const String &url) {
    const std::string rest = url.whole().substr(std::string("http://").length());
    const size_t path = rest.find('/'), colon = rest.find(':');
    host_ = rest.substr(0, colon);
    port_ = std::stoi(rest.substr(colon + 1, path - colon - 1));
    path_ = rest.substr(path);
  }
  void setTimeout(int) {}
  void addHeader(const String &name, const String &value) { headers_ += name.whole() + ": " + value.whole() + "\r\n"; }
  int GET() { return call("GET", ""); }
  int POST(const String &body) { return call("POST", body.whole()); }
  String getString() const { return body_; }
  void end() { client_.stop(); }

 private:
  int call(const std::string &method, const std::string &body) {
    if (!client_.connect(host_.c_str(), port_)) return -1;
    const std::string length = "Content-Length: " + std::to_string(body.length()) + "\r\n";
    const std::string request =
        method + " " + path_ + " HTTP/1.0\r\nHost: " + host_ + "\r\n" + headers_ + length + "\r\n" + body;
    if (!client_.write(reinterpret_cast<const uint8_t *>(request.data()), request.length())) return -1;
    std::string answer;
    for (uint8_t byte = 0; client_.readAll(&byte, 1);) answer += static_cast<char>(byte);
    const size_t head = answer.find("\r\n\r\n");
    if (head == std::string::npos) return -1;
    body_ = answer.substr(head + 4);
    return std::stoi(answer.substr(answer.find(' ') + 1));
  }

  std::string host_, path_, headers_, body_;
  int port_ = 80;
  WiFiClientSecure client_;
};
