// HTML as a reader sees it: the visible text, with marks for links, images and hidden text.
#pragma once
#include "mail/marks.hpp"
#include "mail/output.hpp"

namespace hardlimit::mail {

// `html` is valid UTF-8. False where a comment, a script or a tag was never closed. Every byte is
// looked at once, but for searches that are given up for good when they fail.
bool reduce_html(View html, Marks &marks, Words &words);

}  // namespace hardlimit::mail
