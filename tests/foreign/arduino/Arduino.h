// What the sketches use of Arduino, on a computer. A line "p" on standard input presses the button once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

using std::min;
typedef uint8_t byte;

enum { LOW = 0, HIGH = 1 };
enum { INPUT_PULLUP = 5 };

unsigned long millis();
void delay(unsigned long milliseconds);
void pinMode(int pin, int mode);
int digitalRead(int pin);

/** The serial port is standard output. */
class SerialPort {
 public:
  void begin(unsigned long) {}
  size_t write(const uint8_t *bytes, size_t length) {
    const size_t written = fwrite(bytes, 1, length, stdout);
    fflush(stdout);
    return written;
  }
  size_t println(const char *text = "") {
    write(reinterpret_cast<const uint8_t *>(text), strlen(text));
    return write(reinterpret_cast<const uint8_t *>("\n"), 1);
  }
};

extern SerialPort Serial;
