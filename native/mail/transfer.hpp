// Transfer encodings: base64, quoted-printable, uuencode, and none.
#pragma once
#include <string>

#include "mail/settings.hpp"

namespace hardlimit::mail {

// At most `most` bytes; false where something in it was invalid, and was skipped or kept.
bool decode_base64(View bytes, std::size_t most, std::string &out);
// `words`: as in encoded words, where _ is a blank.
bool decode_quoted_printable(View bytes, std::size_t most, bool words, std::string &out);

// Whether text in an encoding of this name has to be decoded.
bool changes_bytes(View encoding);

// By the name of the encoding; bytes of an unknown one as they are. A view of `bytes` or of `made`.
View decode_transfer(View encoding, View bytes, std::size_t most, std::string &made, Tally &tally);

}  // namespace hardlimit::mail
