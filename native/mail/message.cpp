#include "mail/message.hpp"

#include <algorithm>

#include "mail/addresses.hpp"
#include "mail/clues.hpp"
#include "mail/header.hpp"
#include "mail/html.hpp"
#include "mail/labels.hpp"
#include "mail/transfer.hpp"
#include "mail/uuencode.hpp"

namespace hardlimit::mail {
namespace {

constexpr std::size_t deepest = 100;  // whatever is asked for: each level takes a stack frame
constexpr View message_type = "message/rfc822";
constexpr std::size_t longest_extension = 10;
constexpr std::size_t longest_boundary = 1000;
constexpr std::size_t charset_within = 2048;  // bytes of HTML in which it is looked for
constexpr std::size_t most_uu_files = 1000;   // of a text whose words are read

// What a file is that stands uuencoded in a text, by the extension of its name.
View kind_of_file(View name) {
    const std::size_t dot = name.rfind('.');
    const View extension = dot == View::npos ? View() : name.substr(dot + 1);
    for (const View html : {"htm", "html", "xhtml"})
        if (equals(extension, html)) return "text/html";
    for (const View text :
         {"txt", "text", "asc", "csv", "log", "md", "diff", "patch", "ics", "vcf"})
        if (equals(extension, text)) return "text/plain";
    return "application/octet-stream";
}

class Message {
  public:
    Message(const Settings &settings, Layout layout, const Decode &decode, Tally &tally)
        : settings_(settings),
          tally_(tally),
          charsets_(decode, tally),
          marks_(settings, layout),
          words_(settings.limits.text),
          text_left_(settings.limits.text) {}

    std::string read(View bytes) {
        Cursor cursor(bytes);
        entity(cursor, 0, true, {});
        std::string made = std::move(marks_.front());
        for (std::string *part : {&words_.text(), &marks_.back()}) {
            trim(made);
            if (made.size() && part->size()) made += '\n';
            made += *part;
        }
        trim(made);
        return made;
    }

    Blocks read_blocks(View bytes) {
        Cursor cursor(bytes);
        entity(cursor, 0, true, {});
        Blocks made{std::move(words_.text()), marks_.joined(),
                    std::move(marks_.words(Group::header).text())};
        for (std::string *block : {&made.text, &made.header}) trim(*block);
        return made;
    }

  private:
    static void trim(std::string &text) {
        while (text.size() && is_blank(text.back())) text.pop_back();
    }

    // A message or a part, with its header; takes it up to the delimiter that ends it. `fallback`
    // is its type where its header has none.
    std::optional<Delimiter> entity(Cursor &cursor, std::size_t depth, bool whole, View fallback) {
        if (++parts_ > settings_.limits.parts) {
            if (parts_ == settings_.limits.parts + 1) tally_.count(Mend::too_many_parts);
            cursor.go_to_end();
            return std::nullopt;
        }
        const Header header = Header::take(cursor, settings_, whole, tally_);
        if (whole) tell(header);
        const Parameters type = read_parameters(header.value("content-type"));
        View kind = type.value.empty() ? fallback : View(type.value);
        if (type.value.empty() && kind == message_type && is_message(header)) {
            // A digest whose parts have no header of their own: this is the one of the message.
            tell(header);
            kind = {};
        }
        if (depth >= std::min(settings_.limits.depth, deepest)) {
            tally_.count(Mend::too_deep);
            View body;
            return cursor.take_body(body);
        }
        if (kind.starts_with("multipart/")) {
            marks_.add(type_marks, "type", kind);
            std::string boundary = type.get("boundary");
            const View inside = kind == "multipart/digest" ? message_type : View();
            if (!boundary.empty() && boundary.size() <= longest_boundary)
                return multipart(cursor, depth, std::move(boundary), inside);
            tally_.count(Mend::missing_boundary);
        }
        const View encoding = stripped(header.value("content-transfer-encoding"));
        const bool nested = kind == message_type || kind == "message/news";
        if (nested) {
            marks_.add(type_marks, "type", kind);
            if (!begins_with(encoding, "base64") && !begins_with(encoding, "quoted-printable"))
                return entity(cursor, depth + 1, true, {});
        }
        View body;
        const auto ended = cursor.take_body(body);
        if (nested)
            encoded_message(body, encoding, depth);
        else
            leaf(header, type, encoding, body);
        return ended;
    }

    static bool is_message(const Header &header) {
        return header.value("subject").size() || header.value("from").size();
    }

    std::optional<Delimiter> multipart(Cursor &cursor, std::size_t depth, std::string boundary,
                                       View inside) {
        cursor.open(std::move(boundary));
        const std::size_t own = cursor.n_open() - 1;
        View ignored;  // what stands before the first part, and after the last
        auto found = cursor.take_body(ignored);
        // Without any part the body is a text after all.
        if (!found && !ignored.empty()) leaf({}, {}, {}, ignored);
        while (found && found->part == own && !found->closes)
            found = entity(cursor, depth + 1, false, inside);
        cursor.close();
        if (found && found->part == own) return cursor.take_body(ignored);
        tally_.count(Mend::unclosed_multipart);
        return found;
    }

    void encoded_message(View body, View encoding, std::size_t depth) {
        std::string made;
        Cursor inner(decode_transfer(encoding, body, body.size(), made, tally_));
        entity(inner, depth + 1, true, {});
    }

    void leaf(const Header &header, const Parameters &type, View encoding, View body) {
        const View kind = type.value.empty() ? View("text/plain") : View(type.value);
        const Parameters place = read_parameters(header.value("content-disposition"));
        std::string name = place.get("filename");
        if (name.empty()) name = type.get("name");
        const bool is_text = kind.starts_with("text/") || kind.starts_with("message/") ||
                             kind.starts_with("multipart/") || kind.find('/') == View::npos;
        if (!is_text || place.value == "attachment" || !name.empty()) tell_attachment(kind, name);
        if (!is_text) return;
        if (header.value("content-type").size()) marks_.add(type_marks, "type", kind);
        text(kind, type.get("charset"), encoding, body);
    }

    void text(View kind, View charset, View encoding, View body) {
        std::string made, around;
        std::vector<UuFile> files;
        // As it stands a body costs nothing, so that files within it are taken out before it is
        // cut.
        const bool plain = !changes_bytes(encoding);
        View bytes =
            decode_transfer(encoding, body, plain ? body.size() : text_left_, made, tally_);
        if (kind != "text/html") take_uuencoded(bytes, around, files);
        show(kind, charset, bytes, body.empty());
        const std::size_t most = std::min(files.size(), most_uu_files);
        if (files.size() > most) tally_.count(Mend::too_many_parts);
        for (std::size_t i = 0; i < most; ++i) uuencoded(files[i]);
    }

    void uuencoded(const UuFile &file) {
        const View kind = kind_of_file(file.name);
        tell_attachment(kind, file.name);
        if (!file.ended) tally_.count(Mend::bad_transfer_encoding);
        if (!kind.starts_with("text/")) return;
        std::string bytes;
        decode_uuencoded(file.lines, text_left_, bytes);
        show(kind, {}, bytes, file.lines.empty());
    }

    // The text of a part, decoded but for its charset.
    void show(View kind, View charset, View bytes, bool empty) {
        std::string decoded;
        bytes = bytes.substr(0, text_left_);
        const bool cut = bytes.size() >= text_left_ && !empty;
        text_left_ -= std::min(text_left_, bytes.size());
        if (cut) {
            tally_.count(Mend::long_text);
            bytes = without_begun_character(bytes);
        }
        const bool html = kind == "text/html" || kind == "text/enriched" || begins_html(bytes);
        std::string declared;
        if (charset.empty() && html) {
            declared = find_charset(bytes);
            charset = declared;
        }
        if (!charset.empty()) marks_.add(type_marks, "charset", charset);
        charsets_.decode(charset, bytes, decoded);
        View visible = decoded;
        if (!settings_.keep_labels) visible = without_footer(visible);
        if (!html && !settings_.has(signature_words)) visible = without_signature(visible);
        if (html && !settings_.has(html_markup)) {
            Words unseen(settings_.has(body_words) ? 0 : settings_.limits.text);
            Words &words = settings_.has(body_words) ? words_ : unseen;
            if (!reduce_html(visible, marks_, words)) tally_.count(Mend::unclosed_html);
        } else {
            if (settings_.has(body_words)) put_text(visible, marks_, words_);
        }
        find_urls(decoded, marks_);
        if (!html) {
            find_links(visible, marks_);
            find_punctuation(visible, marks_);
        }
        words_.line();
    }

    // What is sent as plain text may be HTML all the same.
    static bool begins_html(View bytes) {
        bytes = bytes.substr(0, charset_within);
        bytes = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
        return begins_with(bytes, "<html") || begins_with(bytes, "<!doctype html") ||
               begins_with(bytes, "<body") || begins_with(bytes, "<head>");
    }

    // <meta ... charset=...>
    static std::string find_charset(View html) {
        html = html.substr(0, charset_within);
        const std::size_t at = find_lowered(html, "charset=");
        if (at == View::npos) return {};
        View name = html.substr(at + 8);
        while (name.size() && (name[0] == '"' || name[0] == '\'')) name.remove_prefix(1);
        return std::string(name.substr(0, name.find_first_of("\"' />;\t\r\n")));
    }

    void tell(const Header &header) {
        std::string subject = decode_words(header.value("subject"), charsets_);
        View shown = settings_.keep_labels ? View(subject) : without_tags(subject);
        if (settings_.has(subject_words)) {
            put_text(shown, marks_, words_);
            words_.line();
        }
        find_punctuation(shown, marks_);
        if (settings_.has(subject_marks)) marks_.add_words(Group::subject, "subject", shown);
        if (settings_.has(from_marks))
            marks_.add_host(Group::sender, "from", domain_of(header.value("from")));
        if (settings_.has(list_marks)) tell_list(header);
        if (settings_.all_headers || !settings_.headers.empty()) tell_others(header);
        add_structure(header, marks_);
        add_header_words(header, settings_, charsets_, marks_);
    }

    void tell_list(const Header &header) {
        const View id = header.value("list-id");
        const std::size_t open = id.rfind('<');
        View name = open == View::npos ? id : id.substr(open + 1);
        name = stripped(name.substr(0, name.find('>')));
        marks_.add(list_marks, "list", name.size() <= longest_mark ? name : View());
        for (const View field : {"list-unsubscribe", "list-post", "list-help"})
            if (header.value(field).size()) marks_.add(list_marks, "list", field.substr(5));
        const View precedence = stripped(header.value("precedence"));
        if (precedence.size() <= 10) marks_.add(list_marks, "precedence", precedence);
    }

    void tell_others(const Header &header) {
        for (const Field &field : header.fields()) {
            const bool named = std::find(settings_.headers.begin(), settings_.headers.end(),
                                         field.name) != settings_.headers.end();
            if (!named && !(settings_.all_headers && !is_dropped(field.name, settings_.dropped)))
                continue;
            marks_.add_words(Group::header, field.name, decode_words(field.value, charsets_));
        }
    }

    void tell_attachment(View kind, View name) {
        marks_.add(attachment_marks, "attachment", kind);
        const std::size_t dot = name.rfind('.');
        if (dot == View::npos || name.size() - dot - 1 > longest_extension) return;
        marks_.add(attachment_marks, "extension", name.substr(dot + 1));
    }

    const Settings &settings_;
    Tally &tally_;
    Charsets charsets_;
    Marks marks_;
    Words words_;
    std::size_t text_left_;
    std::size_t parts_ = 0;
};

}  // namespace

namespace {

// The bytes of a message that are looked at; `own` has them where some had to be mended.
View take_message(View bytes, const Settings &settings, std::string &own, Tally &tally) {
    if (bytes.size() > settings.limits.bytes) {
        tally.count(Mend::cut_message);
        bytes = bytes.substr(0, settings.limits.bytes);
    }
    const auto nulls = static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\0'));
    const bool old = bytes.find('\n') == View::npos && bytes.find('\r') != View::npos;
    if (nulls || old) {
        own = bytes;
        // Null bytes are dropped; lines that end as on the old Macintosh end as everywhere.
        std::erase(own, '\0');
        if (old) std::replace(own.begin(), own.end(), '\r', '\n');
        tally.count(Mend::null_bytes, nulls);
        bytes = own;
    }
    return bytes;
}

}  // namespace

std::string read_message(View bytes, const Settings &settings, const Decode &decode, Tally &tally) {
    std::string own;
    bytes = take_message(bytes, settings, own, tally);
    return Message(settings, Layout::joined, decode, tally).read(bytes);
}

Blocks read_blocks(View bytes, const Settings &settings, const Decode &decode, Tally &tally) {
    std::string own;
    bytes = take_message(bytes, settings, own, tally);
    return Message(settings, Layout::blocks, decode, tally).read_blocks(bytes);
}

std::string read_field(View bytes, View name, const Settings &settings, const Decode &decode) {
    Tally tally;
    Charsets charsets(decode, tally);
    Cursor cursor(bytes.substr(0, settings.limits.header));
    const Header header = Header::take(cursor, settings, true, tally);
    return decode_words(header.value(name), charsets);
}

}  // namespace hardlimit::mail
