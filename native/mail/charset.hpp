// From bytes in some charset to UTF-8.
#pragma once
#include <string>

#include "mail/settings.hpp"

namespace hardlimit::mail {

class Charsets {
  public:
    Charsets(const Decode &decode, Tally &tally) : decode_(decode), tally_(tally) {}

    // Appends valid UTF-8. An empty name is none: bytes that are UTF-8 are read as such, else as
    // windows-1252. ASCII and Latin-1 mean windows-1252 too, as in every mail reader.
    void decode(View charset, View bytes, std::string &out);

  private:
    void decode_utf8(View bytes, std::string &out);
    void guess(View bytes, std::string &out);

    const Decode &decode_;
    Tally &tally_;
};

}  // namespace hardlimit::mail
