// A message (RFC 822, MIME) as text: marked tokens of its header, the words of all its text parts,
// marked tokens of what stands in them. Any bytes are a message; what had to be mended is counted.
#pragma once
#include <string>

#include "mail/settings.hpp"

namespace hardlimit::mail {

// A message in three texts: its words, marks of how it is made, marked words of its header.
struct Blocks {
    std::string text, marks, header;
};

std::string read_message(View bytes, const Settings &settings, const Decode &decode, Tally &tally);

Blocks read_blocks(View bytes, const Settings &settings, const Decode &decode, Tally &tally);

// The first value of a field of the header, decoded; empty if there is none.
std::string read_field(View bytes, View name, const Settings &settings, const Decode &decode);

}  // namespace hardlimit::mail
