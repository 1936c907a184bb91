#include "bind/text_input.hpp"

#include <string>

#include "bind/containers.hpp"
#include "bind/unlocked.hpp"

namespace nb = nanobind;

namespace hardlimit {

TextBatch::TextBatch(nb::handle sequence, Py_ssize_t &next, Py_ssize_t first,
                     std::size_t size_limit) {
    const Py_ssize_t n = PySequence_Size(sequence.ptr());
    if (n < 0) throw nb::python_error();
    for (; next < n && size_ < size_limit; ++next) {
        const nb::object item = nb::steal(PySequence_GetItem(sequence.ptr(), next));
        if (!item.is_valid()) throw nb::python_error();
        add(item, first + next);
    }
}

void TextBatch::add(nb::handle item, Py_ssize_t position) {
    text::Source source;
    if (PyBytes_Check(item.ptr())) {
        char *bytes;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(item.ptr(), &bytes, &size)) throw nb::python_error();
        source = {reinterpret_cast<const text::Byte *>(bytes), static_cast<std::size_t>(size),
                  false};
        held_.push_back(nb::borrow(item));
    } else if (PyUnicode_Check(item.ptr())) {
#if !defined(Py_LIMITED_API)
        const bool ascii = PyUnicode_IS_ASCII(item.ptr());
#else
        const bool ascii = nb::cast<bool>(item.attr("isascii")());
#endif
        if (ascii) {
            Py_ssize_t size;  // of an ASCII str this is its own memory
            const char *bytes = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
            if (!bytes) throw nb::python_error();
            source = {reinterpret_cast<const text::Byte *>(bytes), static_cast<std::size_t>(size),
                      false};
            held_.push_back(nb::borrow(item));
        } else {
            nb::object encoded =
                nb::steal(PyUnicode_AsEncodedString(item.ptr(), "utf-8", "surrogatepass"));
            char *bytes;
            Py_ssize_t size;
            if (!encoded.is_valid() || PyBytes_AsStringAndSize(encoded.ptr(), &bytes, &size))
                throw nb::python_error();
            source = {reinterpret_cast<const text::Byte *>(bytes), static_cast<std::size_t>(size),
                      true};
            held_.push_back(std::move(encoded));
        }
    } else {
        const nb::object exceptions = nb::module_::import_("hardlimit.exceptions");
        const nb::object kind = exceptions.attr("KindError");
        nb::dict fields;
        fields["parameter"] = "texts[" + std::to_string(position) + "]";
        fields["got"] = exceptions.attr("Given")(
            "a value of type " + nb::cast<std::string>(nb::str(item.type().attr("__name__"))));
        fields["wanted"] = "str or bytes";
        fields["fix"] = "leave the empty ones out, or turn them into text with str()";
        PyErr_SetObject(kind.ptr(), kind(**fields).ptr());
        throw nb::python_error();
    }
    sources_.push_back(source);
    size_ += source.size + 1;
}

void look_for_signals() {
    const Relocked python;
    if (PyErr_CheckSignals()) throw nb::python_error();
}

}  // namespace hardlimit
