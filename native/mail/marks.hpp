// Marked tokens of one message, in the order in which they were met, a limited number of each kind.
#pragma once
#include "mail/output.hpp"
#include "mail/settings.hpp"

namespace hardlimit::mail {

class Marks {
  public:
    explicit Marks(const Settings &settings) : settings_(settings), words_(settings.limits.text) {}

    bool wants(Part part) const { return settings_.has(part); }

    // kind__text, if the part is wanted.
    void add(Part part, View kind, View text) {
        if (wants(part)) words_.mark(make_mark(kind, text));
    }
    // Each word of a text, marked; valid UTF-8.
    void add_words(View kind, View text);
    // The host of an address, by its last one, two, three and four names: link__com,
    // link__example_com.
    void add_host(View kind, View host);
    // What is told of a link's address: its host, or what stands in its place.
    void add_link(View address);
    void add_image(View address);

    Words &words() { return words_; }

  private:
    const Settings &settings_;
    Words words_;
};

// Marks the addresses in a text; valid UTF-8.
void find_links(View text, Marks &marks);

}  // namespace hardlimit::mail
