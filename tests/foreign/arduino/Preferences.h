// Keeps numbers in files of the working folder, over restarts of the program.
#pragma once
#include <fstream>
#include "Arduino.h"

class Preferences {
 public:
  void begin(const char *name, bool) { name_ = name; }
  uint64_t getULong64(const char *key, uint64_t otherwise) {
    std::ifstream file(place(key));
    uint64_t value = 0;
    return file >> value ? value : otherwise;
  }
  void putULong64(const char *key, uint64_t value) { std::ofstream(place(key)) << value; }

 private:
  std::string place(const char *key) const { return name_ + "." + key; }
  std::string name_;
};
