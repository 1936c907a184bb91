// Files that stand uuencoded within a text: "begin 644 name", lines of numbers, "end".
#pragma once
#include <string>
#include <vector>

#include "mail/ascii.hpp"

namespace hardlimit::mail {

struct UuFile {
    View name;
    View lines;  // still encoded
    bool ended;  // by its last line
};

// Takes the files out of a text: they are appended, and `text` becomes what stood around them, put
// together in `made` where there were any. Every byte is looked at once or twice.
void take_uuencoded(View &text, std::string &made, std::vector<UuFile> &files);

// Appends at most so many bytes.
void decode_uuencoded(View lines, std::size_t most, std::string &out);

}  // namespace hardlimit::mail
