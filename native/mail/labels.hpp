// What a filter or a mailing list has written into a message, which tells where the message has
// been and not what it says.
#pragma once
#include "mail/ascii.hpp"

namespace hardlimit::mail {

// The subject without "*****SPAM*****", "[SPAM]", "{Spam?}" and the tag of a list, "[ILUG]", at its
// beginning, also after "Re:".
View without_tags(View subject);

// A text up to the line "-- ", below which people write who they are.
View without_signature(View text);

// A text without the footer of a mailing list at its end.
View without_footer(View text);

}  // namespace hardlimit::mail
