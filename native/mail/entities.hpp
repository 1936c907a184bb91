// The character references of HTML that mails use.
#pragma once
#include <cstdint>

#include "mail/ascii.hpp"

namespace hardlimit::mail {

struct Reference {
    std::uint32_t code_point;
    std::size_t size;  // of the reference, from its ampersand; 0: it is none
};

// What stands at an ampersand; at most 12 bytes are looked at.
Reference read_reference(View at);

}  // namespace hardlimit::mail
