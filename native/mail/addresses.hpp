// Addresses in a text: of the web and of mail.
#pragma once
#include "mail/marks.hpp"
#include "mail/output.hpp"

namespace hardlimit::mail {

// Valid UTF-8; without addresses unless their words are wanted.
void put_text(View text, const Marks &marks, Words &words);

}  // namespace hardlimit::mail
