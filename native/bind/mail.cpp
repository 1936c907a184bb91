// The door to reading mail; hardlimit.mail is its front.
#include <nanobind/nanobind.h>

#include "bind/bytes.hpp"
#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "mail/message.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hardlimit {
namespace {

// `decode(charset, bytes)` gives bytes of UTF-8 and how many characters were replaced, or None.
mail::Decode decode_by(const nb::callable &decode) {
    return [&decode](mail::View charset, mail::View bytes) -> std::optional<mail::Decoded> {
        const nb::object found =
            decode(nb::str(charset.data(), charset.size()), nb::bytes(bytes.data(), bytes.size()));
        if (found.is_none()) return std::nullopt;
        const auto pair = nb::cast<nb::tuple>(found);
        const auto text = nb::cast<nb::bytes>(pair[0]);
        return mail::Decoded{std::string(view_of(text)), nb::cast<std::uint64_t>(pair[1])};
    };
}

nb::object to_str(const std::string &utf8) {
    return nb::steal(
        PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), nullptr));
}

nb::tuple read_mail(const mail::Settings &settings, const nb::bytes &message,
                    const nb::callable &decode) {
    mail::Tally tally;
    const std::string text =
        mail::read_message(view_of(message), settings, decode_by(decode), tally);
    nb::object made = to_str(text);
    if (!made.is_valid()) throw nb::python_error();
    nb::list counts;
    for (const std::uint64_t n : tally.counts()) counts.append(n);
    return nb::make_tuple(std::move(made), counts);
}

nb::tuple read_mail_blocks(const mail::Settings &settings, const nb::bytes &message,
                           const nb::callable &decode) {
    mail::Tally tally;
    const mail::Blocks made =
        mail::read_blocks(view_of(message), settings, decode_by(decode), tally);
    nb::list counts;
    for (const std::uint64_t n : tally.counts()) counts.append(n);
    nb::list texts;
    for (const std::string *block : {&made.text, &made.marks, &made.header}) {
        nb::object text = to_str(*block);
        if (!text.is_valid()) throw nb::python_error();
        texts.append(text);
    }
    return nb::make_tuple(nb::tuple(texts), counts);
}

nb::object field(const mail::Settings &settings, const nb::bytes &message, const nb::str &name,
                 const nb::callable &decode) {
    nb::object made = to_str(
        mail::read_field(view_of(message), mail::View(name.c_str()), settings, decode_by(decode)));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

}  // namespace

void bind_mail(nb::module_ &module) {
    nb::class_<mail::Settings>(module, "MailSettings")
        .def(
            "__init__",
            [](mail::Settings *self, std::uint32_t parts, std::vector<std::size_t> limits,
               bool keep_labels, bool all_headers, std::vector<std::string> headers,
               std::vector<std::string> dropped, std::vector<std::string> never) {
                new (self) mail::Settings{
                    {limits.at(0), limits.at(1), limits.at(2), limits.at(3), limits.at(4)},
                    parts,
                    keep_labels,
                    all_headers,
                    std::move(headers),
                    std::move(dropped),
                    std::move(never)};
            },
            "parts"_a, "limits"_a, "keep_labels"_a, "all_headers"_a, "headers"_a, "dropped"_a,
            "never"_a)
        .def("read", &read_mail, "message"_a, "decode"_a,
             nb::sig("def read(self, message: bytes, decode: Callable[[str, bytes], "
                     "tuple[bytes, int] | None]) -> tuple[str, list[int]]"))
        .def("blocks", &read_mail_blocks, "message"_a, "decode"_a,
             nb::sig("def blocks(self, message: bytes, decode: Callable[[str, bytes], tuple[bytes, "
                     "int] | None]) -> tuple[tuple[str, str, str], list[int]]"))
        .def("field", &field, "message"_a, "name"_a, "decode"_a,
             nb::sig("def field(self, message: bytes, name: str, decode: Callable[[str, bytes], "
                     "tuple[bytes, int] | None]) -> str"));
}

}  // namespace hardlimit
