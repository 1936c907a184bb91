// How a mail is made and where it comes from, as marked tokens: what tells unwanted mail in the
// collection of somebody else, too. The sets and their limits were chosen by measurement.
#pragma once
#include "mail/header.hpp"
#include "mail/marks.hpp"

namespace hardlimit::mail {

// Runs of punctuation in a text that people see: pu__ex3 for "!!!". `>` counts at the beginning of
// a line only, where it quotes.
void find_punctuation(View text, Marks &marks);

// Pieces of the addresses in a text or in markup: url__example_com, url__port, up__order.
void find_urls(View text, Marks &marks);

// Whether a mail is a reply, came from a list, and asks for answers elsewhere; the two steps of its
// way that are next to its sender, without what names the site that received it.
void add_structure(const Header &header, Marks &marks);

// Words of a header's fields, each marked by the name of its field. Dates are their time zone;
// fields that a filter wrote are left out.
void add_header_words(const Header &header, const Settings &settings, Charsets &charsets,
                      Marks &marks);

// The domain of the address in "Some Body <some.body@example.org>".
View domain_of(View field);

// Whether a name is one of those that are never read, unless they are asked for.
bool is_dropped(View name, const std::vector<std::string> &dropped);

}  // namespace hardlimit::mail
