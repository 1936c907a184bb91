// Marked tokens of one message, a limited number of each kind.
#pragma once
#include <array>
#include <map>
#include <string>
#include <vector>

#include "mail/output.hpp"
#include "mail/settings.hpp"

namespace hardlimit::mail {

// Where a mark stands: in the order in which a block of marks has them.
enum class Group {
    subject,
    tags,
    punctuation,
    types,
    structure,
    urls,
    origin,
    sender,
    list,
    found,
    header
};
inline constexpr std::size_t groups = 11;

// A message as one text, or as three: its words, how it is made, and the words of its header.
enum class Layout { joined, blocks };

class Marks {
  public:
    Marks(const Settings &settings, Layout layout);

    bool wants(Part part) const { return settings_.has(part); }

    // kind__text, if the part is wanted.
    void add(Part part, View kind, View text);
    // Each word of a text, marked; valid UTF-8.
    void add_words(Group group, View kind, View text);
    // The host of an address, by its last one, two, three and four names: link__com,
    // link__example_com.
    void add_host(Group group, View kind, View host);
    // What is told of a link's address: its host, or what stands in its place.
    void add_link(View address);
    void add_image(View address);
    // An element of HTML: once, however often it stands there.
    void add_tag(View name);

    // Counts one of a kind that has a limit; false where there were so many.
    bool take(Part part, std::size_t most) { return counts_[part]++ < most; }

    Words &words(Group group) { return buffers_[places_[static_cast<std::size_t>(group)]]; }

    // In a joined text: what stands before its words, and after them.
    std::string &front() { return buffers_[0].text(); }
    std::string &back() { return buffers_[1].text(); }
    // All marks but those of the header, group by group.
    std::string joined() const;

  private:
    const Settings &settings_;
    std::vector<Words> buffers_;
    std::array<std::size_t, groups> places_{};
    std::vector<std::string> tags_;
    std::map<Part, std::size_t> counts_;
};

// Marks the addresses in a text; valid UTF-8.
void find_links(View text, Marks &marks);

}  // namespace hardlimit::mail
