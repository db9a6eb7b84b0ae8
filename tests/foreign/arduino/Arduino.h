// The part of Arduino that the sketches use, on a computer. A line "p" on standard input presses the button once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

using std::min;
typedef uint8_t byte;

enum { LOW = 0, HIGH = 1 };
enum { INPUT_PULLUP = 5 };

unsigned long millis();
void delay(unsigned long milliseconds);
void pinMode(int pin, int mode);
int digitalRead(int pin);

/** A text of Arduino. Its numbers are written in decimal digits. */
class String {
 public:
  String(const char *text = "") : text_(text) {}
  String(const std::string &text) : text_(text) {}
  explicit String(int number) : text_(std::to_string(number)) {}
  explicit String(uint64_t number) : text_(std::to_string(number)) {}
  const char *c_str() const { return text_.c_str(); }
  unsigned length() const { return text_.length(); }
  const std::string &whole() const { return text_; }

 private:
  std::string text_;
};

inline String operator+(const String &a, const String &b) { return String(a.whole() + b.whole()); }

/** The serial port is standard output. */
class SerialPort {
 public:
  void begin(unsigned long) {}
  size_t write(const uint8_t *bytes, size_t length) {
    const size_t written = fwrite(bytes, 1, length, stdout);
    fflush(stdout);
    return written;
  }
  size_t println(const String &text) { return println(text.c_str()); }
  int printf(const char *format, ...) {
    va_list given;
    va_start(given, format);
    const int written = vprintf(format, given);
    va_end(given);
    fflush(stdout);
    return written;
  }
  size_t println(const char *text = "") {
    write(reinterpret_cast<const uint8_t *>(text), strlen(text));
    return write(reinterpret_cast<const uint8_t *>("\n"), 1);
  }
};

extern SerialPort Serial;
