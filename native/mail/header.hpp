// Header fields, their parameters, and encoded words.
#pragma once
#include <string>
#include <vector>

#include "mail/charset.hpp"
#include "mail/cursor.hpp"
#include "mail/settings.hpp"

namespace hardlimit::mail {

struct Field {
    std::string name;  // lower case
    View value;        // as it stands, folded
};

class Header {
  public:
    // Takes the fields and the empty line after them. `whole` tells the header of a message, which
    // may be missing, from that of a part.
    static Header take(Cursor &cursor, const Settings &settings, bool whole, Tally &tally);

    const std::vector<Field> &fields() const { return fields_; }
    // The first one of a name; empty if there is none.
    View value(View name) const {
        for (const Field &field : fields_)
            if (field.name == name) return field.value;
        return {};
    }

  private:
    std::vector<Field> fields_;
};

// "text/html; charset=utf-8" and "attachment; filename*0=..." in parts.
struct Parameters {
    std::string value;                                         // lower case
    std::vector<std::pair<std::string, std::string>> entries;  // names in lower case

    // Continuations and percent signs of RFC 2231 resolved; empty if there is none of that name.
    std::string get(View name) const;
};
Parameters read_parameters(View field);

// The value of a field as people read it: unfolded, encoded words (RFC 2047) decoded.
std::string decode_words(View field, Charsets &charsets);

}  // namespace hardlimit::mail
