// The part of ArduinoJson 7 that the sketches use: objects of texts to write, and any JSON to read.
#pragma once
#include <map>
#include <memory>
#include <vector>
#include "Arduino.h"

struct JsonValue {
  std::map<std::string, std::shared_ptr<JsonValue>> members;
  std::vector<std::shared_ptr<JsonValue>> items;
  /** The characters of a text or of a number. */
  std::string scalar;
};

class JsonObject;
typedef std::vector<JsonObject> JsonArray;

class JsonRef {
 public:
  explicit JsonRef(std::shared_ptr<JsonValue> value) : value_(value) {}
  void operator=(const String &text) { value_->scalar = text.whole(); }
  void operator=(const char *text) { value_->scalar = text; }
  template <typename T>
  T as() const;

 protected:
  std::shared_ptr<JsonValue> value_;
};

class JsonObject : public JsonRef {
 public:
  using JsonRef::JsonRef;
  JsonRef operator[](const char *name) const {
    std::shared_ptr<JsonValue> &member = value_->members[name];
    if (!member) member = std::make_shared<JsonValue>();
    return JsonRef(member);
  }
};

class JsonDocument : public JsonObject {
 public:
  JsonDocument() : JsonObject(std::make_shared<JsonValue>()) {}
  JsonValue &root() const { return *value_; }
};

template <>
inline uint64_t JsonRef::as<uint64_t>() const {
  return value_->scalar.empty() ? 0 : std::stoull(value_->scalar);
}
template <>
inline String JsonRef::as<String>() const {
  return String(value_->scalar);
}
template <>
inline JsonArray JsonRef::as<JsonArray>() const {
  JsonArray all;
  for (const auto &item : value_->items) all.push_back(JsonObject(item));
  return all;
}

inline std::string quoted(const std::string &text) {
  std::string written = "\"";
  for (const char each : text) {
    char code[8];
    snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(each));
    const bool isPlain = static_cast<unsigned char>(each) >= 0x20 && each != '"' && each != '\\';
    written += isPlain ? std::string(1, each) : std::string(code);
  }
  return written + "\"";
}

inline void serializeJson(const JsonDocument &document, String &text) {
  std::string written;
  for (const auto &[name, value] : document.root().members)
    written += (written.empty() ? "" : ",") + quoted(name) + ":" + quoted(value->scalar);
  text = String("{" + written + "}");
}

class JsonReader {
 public:
  explicit JsonReader(const std::string &text) : text_(text) {}
  /** False for what is not JSON. */
  bool read(JsonValue &value) {
    const char first = next();
    if (first == '{' || first == '[') return readAll(value, first == '{');
    if (first == '"') return readText(value.scalar);
    while (at_ < text_.length() && std::string(",]} \n").find(text_[at_]) == std::string::npos) value.scalar += text_[at_++];
    return !value.scalar.empty();
  }

 private:
  char next() {
    while (at_ < text_.length() && (text_[at_] == ' ' || text_[at_] == '\n')) at_ += 1;
    return at_ < text_.length() ? text_[at_] : 0;
  }
  bool readAll(JsonValue &value, bool isObject) {
    const char end = isObject ? '}' : ']';
    at_ += 1;
    while (next() != end) {
      std::string name;
      if (isObject && (next() != '"' || !readText(name) || next() != ':')) return false;
      if (isObject) at_ += 1;
      const auto part = std::make_shared<JsonValue>();
      if (!read(*part)) return false;
      if (isObject) value.members[name] = part;
      else value.items.push_back(part);
      if (next() == ',') at_ += 1;
      else if (next() != end) return false;
    }
    at_ += 1;
    return true;
  }
  bool readText(std::string &text) {
    for (at_ += 1; at_ < text_.length() && text_[at_] != '"'; at_ += 1) {
      if (text_[at_] != '\\') text += text_[at_];
      else if (!readEscape(text)) return false;
    }
    at_ += 1;
    return at_ <= text_.length();
  }
  bool readEscape(std::string &text) {
    const std::string names = "bfnrt\"\\/", meant = "\b\f\n\r\t\"\\/";
    at_ += 1;
    const size_t place = at_ < text_.length() ? names.find(text_[at_]) : std::string::npos;
    if (place == std::string::npos) return false;
    text += meant[place];
    return true;
  }

  const std::string &text_;
  size_t at_ = 0;
};

class DeserializationError {
 public:
  enum Code { Ok, InvalidInput };
  DeserializationError(Code code) : code_(code) {}
  bool operator==(Code code) const { return code_ == code; }

 private:
  Code code_;
};

inline DeserializationError deserializeJson(JsonDocument &document, const String &text) {
  return JsonReader(text.whole()).read(document.root()) ? DeserializationError::Ok : DeserializationError::InvalidInput;
}
